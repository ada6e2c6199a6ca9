// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules for network simulators from recordings of training. Start at {@link dev.lockstep.goal.generate.GoalGenerator}:
 * what a rank did ({@link dev.lockstep.goal.nccl}) is taken apart into primitives
 * ({@link dev.lockstep.goal.algorithm}), which become operations ({@link dev.lockstep.goal.schedule}).
 */
@NullMarked
package dev.lockstep.goal.generate;

import org.jspecify.annotations.NullMarked;
