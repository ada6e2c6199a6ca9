// SPDX-License-Identifier: Apache-2.0
/**
 * Snapshots of PyTorch's allocator of device memory: pickles of plain data. {@link dev.lockstep.read.snapshot.SnapshotReader}
 * is where to start.
 */
@NullMarked
package dev.lockstep.read.snapshot;

import org.jspecify.annotations.NullMarked;
