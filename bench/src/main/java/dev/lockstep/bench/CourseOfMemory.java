// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.memory.MemoryGrowth;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What memory is allocated at the start of steps of made runs that keep nothing.
 *
 * @param words what it is called in tables
 * @param steps number of steps
 * @param alike correlation of neighbouring steps
 */
record CourseOfMemory(String words, int steps, double alike) {
    private static final double LEVEL = 1 << 30;

    /** Standard deviation of the level, as a share of it. */
    private static final double SCATTER = 0.02;

    static List<CourseOfMemory> all() {
        return List.of(
                new CourseOfMemory("independent steps", 20, 0),
                new CourseOfMemory("neighbouring steps alike", 20, 0.5),
                new CourseOfMemory("few steps, alike", 6, 0.5),
                new CourseOfMemory("three steps, alike", 3, 0.5));
    }

    /** Whether memory is said to grow when each step keeps this share of what is allocated. */
    Map<String, Boolean> claims(RandomGenerator random, double kept) {
        long[] levels = new long[steps];
        double course = random.nextGaussian();
        for (int step = 0; step < steps; step++) {
            levels[step] = Math.round(LEVEL * (1 + kept * step + SCATTER * course));
            course = alike * course + Math.sqrt(1 - alike * alike) * random.nextGaussian();
        }
        return Map.of(
                "`report`, `memory`: each step begins with more",
                MemoryGrowth.of(levels).low() > 0);
    }
}
