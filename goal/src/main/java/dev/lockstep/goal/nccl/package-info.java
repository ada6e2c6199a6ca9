// SPDX-License-Identifier: Apache-2.0
/**
 * What the collective library did, as annotations in recordings tell it: communicators with their rings and trees, and
 * operations with the plans by which they were carried out. Start at {@link dev.lockstep.goal.recording.RecordedRun}.
 */
@NullMarked
package dev.lockstep.goal.nccl;

import org.jspecify.annotations.NullMarked;
