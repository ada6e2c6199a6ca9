// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import java.util.Arrays;

/**
 * Readings of a counter of energy as energy that only grows. A counter that falls by more than half of what it had counted
 * began anew. A reading that falls by less, or that stands out between two that rise, is none: it is passed over. Confined to
 * one thread.
 */
final class CounterReadings {
    private static final double LEAST_SHARE = 0.5;

    private long passedOver;
    private long restarts;

    /** Readings that were passed over. */
    long passedOver() {
        return passedOver;
    }

    /** How often counters began anew. */
    long restarts() {
        return restarts;
    }

    /**
     * Energy since the first counter began.
     *
     * @param read in order of time, NaN where the counter was not read
     * @return NaN there, and where a reading was passed over; empty when the counter was never read
     */
    double[] joules(double[] read) {
        double[] joules = new double[read.length];
        int at = next(read, 0);
        if (at == read.length) {
            return new double[0];
        }
        Arrays.fill(joules, Double.NaN);
        double before = 0;
        double last = Double.NaN;
        while (at < read.length) {
            int following = next(read, at + 1);
            double value = read[at];
            boolean standsOut = following < read.length && standsOut(last, value, read[following]);
            if (standsOut || value < last && value >= last * LEAST_SHARE) {
                passedOver++;
            } else {
                if (value < last) {
                    before += last;
                    restarts++;
                }
                last = value;
                joules[at] = before + value;
            }
            at = following;
        }
        return joules;
    }

    /** Whether a reading is not between its neighbours, which rise. */
    private static boolean standsOut(double last, double value, double following) {
        return last <= following && (value < last || value > following);
    }

    private static int next(double[] read, int from) {
        int at = from;
        while (at < read.length && Double.isNaN(read[at])) {
            at++;
        }
        return at;
    }
}
