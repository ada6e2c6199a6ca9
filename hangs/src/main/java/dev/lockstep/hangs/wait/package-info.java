// SPDX-License-Identifier: Apache-2.0
/**
 * Who waits for whom in a job that does not go on, and which rank is the first that nobody keeps waiting.
 * {@link dev.lockstep.hangs.wait.Diagnosis} is where to start.
 */
@NullMarked
package dev.lockstep.hangs.wait;

import org.jspecify.annotations.NullMarked;
