// SPDX-License-Identifier: Apache-2.0
/**
 * Recordings of collectives out of traces of PyTorch's profiler: {@link dev.lockstep.goal.kineto.KinetoRecording}
 * matches what ranks did and plans what their traces do not say, as the library itself would. What was assumed is noted.
 */
@NullMarked
package dev.lockstep.goal.kineto;

import org.jspecify.annotations.NullMarked;
