// SPDX-License-Identifier: Apache-2.0
/**
 * What the allocators of devices allocated: how much when, to whom, and for how long. Begin with
 * {@link dev.lockstep.analyze.memory.AllocatorLog}, the replay of one device; {@link dev.lockstep.analyze.memory.MemoryUse}
 * makes the sheets.
 */
@NullMarked
package dev.lockstep.analyze.memory;

import org.jspecify.annotations.NullMarked;
