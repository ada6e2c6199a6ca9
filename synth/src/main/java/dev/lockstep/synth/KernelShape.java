// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Locale;

/**
 * How a kernel is laid out on the device.
 *
 * @param blocks in the grid, along its first axis
 * @param threads in a block
 * @param registers of a thread
 * @param sharedMemory bytes a block uses
 */
record KernelShape(long blocks, int threads, int registers, int sharedMemory) {

    String grid() {
        return "\"grid\": [" + blocks + ", 1, 1], \"block\": [" + threads + ", 1, 1]";
    }

    /** The members a CUDA trace has; occupancy is estimated from threads alone. */
    String resources(int processors) {
        double blocksPerProcessor = (double) blocks / processors;
        double warps = blocksPerProcessor * threads / 32;
        return String.format(
                Locale.ROOT,
                "\"registers per thread\": %d, \"shared memory\": %d, \"blocks per SM\": %.6f, "
                        + "\"warps per SM\": %.6f, %s, \"est. achieved occupancy %%\": %d",
                registers,
                sharedMemory,
                blocksPerProcessor,
                warps,
                grid(),
                Math.min(100, Math.round(warps / 64 * 100)));
    }
}
