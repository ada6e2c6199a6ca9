// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.CollectiveInstance;
import dev.lockstep.compare.CollectiveSum;
import dev.lockstep.compare.CollectiveSum.Figures;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RankBreakdown.Time;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunCollectives;
import dev.lockstep.compare.RunCollectives.Family;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.model.Trace;
import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.Settings;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * How the steps of made runs take their time when nothing but chance sets runs apart. Ranks of a run wait for one another:
 * each step takes all of them alike, but for a thousandth.
 *
 * @param words what it is called in tables
 * @param steps number of steps of a run
 * @param alike correlation of neighbouring steps
 * @param scatter standard deviation of a step, as a share of it
 * @param throttle by what share clocks sink over a run, on all ranks of all runs alike
 */
record CourseOfSteps(String words, int steps, double alike, double scatter, double throttle) {
    private static final double STEP_MS = 100;
    private static final int RANKS = 8;
    private static final int CALLS = 6;
    private static final double MIB = 1 << 20;
    private static final CallKey KEY = new CallKey("allreduce", "Float", 1 << 18, 1 << 18, "0", "", RANKS);

    /** The courses of which each breaks a test that takes steps or ranks for independent. */
    static List<CourseOfSteps> all() {
        return List.of(
                new CourseOfSteps("independent steps", 20, 0, 0.02, 0),
                new CourseOfSteps("neighbouring steps alike", 20, 0.5, 0.02, 0),
                new CourseOfSteps("clocks throttle by 20 %", 20, 0.3, 0.02, 0.2),
                new CourseOfSteps("few steps, alike", 6, 0.5, 0.02, 0));
    }

    /** What steps take in ms. */
    private double[] draw(RandomGenerator random, double slower) {
        double[] steps = new double[this.steps];
        double course = random.nextGaussian();
        for (int t = 0; t < steps.length; t++) {
            double clock = 1 + throttle * t / Math.max(1, steps.length - 1);
            steps[t] = STEP_MS * (1 + slower) * clock * (1 + scatter * course);
            course = alike * course + Math.sqrt(1 - alike * alike) * random.nextGaussian();
        }
        return steps;
    }

    /** A run of several ranks. */
    RunSummary run(String label, RandomGenerator random, double slower) {
        double[] steps = draw(random, slower);
        double[] hidden = random.doubles(steps.length, 0.4, 0.6).toArray();
        TreeMap<Integer, RankBreakdown> byRank = new TreeMap<>();
        TreeMap<Integer, List<RankBreakdown>> bySteps = new TreeMap<>();
        for (int rank = 0; rank < RANKS; rank++) {
            List<RankBreakdown> own = new ArrayList<>();
            for (int t = 0; t < steps.length; t++) {
                own.add(breakdown(steps[t] * (1 + 1e-3 * random.nextGaussian()), hidden[t]));
            }
            bySteps.put(rank, own);
            byRank.put(rank, sum(own));
        }
        return new RunSummary(
                label, Settings.UNKNOWN, RANKS, new RunBreakdown(byRank, bySteps), collectives(steps, random));
    }

    /** The report of one rank. */
    SheetSet report(String name, RandomGenerator random, double slower) {
        double[] steps = draw(random, slower);
        double total = Arrays.stream(steps).sum();
        return new SheetSet(
                name,
                name,
                List.of(
                        new Fields<Double>()
                                .add(ColumnSpec.text("type", "Part."), t -> RankBreakdown.TOTAL)
                                .add(ms("time ms"), t -> t)
                                .add(ColumnSpec.percent("percent", "Share."), t -> 100.0)
                                .table("gpu_timeline", "Timeline", List.of(total)),
                        new Fields<Double>()
                                .add(ms("total time ms"), t -> t)
                                .add(ms("busy ms"), t -> t)
                                .table(
                                        "gpu_timeline_by_step",
                                        "Steps",
                                        Arrays.stream(steps).boxed().toList())));
    }

    /** The trace of one rank, a kernel for each step. */
    Trace trace(RandomGenerator random, double slower, Path scratch) {
        MadeRank rank = new MadeRank(0);
        long now = 1_000_000;
        for (double step : draw(random, slower)) {
            long lasts = Math.round(step * 1e4);
            rank.step(rank.steps(), now - 10_000, now + lasts - 10_000);
            rank.multiply(now, lasts);
            now += lasts;
        }
        return rank.trace(scratch);
    }

    private static ColumnSpec ms(String head) {
        return ColumnSpec.real(head, Unit.MILLISECONDS, Unit.MILLISECONDS, "Time.");
    }

    private static RankBreakdown breakdown(double total, double hidden) {
        double exposed = 0.2 * total;
        Map<String, Time> parts = new LinkedHashMap<>();
        parts.put("computation_time", new Time(total - exposed, Double.NaN));
        parts.put(RankBreakdown.EXPOSED, new Time(exposed, Double.NaN));
        parts.put(RankBreakdown.TOTAL, new Time(total, 100));
        parts.put(RankBreakdown.COMMUNICATION, new Time(exposed / (1 - hidden), Double.NaN));
        return new RankBreakdown(parts);
    }

    private static RankBreakdown sum(List<RankBreakdown> steps) {
        Map<String, Time> parts = new LinkedHashMap<>();
        for (RankBreakdown step : steps) {
            step.listed()
                    .forEach((part, time) -> parts.merge(part, time, (a, b) -> new Time(a.ms() + b.ms(), Double.NaN)));
        }
        return new RankBreakdown(parts);
    }

    /** Collectives follow the course of the steps in which they run. */
    private RunCollectives collectives(double[] steps, RandomGenerator random) {
        List<CollectiveInstance> calls = new ArrayList<>();
        double sum = 0;
        for (double step : steps) {
            for (int i = 0; i < CALLS; i++) {
                double latency = step * (1 + 1e-3 * random.nextGaussian());
                calls.add(new CollectiveInstance(KEY, latency, 1, MIB, 1.5));
                sum += latency;
            }
        }
        Figures figures = new Figures(sum / calls.size(), Double.NaN, Double.NaN, Double.NaN);
        CollectiveSum summed =
                new CollectiveSum(KEY, MIB, calls.size(), sum / 1e3, figures, figures, figures, figures, figures);
        return new RunCollectives(List.of(new Family(calls, List.of(summed))), new TreeSet<>());
    }
}
