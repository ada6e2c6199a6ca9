// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

/** Whole nanoseconds, kept in doubles, in which they are exact up to {@link #LONGEST_SECONDS} and far beyond. */
record StandardRules() implements StragglerRules {
    private static final double NS_PER_SECOND = 1e9;
    private static final int MOST_WORKERS = 256;

    @Override
    public double second() {
        return NS_PER_SECOND;
    }

    @Override
    public double ticks() {
        return 1;
    }

    @Override
    public double time(double seconds) {
        return Math.rint(seconds * NS_PER_SECOND);
    }

    @Override
    public double end(double start, double duration) {
        return start + duration;
    }

    @Override
    public double transfer(double end, double lastStart) {
        return Math.max(0, end - lastStart);
    }

    @Override
    public double delay(double start, double ready) {
        return Math.max(0, start - ready);
    }

    @Override
    public double typical(double value) {
        return Math.rint(value);
    }

    @Override
    public Ideal ideal(Ideal asked) {
        return asked;
    }

    @Override
    public boolean endsWithOptimizer() {
        return true;
    }

    @Override
    public int mostWorkersReplayed() {
        return MOST_WORKERS;
    }
}
