// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.sweep;

/** How ranks are summed up to a configuration. */
public enum Averaging {
    MEAN,
    /**
     * The geometric mean of what is above zero. A zero has no logarithm, and one rank without a part says nothing about how
     * long the part takes on the others; how many ranks were left out stands beside.
     */
    GEOMETRIC;

    /** The average; NaN when there is nothing to average. */
    double of(double[] values) {
        double sum = 0;
        int count = 0;
        for (double value : values) {
            if (this == GEOMETRIC ? value > 0 : !Double.isNaN(value)) {
                sum += this == GEOMETRIC ? Math.log(value) : value;
                count++;
            }
        }
        if (count == 0) {
            return this == GEOMETRIC && values.length > 0 ? 0 : Double.NaN;
        }
        return this == GEOMETRIC ? Math.exp(sum / count) : sum / count;
    }
}
