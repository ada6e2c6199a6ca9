// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules for network simulators: made of recordings of training, read back, proven, simulated. Start at
 * {@link dev.lockstep.goal.Goal}. Times are nanoseconds and sizes bytes wherever nothing else is said.
 */
@NullMarked
package dev.lockstep.goal;

import org.jspecify.annotations.NullMarked;
