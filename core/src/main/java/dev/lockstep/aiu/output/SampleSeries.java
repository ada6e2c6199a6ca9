// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import java.util.Arrays;

/** Values of a counter by time, each of which holds until the next one. */
final class SampleSeries {
    private double[] times = new double[64];
    private double[] values = new double[64];
    private int size;

    void add(double us, double value) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            values = Arrays.copyOf(values, size * 2);
        }
        times[size] = us;
        values[size++] = value;
    }

    int size() {
        return size;
    }

    double first() {
        return size == 0 ? Double.NaN : times[0];
    }

    double max() {
        double most = 0;
        for (int i = 0; i < size; i++) {
            most = Math.max(most, values[i]);
        }
        return most;
    }

    long positive() {
        return Arrays.stream(values, 0, size).filter(v -> v > 0).count();
    }

    /** Mean of the values above 0. */
    double meanOfPositive() {
        return Arrays.stream(values, 0, size).filter(v -> v > 0).average().orElse(0);
    }

    /** Mean over time, from the first sample to the last. */
    double meanOverTime() {
        double sum = 0;
        for (int i = 0; i + 1 < size; i++) {
            sum += values[i] * (times[i + 1] - times[i]);
        }
        double span = size < 2 ? 0 : times[size - 1] - times[0];
        return span > 0 ? sum / span : size == 0 ? 0 : values[0];
    }

    /**
     * The series as points of a line: times and values; where there are too many, the greatest of each stretch stands for
     * it.
     *
     * @param origin the time that becomes 0
     * @param most how many points there may be
     */
    double[][] line(double origin, int most) {
        int step = Math.max(1, (size + most - 1) / most);
        int n = (size + step - 1) / step;
        double[] x = new double[n];
        double[] y = new double[n];
        for (int i = 0; i < n; i++) {
            int best = i * step;
            for (int j = best; j < Math.min(size, (i + 1) * step); j++) {
                best = values[j] > values[best] ? j : best;
            }
            x[i] = times[best] - origin;
            y[i] = values[best];
        }
        return new double[][] {x, y};
    }
}
