// SPDX-License-Identifier: Apache-2.0
/** Writes what the AIU pipeline yields: traces, tables, statistics. */
@NullMarked
package dev.lockstep.aiu.output;

import org.jspecify.annotations.NullMarked;
