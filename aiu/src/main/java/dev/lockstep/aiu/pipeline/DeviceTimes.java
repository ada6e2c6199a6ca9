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

    /** MHz of the counters, 0 before they are mapped. */
    private double mhz;

    /** Microseconds by which the device's clock is put right. */
    private double shift;

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

    /** Whether the device's clock is known. */
    public boolean isMapped() {
        return mhz > 0;
    }

    /** Says what the device's clock is. */
    public void map(double toMhz) {
        mhz = toMhz;
    }

    /** Puts the device's clock right. */
    public void shift(double us) {
        shift += us;
    }

    /** Forgets the device's clock; the host's stays. */
    public void forgetDeviceClock() {
        mhz = 0;
        shift = 0;
    }

    /** A counter in microseconds on the device's clock, which must be known. */
    public double device(int counter) {
        return cycles[counter] / mhz + shift;
    }

    /** The counters in microseconds on the host's clock, to be filled. */
    public double[] toHost() {
        double[] filled = host;
        if (filled == null) {
            filled = new double[COUNT];
            host = filled;
        }
        return filled;
    }

    public DeviceTimes copy() {
        DeviceTimes copy = new DeviceTimes();
        System.arraycopy(cycles, 0, copy.cycles, 0, COUNT);
        copy.mhz = mhz;
        copy.shift = shift;
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
