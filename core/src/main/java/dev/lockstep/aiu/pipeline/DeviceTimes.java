// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * The counters of a job on the device: TS1 to TS5, of which DMA in is TS1 to TS2, preparation TS2 to TS3, execution TS3
 * to TS4, DMA out TS4 to TS5.
 */
public final class DeviceTimes {
    public static final int COUNT = 5;

    /** Cycles; 32 bits in files, more once their epoch is known. */
    public final long[] cycles = new long[COUNT];

    /** The counters in microseconds on the device's clock, null before they are mapped. */
    public double @Nullable [] device;

    /** The counters in microseconds on the host's clock, null before they are mapped. */
    public double @Nullable [] host;

    /** Charge so far, 32 bits; -1 when not recorded. */
    public long power = -1;

    /** Number of the first counter that had wrapped within the event, 0 for none. */
    public byte wrapped;

    /** Epochs that were added to the counters; {@link #NO_EPOCH} before. */
    public int epoch = NO_EPOCH;

    public static final int NO_EPOCH = Integer.MIN_VALUE;

    /** What mapping changed in the event's start and duration; NaN when nothing. */
    public double adjustedTs = Double.NaN;

    public double adjustedDur = Double.NaN;

    /** How the counters and the power were spelled; kept only when intermediate results are wanted. */
    public String @Nullable [] spelling;

    public DeviceTimes copy() {
        DeviceTimes copy = new DeviceTimes();
        System.arraycopy(cycles, 0, copy.cycles, 0, COUNT);
        copy.device = device == null ? null : device.clone();
        copy.host = host == null ? null : host.clone();
        copy.power = power;
        copy.wrapped = wrapped;
        copy.epoch = epoch;
        copy.adjustedTs = adjustedTs;
        copy.adjustedDur = adjustedDur;
        copy.spelling = spelling;
        return copy;
    }
}
