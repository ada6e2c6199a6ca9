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
     * The series as the corners of a line of steps: times and values; where there are too many samples, the greatest of
     * each stretch stands for it.
     *
     * @param origin the time that becomes 0
     * @param most how many samples are shown at most
     */
    double[][] steps(double origin, int most) {
        int stride = Math.max(1, (size + most - 1) / most);
        int n = (size + stride - 1) / stride;
        double[] x = new double[Math.max(0, 2 * n - 1)];
        double[] y = new double[x.length];
        for (int i = 0; i < n; i++) {
            int best = i * stride;
            for (int j = best; j < Math.min(size, (i + 1) * stride); j++) {
                best = values[j] > values[best] ? j : best;
            }
            x[2 * i] = times[best] - origin;
            y[2 * i] = values[best];
            if (i > 0) {
                x[2 * i - 1] = x[2 * i];
                y[2 * i - 1] = y[2 * i - 2];
            }
        }
        return new double[][] {x, y};
    }
}
