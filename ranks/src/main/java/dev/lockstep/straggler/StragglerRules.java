// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

/** What an analysis of stragglers takes for a time, a transfer and typical; another tool may take them for something else. */
public interface StragglerRules {
    /** Longer than any step; whole nanoseconds up to here are exact in a double. */
    double LONGEST_SECONDS = 1_000_000;

    /** How many of its units make a second. */
    double second();

    /** How many whole units of a replay make one of its units: a power of two, so that nothing is lost on the way back. */
    double ticks();

    /** {@return a time of the table in its unit} */
    double time(double seconds);

    /** {@return when an operation ends} */
    double end(double start, double duration);

    /** {@return what is left of an operation once the last of its group has begun} */
    double transfer(double end, double lastStart);

    /** {@return by how much an operation starts later than those that it waits for allow} */
    double delay(double start, double ready);

    /** {@return a mean or median as a duration} */
    double typical(double value);

    /** Whose work is typical. */
    Ideal ideal(Ideal asked);

    /** Whether a step takes until the last optimizer ends on both sides of every quotient; else spans stand above it. */
    boolean endsWithOptimizer();

    /** The most workers of which each is replayed by itself; others are judged by their stage and their data-parallel rank. */
    int mostWorkersReplayed();

    /** Whose operations make a duration typical. */
    enum Ideal {
        /** Those of all stages: a stage that has more to do by design counts as slow. */
        ALL,
        /** Those of the same stage. */
        ROLE,
        /** Those of the worker of the same stage that takes least. */
        FASTEST
    }

    /** The program's own rules: whole nanoseconds, transfers that are never negative. */
    static StragglerRules standard() {
        return new StandardRules();
    }
}
