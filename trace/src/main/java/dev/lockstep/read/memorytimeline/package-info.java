// SPDX-License-Identifier: Apache-2.0
/**
 * Memory timelines of PyTorch's profiler: bytes by category over time.
 * {@link dev.lockstep.read.memorytimeline.MemoryTimelineReader} is where to start.
 */
@NullMarked
package dev.lockstep.read.memorytimeline;

import org.jspecify.annotations.NullMarked;
