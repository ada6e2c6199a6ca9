// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

/** How ranks become one number. */
public enum Averaging {
    /** The sum by the number. */
    MEAN("mean"),
    /**
     * The geometric mean of what is above zero. A zero has no logarithm, and one rank without a part says nothing about how
     * long the part takes on the others.
     */
    GEOMETRIC("geometric mean");

    private final String word;

    Averaging(String word) {
        this.word = word;
    }

    /** The one that is meant: geometric or not. */
    public static Averaging of(boolean geometric) {
        return geometric ? GEOMETRIC : MEAN;
    }

    /** As it stands in heads. */
    public String word() {
        return word;
    }

    /** The average of what is not NaN; NaN when there is nothing; geometrically 0 when all are zeros. */
    public double of(double[] values) {
        double sum = 0;
        int count = 0;
        int present = 0;
        for (double value : values) {
            present += Double.isNaN(value) ? 0 : 1;
            if (this == GEOMETRIC ? value > 0 : !Double.isNaN(value)) {
                sum += this == GEOMETRIC ? Math.log(value) : value;
                count++;
            }
        }
        if (count == 0) {
            return present == 0 ? Double.NaN : 0;
        }
        return this == GEOMETRIC ? Math.exp(sum / count) : sum / count;
    }
}
