// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules for network simulators from recordings of training. Start at {@link dev.lockstep.simulate.GoalGenerator}:
 * what a rank did ({@link dev.lockstep.simulate.nccl}) is taken apart into primitives
 * ({@link dev.lockstep.simulate.algorithm}), which become operations ({@link dev.lockstep.simulate.schedule}).
 */
@NullMarked
package dev.lockstep.simulate;

import org.jspecify.annotations.NullMarked;
