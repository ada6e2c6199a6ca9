// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the allocator of a rank's device allocated.
 *
 * @param baselineBytes allocated before the trace began
 * @param startBytes allocated when each step begins
 * @param allocations blocks allocated
 * @param frees blocks freed
 * @param peak the most that is allocated
 * @param leakOwner the operator that leaks in the last step, null for none
 * @param peakOwner the operator whose block was planted as the peak, null for none
 */
public record MemoryTruth(
        long baselineBytes,
        List<Long> startBytes,
        long allocations,
        long frees,
        Peak peak,
        @Nullable String leakOwner,
        @Nullable String peakOwner) {

    public MemoryTruth {
        startBytes = List.copyOf(startBytes);
    }

    /**
     * The most that is allocated.
     *
     * @param bytes allocated
     * @param reservedBytes that the allocator holds then
     * @param atNanos when that is reached first, as the rank's clock shows it
     */
    public record Peak(long bytes, long reservedBytes, long atNanos) {}
}
