// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.LaunchDelays;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Finding;
import dev.lockstep.reporting.LaunchFindings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How long the host of made runs takes to launch kernels, and these to begin, where the host is as quick as the device or
 * quicker, and nothing but chance makes single launches long.
 *
 * @param words what it is called in tables
 * @param host what the host takes for a launch, as a share of a kernel
 * @param scatter standard deviation of that, as a share of it
 * @param alike correlation of neighbouring launches
 */
record CourseOfLaunches(String words, double host, double scatter, double alike) {
    private static final int CALLS = 300;
    private static final double KERNEL = 50_000;

    /** How much more than others are planted the host takes longer, for streams to run dry at most launches. */
    private static final double BOUND = 10;

    /** What a kernel takes to begin on an idle stream, in the median, and how the logarithm of that scatters. */
    private static final double LATENCY = 8_000;

    private static final double LATENCY_SCATTER = 0.5;

    /** A launch that is held up begins so much later. */
    private static final long HELD_UP = 1_000_000;

    static List<CourseOfLaunches> all() {
        return List.of(
                new CourseOfLaunches("the host is quicker", 0.9, 0.2, 0),
                new CourseOfLaunches("the host is as quick", 1, 0.1, 0),
                new CourseOfLaunches("the host is as quick, neighbours alike", 1, 0.1, 0.7));
    }

    /** By verdict, whether it is claimed when the host takes so much longer for all launches, and so many are held up. */
    Map<String, Boolean> claims(RandomGenerator random, double slower, Path scratch) {
        Map<String, Boolean> claims = new LinkedHashMap<>();
        claims.put("`report`: launch bound", says(random, BOUND * slower, 0, "launch_bound", scratch));
        claims.put("`report`: launches take unusually long", says(random, -0.5, slower, "launch_outliers", scratch));
        return claims;
    }

    private boolean says(RandomGenerator random, double slower, double heldUp, String code, Path scratch) {
        MadeRank rank = new MadeRank(0);
        double host = 1_000_000;
        double device = 0;
        double course = random.nextGaussian();
        for (int call = 0; call < CALLS; call++) {
            double takes = KERNEL * this.host * (1 + slower) * Math.max(0.1, 1 + scatter * course);
            double launched = host + takes;
            double latency = LATENCY * Math.exp(LATENCY_SCATTER * random.nextGaussian())
                    + (random.nextDouble() < heldUp ? HELD_UP : 0);
            double start = Math.max(device, launched + latency);
            rank.launch(Math.round(host), Math.round(launched), Math.round(start), Math.round(KERNEL));
            device = start + KERNEL;
            host = launched;
            if (heldUp > 0 || slower < 0) {
                host = Math.max(host, device);
            }
            course = alike * course + Math.sqrt(1 - alike * alike) * random.nextGaussian();
        }
        LaunchDelays.Result found = new LaunchDelays(
                        AnalysisRules.standard(), null, ReportOptions.Launches.DEFAULT_LIMIT)
                .run(new DerivedCache(rank.trace(scratch)));
        return LaunchFindings.of(found).stream().map(Finding::code).anyMatch(code::equals);
    }
}
