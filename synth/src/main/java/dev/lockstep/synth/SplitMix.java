// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * SplitMix64, the generator of Steele, Lea and Flood (OOPSLA 2014). Our own because its sequence is part of what a recipe
 * promises: it must not change with the JDK. Confined to one thread.
 */
final class SplitMix {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    SplitMix(long seed, long stream) {
        state = mix(seed) ^ mix(stream * GOLDEN + 1);
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    long next() {
        state += GOLDEN;
        return mix(state);
    }

    /** Uniform in [0, 1). */
    double uniform() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    /** Uniform in [-limit, limit]. */
    long symmetric(long limit) {
        return limit == 0 ? 0 : Math.floorMod(next(), 2 * limit + 1) - limit;
    }

    /** Bell-shaped with mean 0 and standard deviation 1, never beyond 2.45: the sum of two uniforms. */
    double bell() {
        return (uniform() + uniform() - 1) * 2.449489742783178;
    }

    /** About {@code nanos}, up to 15 % more or less. */
    long about(double nanos) {
        return (long) (nanos * (0.85 + 0.3 * uniform()));
    }
}
