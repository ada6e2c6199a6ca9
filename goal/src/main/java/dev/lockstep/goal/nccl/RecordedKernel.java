// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

/**
 * A kernel of the library.
 *
 * @param stream number of the stream on the device
 * @param correlation joins it with the launch; -1 if unknown
 * @param name demangled
 */
public record RecordedKernel(long start, long end, int device, int stream, long correlation, int blocks, String name) {}
