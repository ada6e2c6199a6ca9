// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import java.io.Serializable;
import java.util.Locale;

/**
 * What is known of a rank's clock: how far it is ahead of the clock of the first rank of its block, and how that grows. Ranks
 * that are tied to one another, directly or through others, form a block; times of other blocks cannot be compared with its own.
 *
 * @param basis how the clock is known
 * @param block place of the rank whose clock the line is against
 * @param ties collectives and messages on which the estimate rests, 0 when there are none
 * @param outliers ends that lie too far away to count
 * @param atNs the moment on the rank's own clock at which {@code offsetNs} holds, in ns since the origin of all clocks
 * @param offsetNs by how much it is ahead then
 * @param drift by how much the offset grows with each ns, 0 when no drift can be told from none
 * @param driftError the drift is right to within this
 * @param residualNs half of the ends lie within this of where the estimate puts them
 * @param errorNs the estimate is right to within this over the whole recording
 * @param unsteadyNs how far ends lie away in a part of the recording in which the clock does not keep to its line, as where it
 *     was set anew; 0 where none can be told. It is in the error, and so is that of the first rank of the block.
 * @param epochNs what else the clock is ahead, because it counts from another moment altogether (days away): no error of the clock
 */
public record ClockLine(
        Basis basis,
        int block,
        int ties,
        int outliers,
        long atNs,
        long offsetNs,
        double drift,
        double driftError,
        long residualNs,
        long errorNs,
        long unsteadyNs,
        long epochNs)
        implements Serializable {
    /** Recordings of one run do not begin further apart: clocks that say so count from different moments. */
    public static final long FARTHEST_NS = 7L * 24 * 3600 * 1_000_000_000;

    private static final double PPM = 1e6;

    /** How a rank's clock is known. */
    public enum Basis {
        /** By collectives and messages of its own. */
        RANK,
        /** By those of all ranks of its node. */
        NODE,
        /** It is what the others of its block are compared with. */
        REFERENCE,
        /** Not at all: nothing ties it to another rank. */
        NONE;

        /** Stable word for tables and files. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The clock of a rank that nothing ties to another, at its place. */
    static ClockLine alone(int place) {
        return new ClockLine(Basis.NONE, place, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** What the clock shows beyond the reference when it shows this. */
    public long ahead(long time) {
        return epochNs + beyond(time);
    }

    /** What the clock shows when the reference shows this, to within a nanosecond. */
    long shown(long reference) {
        return atNs + Math.round((reference - atNs + epochNs + offsetNs) / (1 - drift));
    }

    /** {@link #ahead} without what comes from counting from another moment. */
    long beyond(long time) {
        return offsetNs + Math.round(drift * (time - atNs));
    }

    /** Drift in parts per million. */
    public double driftPpm() {
        return drift * PPM;
    }

    /** Its error, likewise. */
    public double driftErrorPpm() {
        return driftError * PPM;
    }

    /** Whether it differs from the reference by more than the error between two moments of its own. */
    boolean isBelieved(long first, long last) {
        return Math.max(Math.abs(beyond(first)), Math.abs(beyond(last))) > errorNs;
    }
}
