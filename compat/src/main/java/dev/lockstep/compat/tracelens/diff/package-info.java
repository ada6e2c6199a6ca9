// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for TraceLens's TraceDiff: how that tool merges the call trees of two traces, the six files it writes about
 * them, and what it adds to a report. Start at {@link dev.lockstep.compat.tracelens.diff.TraceLensDiff}.
 */
@NullMarked
package dev.lockstep.compat.tracelens.diff;

import org.jspecify.annotations.NullMarked;
