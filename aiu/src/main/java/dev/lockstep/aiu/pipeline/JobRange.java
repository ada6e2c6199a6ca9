// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

/** When a job ran, in microseconds: as the host waited for it, and on the device. Changed in place. */
public final class JobRange {
    /** What messages call the job. */
    public final String name;

    /** Begin and end of the host's wait; positive and negative infinity where there is none. */
    public double hostStart = Double.POSITIVE_INFINITY;

    public double hostEnd = Double.NEGATIVE_INFINITY;

    /** Begin and end on the device, the end as the rules count it; infinite where nothing ran there. */
    public double deviceStart = Double.POSITIVE_INFINITY;

    public double deviceEnd = Double.NEGATIVE_INFINITY;

    /** When the last event on the device ended; negative infinity where there is none. */
    public double lastEnd = Double.NEGATIVE_INFINITY;

    /** By how much its events on the device are to be moved; NaN for not at all. */
    public double offset = Double.NaN;

    public JobRange(String name) {
        this.name = name;
    }

    /** Whether both the host's wait and the device's work are known. */
    public boolean isKnown() {
        return hostStart < hostEnd && deviceStart <= deviceEnd;
    }
}
