// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.options.Device;
import org.jspecify.annotations.Nullable;

/**
 * The least time that a device could need for a call: it computes at its peak while it moves bytes at its bandwidth, and
 * the slower of the two decides.
 *
 * @param timeNs the least time in ns
 * @param bound what decides
 */
public record Roofline(double timeNs, Bound bound) {
    /** What decides how fast a call can be at best. */
    public enum Bound {
        COMPUTE_BOUND,
        MEMORY_BOUND
    }

    /**
     * The roofline of a call on a device; null when the device's peak for this arithmetic or its bandwidth is unknown, or
     * the bytes of the call are, or there are no operations.
     */
    public static @Nullable Roofline of(Work work, Device device) {
        double peak = device.flopsPerSecond(work.computeSpec());
        double compute = work.flops() / peak * 1e9;
        double memory = work.bytes() / device.bytesPerSecond() * 1e9;
        if (!(work.flops() > 0) || !Double.isFinite(compute) || !Double.isFinite(memory)) {
            return null;
        }
        return new Roofline(Math.max(compute, memory), compute >= memory ? Bound.COMPUTE_BOUND : Bound.MEMORY_BOUND);
    }

    /** Per cent of the roofline that a call of this duration reached; NaN for a duration of zero. */
    public double percent(double kernelNs) {
        return kernelNs > 0 ? 100 * timeNs / kernelNs : Double.NaN;
    }
}
