// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import dev.lockstep.power.Energy.Method;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/**
 * Energy of windows of a series.
 *
 * <p>Between samples power is taken to change along a line. The energy of a window {@code [a, b]} is the area below these
 * lines, with power interpolated at {@code a} and {@code b}:
 *
 * <pre>E = sum over i of (P[i] + P[i+1]) / 2 * (t[i+1] - t[i])</pre>
 *
 * where the first point is {@code (a, P(a))}, the last {@code (b, P(b))}, the others the samples between. What happened
 * between the samples on either side of an end is not known; the bound is {@code (Pmax - Pmin) * dt / 2} for each end, with
 * {@code dt} the distance of the two samples around it, and the extremes those of the window and these samples. Where
 * samples in the window are farther apart than three of their periods, that gap counts in the same way.
 *
 * <p>A counter is preferred when it was updated at least {@value #ENOUGH_UPDATES} times in the window: {@code E = C(b) -
 * C(a)}, interpolated, with a bound of one update at each end.
 */
public final class EnergyIntegrator {
    /** So many updates of a counter make its error at the ends small. */
    public static final int ENOUGH_UPDATES = 20;

    /** A window may reach so many periods beyond the samples. */
    private static final double PERIODS_BEYOND = 3;

    private static final double NS_PER_S = 1e9;

    private final PowerSeries series;
    private final double period;
    private final int[] power;
    private final int[] updates;

    /** Samples in which the counter was read. */
    private final int[] counts;

    public EnergyIntegrator(PowerSeries series) {
        this.series = series;
        this.period = series.period();
        int[] read = new int[series.size()];
        int[] changed = new int[series.size()];
        int[] counted = new int[series.size()];
        int n = 0;
        int m = 0;
        int c = 0;
        double last = Double.NaN;
        for (int i = 0; i < series.size(); i++) {
            if (!Double.isNaN(series.watts()[i])) {
                read[n++] = i;
            }
            if (!series.counts() || Double.isNaN(series.joules()[i])) {
                continue;
            }
            counted[c++] = i;
            if (series.joules()[i] != last) {
                changed[m++] = i;
                last = series.joules()[i];
            }
        }
        power = Arrays.copyOf(read, n);
        updates = Arrays.copyOf(changed, m);
        counts = Arrays.copyOf(counted, c);
    }

    /**
     * The energy of a window.
     *
     * @param from ns since 1970
     * @param to later than {@code from}
     */
    public Energy of(long from, long to) {
        if (to <= from) {
            throw new IllegalArgumentException("a window that ends before it begins");
        }
        double seconds = (to - from) / NS_PER_S;
        int counted = inside(updates, from, to);
        if (counted >= ENOUGH_UPDATES && !beyond(counts, from, to)) {
            return counter(from, to, seconds, counted);
        }
        if (power.length == 0 || beyond(power, from, to)) {
            return new Energy(Double.NaN, Double.NaN, seconds, 0, Method.UNKNOWN);
        }
        return trapezoids(from, to, seconds);
    }

    private boolean beyond(int[] samples, long from, long to) {
        long slack = (long) (Double.isNaN(period) ? 0 : period * PERIODS_BEYOND * NS_PER_S);
        return from < series.ns()[samples[0]] - slack || to > series.ns()[samples[samples.length - 1]] + slack;
    }

    private Energy trapezoids(long from, long to, double seconds) {
        int first = firstAfter(power, from);
        int behind = firstAfter(power, to - 1);
        double joules = 0;
        long at = from;
        double watts = watts(from);
        double low = watts;
        double high = watts;
        double gaps = 0;
        for (int i = first; i < behind; i++) {
            long next = series.ns()[power[i]];
            double apart = (next - at) / NS_PER_S;
            gaps += i > first && apart > PERIODS_BEYOND * period ? apart : 0;
            double nextWatts = series.watts()[power[i]];
            joules += (watts + nextWatts) / 2 * (next - at) / NS_PER_S;
            at = next;
            watts = nextWatts;
            low = Math.min(low, watts);
            high = Math.max(high, watts);
        }
        double end = watts(to);
        joules += (watts + end) / 2 * (to - at) / NS_PER_S;
        low = Math.min(low, Math.min(end, Math.min(neighbour(from, -1), neighbour(to, 1))));
        high = Math.max(high, Math.max(end, Math.max(neighbour(from, -1), neighbour(to, 1))));
        double bound = (high - low) * (apart(from) + gaps + apart(to)) / 2;
        int samples = behind - first;
        return new Energy(joules, bound, seconds, samples, samples == 0 ? Method.INTERPOLATED : Method.TRAPEZOID);
    }

    private Energy counter(long from, long to, double seconds, int counted) {
        double step = 0;
        for (int i = Math.max(1, firstAfter(updates, from)); i < firstAfter(updates, to); i++) {
            step = Math.max(step, series.joules()[updates[i]] - series.joules()[updates[i - 1]]);
        }
        return new Energy(count(to) - count(from), 2 * step, seconds, counted, Method.COUNTER);
    }

    private double count(long moment) {
        int after = firstAfter(updates, moment - 1);
        if (after == 0) {
            return series.joules()[updates[0]];
        }
        if (after == updates.length) {
            return series.joules()[updates[after - 1]];
        }
        return between(updates[after - 1], updates[after], moment, series.joules());
    }

    private double watts(long moment) {
        int after = firstAfter(power, moment - 1);
        if (after == 0) {
            return series.watts()[power[0]];
        }
        if (after == power.length) {
            return series.watts()[power[after - 1]];
        }
        return between(power[after - 1], power[after], moment, series.watts());
    }

    private double between(int before, int after, long moment, double[] values) {
        double share = (double) (moment - series.ns()[before]) / Math.max(1, series.ns()[after] - series.ns()[before]);
        return values[before] + (values[after] - values[before]) * share;
    }

    /** The power of the sample before a moment (-1) or at or after it (1). */
    private double neighbour(long moment, int direction) {
        int after = firstAfter(power, moment - 1);
        int place = direction < 0 ? Math.max(0, after - 1) : Math.min(power.length - 1, after);
        return series.watts()[power[place]];
    }

    /** The distance in s of the samples around a moment. */
    private double apart(long moment) {
        int after = firstAfter(power, moment - 1);
        if (after == 0 || after == power.length) {
            return Double.isNaN(period) ? 0 : period;
        }
        return (series.ns()[power[after]] - series.ns()[power[after - 1]]) / NS_PER_S;
    }

    private int inside(int[] places, long from, long to) {
        return Math.max(0, firstAfter(places, to) - firstAfter(places, from - 1));
    }

    /** The place of the first of these samples that is later than a moment. */
    private int firstAfter(int[] places, long moment) {
        return LongOrder.leading(places.length, place -> series.ns()[places[place]] <= moment);
    }
}
