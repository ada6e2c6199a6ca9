// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules that are read back, from any program: {@link dev.lockstep.goal.stored.GoalFile} reads text and binary
 * into {@link dev.lockstep.goal.stored.Operations}, columns of primitives for each rank. Single lines that no
 * schedule may have are noted in {@link dev.lockstep.goal.stored.Flaws}; what takes a look at several of them is
 * proven in {@link dev.lockstep.goal.check}.
 */
@NullMarked
package dev.lockstep.goal.stored;

import org.jspecify.annotations.NullMarked;
