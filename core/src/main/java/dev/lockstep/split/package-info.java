// SPDX-License-Identifier: Apache-2.0
/**
 * Cuts a trace into iterations: finds them ({@link dev.lockstep.split.SplitPlan}), says which event belongs to which
 * ({@link dev.lockstep.split.EventOwners}), and copies events from the file into new ones, unchanged
 * ({@link dev.lockstep.split.TraceSplitter}).
 */
@NullMarked
package dev.lockstep.split;

import org.jspecify.annotations.NullMarked;
