// SPDX-License-Identifier: Apache-2.0
/**
 * What a run did, as far as schedules need it: which collective each GPU called when, and how the library carried it
 * out. {@link dev.lockstep.goal.nccl} and {@link dev.lockstep.goal.kineto} make it,
 * {@link dev.lockstep.goal.generate} reads it. Start at {@link dev.lockstep.goal.recording.RecordedRun}.
 */
@NullMarked
package dev.lockstep.goal.recording;

import org.jspecify.annotations.NullMarked;
