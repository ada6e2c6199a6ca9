// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules that are read back, from any program: {@link dev.lockstep.simulate.stored.GoalFile} reads text and binary
 * into {@link dev.lockstep.simulate.stored.Operations}, columns of primitives for each rank. Single lines that no
 * schedule may have are noted in {@link dev.lockstep.simulate.stored.Flaws}; what takes a look at several of them is
 * proven in {@code simulate.check}.
 */
@NullMarked
package dev.lockstep.simulate.stored;

import org.jspecify.annotations.NullMarked;
