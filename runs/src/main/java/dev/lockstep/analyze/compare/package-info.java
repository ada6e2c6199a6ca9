// SPDX-License-Identifier: Apache-2.0
/**
 * What sets two traces apart: which operators of one are those of the other, and what each contributes to the difference
 * in time. Start at {@link dev.lockstep.analyze.compare.TraceDifference}.
 */
@NullMarked
package dev.lockstep.analyze.compare;

import org.jspecify.annotations.NullMarked;
