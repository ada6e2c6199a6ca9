// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.gemm.GemmPool;
import dev.lockstep.analyze.gemm.Slowdown;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.Verdict;
import dev.lockstep.compare.configurations.ConfigurationComparison;
import dev.lockstep.compare.configurations.Options;
import dev.lockstep.compare.reports.RunComparison;
import dev.lockstep.compare.sweep.SweepCollectives;
import dev.lockstep.compare.sweep.SweepFindings;
import dev.lockstep.compare.sweep.SweepTimelines;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Finding;
import dev.lockstep.reporting.DifferenceReport;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * How often the program's verdicts say something where there is nothing, and how often they find what is there: seeded runs
 * that differ by chance alone, then the same with one run slower by 1, 2 and 5 %. Seeds are 1 to 400, fixed before anything
 * was looked at. Prints a table; ends with 1 when a verdict is wrong in more than 27 of 400, the 95 % bound for a test that is
 * wrong in one of twenty.
 *
 * <p>{@code ./lockstep-bench verdicts}
 */
public final class Verdicts {
    private static final int SEEDS = 400;
    private static final int MOST_FALSE = 27;
    private static final List<Double> PLANTED = List.of(0.0, 0.01, 0.02, 0.05);
    private static final int SETTINGS = 4;

    /** What is said about made runs: by verdict, whether it claims a difference. */
    @FunctionalInterface
    private interface Judge {
        Map<String, Boolean> claims(RandomGenerator random, double slower);
    }

    private final PrintStream out;
    private final Path scratch;
    private int worst;

    private Verdicts(PrintStream out, Path scratch) {
        this.out = out;
        this.scratch = scratch;
    }

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException {
        Path scratch = Samples.scratch();
        Verdicts verdicts = new Verdicts(new PrintStream(System.out, true, StandardCharsets.UTF_8), scratch);
        try {
            verdicts.run();
        } finally {
            Samples.delete(scratch);
        }
        System.exit(verdicts.worst > MOST_FALSE ? 1 : 0);
    }

    private void run() {
        out.println("| Verdict | Runs | false of " + SEEDS + " | found at 1 % | 2 % | 5 % |");
        out.println("|---|---|---|---|---|---|");
        for (CourseOfSteps course : CourseOfSteps.all()) {
            judge(course.words(), (random, slower) -> ofSteps(course, random, slower));
        }
        for (CourseOfKernels course : CourseOfKernels.all()) {
            judge(course.words(), (random, slower) -> ofKernels(course, random, slower));
        }
        for (CourseOfRanks course : CourseOfRanks.all()) {
            judge(course.words(), (random, slower) -> course.claims(random, slower, scratch));
        }
        for (CourseOfJobs course : CourseOfJobs.all()) {
            judge(course.words(), course::claims);
        }
        for (CourseOfFleet course : CourseOfFleet.all()) {
            judge(course.words(), course::claims);
        }
        for (CourseOfLaunches course : CourseOfLaunches.all()) {
            judge(course.words(), (random, slower) -> course.claims(random, slower, scratch));
        }
        for (CourseOfMemory course : CourseOfMemory.all()) {
            judge(course.words(), course::claims);
        }
        out.println();
        out.println("most false alarms: " + worst + "; bound: " + MOST_FALSE);
    }

    private void judge(String runs, Judge judge) {
        Map<String, List<Integer>> counts = new LinkedHashMap<>();
        for (int effect = 0; effect < PLANTED.size(); effect++) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                int place = effect;
                judge.claims(new SplittableRandom(seed), PLANTED.get(effect)).forEach((verdict, claims) -> {
                    List<Integer> own = counts.computeIfAbsent(verdict, v -> new ArrayList<>());
                    while (own.size() <= place) {
                        own.add(0);
                    }
                    own.set(place, own.get(place) + (claims ? 1 : 0));
                });
            }
        }
        counts.forEach((verdict, own) -> {
            worst = Math.max(worst, own.getFirst());
            StringBuilder row = new StringBuilder("| " + verdict + " | " + runs + " | " + own.getFirst());
            own.stream()
                    .skip(1)
                    .forEach(found -> row.append(String.format(Locale.ROOT, " | %d %%", 100 * found / SEEDS)));
            out.println(row + " |");
        });
    }

    private Map<String, Boolean> ofSteps(CourseOfSteps course, RandomGenerator random, double slower) {
        Map<String, Boolean> claims = new LinkedHashMap<>();
        List<RunSummary> settings = new ArrayList<>();
        for (int i = 0; i < SETTINGS; i++) {
            settings.add(course.run("setting " + i, random, i == 0 ? 0 : slower));
        }
        SweepCollectives collectives = SweepCollectives.of(settings);
        List<Finding> said =
                SweepFindings.of(SweepTimelines.of(settings, Averaging.MEAN).ranking(), collectives, settings);
        claims.put("`sweep all`: a setting is fastest", says(said, "sweep_best"));
        claims.put("`sweep all`: a collective gains by the right setting", says(said, "sweep_collective"));
        ConfigurationComparison compared =
                ConfigurationComparison.of(settings.subList(0, 2), new Options(Averaging.MEAN, 0));
        claims.put("`config compare`: total time", claims(compared.timelineChange(), "total_time"));
        claims.put("`config compare`: a part of it", claims(compared.timelineChange(), "computation_time"));
        claims.put(
                "`config compare`: hidden communication", claims(compared.dashboard(), "communication that is hidden"));
        claims.put("`config compare`: a collective", claims(compared.collectiveChange(), "allreduce"));
        claims.put(
                "`compare --fail-on-regression 0`",
                RunComparison.of(
                                List.of(course.report("a", random, 0), course.report("b", random, slower)),
                                sheet -> false)
                        .change(1)
                        .exceeds(0));
        DerivedCache baseline = new DerivedCache(course.trace(random, 0, scratch));
        DerivedCache candidate = new DerivedCache(course.trace(random, slower, scratch));
        claims.put(
                "`diff --fail-on-regression 0`",
                DifferenceReport.change(baseline, candidate, DifferenceReport.compare(baseline, candidate))
                                .low()
                        > 0);
        return claims;
    }

    private Map<String, Boolean> ofKernels(CourseOfKernels course, RandomGenerator random, double slower) {
        GemmPool.Result pool = course.pool(random, slower, scratch);
        Slowdown slowdown = pool.all().during();
        Map<String, Boolean> claims = new LinkedHashMap<>();
        claims.put("`gemm`: the interval of the effect", slowdown.low() > 0 || slowdown.high() < 0);
        claims.put(
                "`gemm`: a warning",
                pool.findings().stream().anyMatch(finding -> finding.severity() == Finding.Severity.PROBLEM));
        return claims;
    }

    private static boolean says(List<Finding> findings, String code) {
        return findings.stream().anyMatch(finding -> finding.code().equals(code));
    }

    /** Whether the row that is about this, in whatever column, is called better or worse. */
    private static boolean claims(Table table, String about) {
        for (int row = 0; row < table.rows(); row++) {
            boolean isAbout = false;
            boolean claims = false;
            for (int column = 0; column < table.schema().size(); column++) {
                if (table.columns().get(column) instanceof StringColumn texts) {
                    String text = String.valueOf(texts.get(row));
                    isAbout |= text.equals(about);
                    claims |= text.equals(Verdict.BETTER.toString()) || text.equals(Verdict.WORSE.toString());
                }
            }
            if (isAbout) {
                return claims;
            }
        }
        throw new IllegalStateException("no row about " + about);
    }
}
