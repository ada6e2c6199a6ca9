// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.wia;

import dev.lockstep.dialect.Dialect;
import dev.lockstep.straggler.StragglerRules;
import java.util.List;

/** The published analyser of stragglers. */
public final class WhatIfAnalysis implements Dialect {
    @Override
    public String name() {
        return "wia";
    }

    @Override
    public List<Object> parts() {
        return List.of(new Rules());
    }

    /**
     * Seconds: what is recorded, and what is computed from it alone, in single precision; replays are finer.
     * Communications that end up to 10 ms before the last of their group has begun keep what that makes.
     */
    private record Rules() implements StragglerRules {
        private static final double FORGIVEN = -0.01;
        /** Of a second; 15 ps. */
        private static final double TICKS = 0x1p36;

        @Override
        public double second() {
            return 1;
        }

        @Override
        public double ticks() {
            return TICKS;
        }

        @Override
        public double time(double seconds) {
            return (float) seconds;
        }

        @Override
        public double end(double start, double duration) {
            return (float) (start + duration);
        }

        @Override
        public double transfer(double end, double lastStart) {
            float left = (float) (end - lastStart);
            return left <= FORGIVEN ? 0 : left;
        }

        @Override
        public double delay(double start, double ready) {
            return transfer(start, ready);
        }

        @Override
        public double typical(double value) {
            return value;
        }

        @Override
        public Ideal ideal(Ideal asked) {
            return Ideal.ALL;
        }

        @Override
        public boolean endsWithOptimizer() {
            return false;
        }

        @Override
        public int mostWorkersReplayed() {
            return 0;
        }
    }
}
