// SPDX-License-Identifier: Apache-2.0
/**
 * Cuts a trace into iterations: finds them ({@link dev.lockstep.iterations.SplitPlan}), says which event belongs to which
 * ({@link dev.lockstep.iterations.EventOwners}), and copies events from the file into new ones, unchanged
 * ({@link dev.lockstep.iterations.TraceSplitter}).
 */
@NullMarked
package dev.lockstep.iterations;

import org.jspecify.annotations.NullMarked;
