// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.nsys;

/**
 * A kernel of the collective library.
 *
 * @param start when it began; nanoseconds since the session began
 * @param end when it had finished
 * @param globalProcess Nsight's global id of its process
 * @param device number of the GPU
 * @param stream number of the stream on the device
 * @param correlation joins it with the call that launched it; -1 if unknown
 * @param blocks extent of the grid in x, which is the number of channels; -1 if unknown
 * @param name demangled
 */
public record NsysKernel(
        long start, long end, long globalProcess, int device, int stream, long correlation, int blocks, String name) {}
