// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * What the allocator of a rank's device does besides what every step needs, and that it is recorded at all.
 *
 * @param leakBytes asked for in each step and never freed, 0 for none
 * @param fragmentationBytes by which what the allocator holds grows in each step without being allocated, 0 for none
 * @param peakBytes asked for in one operator of one step and freed in it, 0 for none
 * @param peakStep the step of the peak, from 1
 */
public record MemoryPlan(long leakBytes, long fragmentationBytes, long peakBytes, int peakStep) {
    private static final long MOST = 1L << 50;

    public MemoryPlan {
        if (leakBytes < 0 || leakBytes > MOST || fragmentationBytes < 0 || fragmentationBytes > MOST) {
            throw new IllegalArgumentException("leak and fragmentation must lie in 0..2^50 bytes");
        }
        if (peakBytes < 0 || peakBytes > MOST || peakStep < 1) {
            throw new IllegalArgumentException("a peak has 0..2^50 bytes, in a step from 1");
        }
    }

    /** Nothing but what every step needs. */
    public static MemoryPlan plain() {
        return new MemoryPlan(0, 0, 0, 1);
    }
}
