// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.PlannedOperator;
import dev.lockstep.replay.plan.ReplayCoverage;
import dev.lockstep.replay.plan.ReplayCoverage.Missing;
import dev.lockstep.replay.plan.ReplayGap;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.replay.plan.ReplayResult;
import dev.lockstep.replay.plan.RoundTrip;
import dev.lockstep.replay.plan.SequenceRun;
import dev.lockstep.replay.plan.Timing;
import dev.lockstep.write.Unicode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the commands of a replay print. */
final class ReplayText {
    /** What the recorder says where the framework's profiler does not start. */
    static final String NO_PROFILER =
            "libtorch's profiler could not be started: the trace is the program's own, of the operators of a step one"
                    + " after the other; there is no execution trace";

    private static final int MOST_NAMES = 4;
    private static final int MOST_OPERATORS = 10;
    private static final int WORST_OPERATORS = 5;
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double PERCENT = 100;

    private ReplayText() {}

    static void plan(ReplayPlan plan, Path file, PrintWriter out) {
        ReplayCoverage planned = ReplayCoverage.planned(plan);
        out.println(String.format(
                Locale.ROOT,
                "%,d operator calls, %,d of them different; %d steps (%s)",
                planned.operatorCalls(),
                plan.operators().size(),
                plan.steps().count(),
                plan.steps().source()));
        if (plan.source().joined() >= 0) {
            out.println(String.format(
                    Locale.ROOT,
                    "%,d calls of the execution trace were found in the trace",
                    plan.source().joined()));
        }
        long substitutes = plan.operators().stream()
                .filter(o -> o.substitute() != null)
                .mapToLong(o -> o.counts().calls())
                .sum();
        if (substitutes > 0) {
            out.println(String.format(
                    Locale.ROOT, "%,d calls of vendors' operators have an equivalent for other devices", substitutes));
        }
        coverage(planned, "can be replayed", out);
        out.println();
        out.println("wrote " + file);
    }

    static void coverage(ReplayCoverage coverage, String what, PrintWriter out) {
        out.println(String.format(Locale.ROOT, "%.2f %% of %s %s", coverage.callsPercent(), counted(coverage), what)
                + (coverage.ns() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", with %.2f %% of the recorded time%s",
                                coverage.timePercent(),
                                local(coverage))));
        for (Missing missing : coverage.gaps()) {
            out.println(String.format(
                    Locale.ROOT,
                    "  not: %,d calls, %.3f ms: %s (%s)",
                    missing.calls(),
                    missing.ns() / NS_PER_MS,
                    missing.gap().words(),
                    names(missing)));
        }
    }

    private static String counted(ReplayCoverage coverage) {
        return coverage.callsInside() == 0
                ? "the calls"
                : String.format(
                        Locale.ROOT,
                        "%,d calls (%,d of operators, %,d inside them)",
                        coverage.calls(),
                        coverage.operatorCalls(),
                        coverage.callsInside());
    }

    /** Kernels of communication also wait for the others, so that they may be most of the recorded time. */
    private static String local(ReplayCoverage coverage) {
        long communication = coverage.gaps().stream()
                .filter(missing -> missing.gap() == ReplayGap.COLLECTIVE)
                .mapToLong(Missing::ns)
                .sum();
        long local = coverage.ns() - communication;
        return communication == 0 || local <= 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " (%.2f %% of that without communication)",
                        PERCENT * coverage.nsCovered() / local);
    }

    private static String names(Missing missing) {
        String some = missing.operators().entrySet().stream()
                .sorted(java.util.Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_NAMES)
                .map(e -> e.getValue() + " x " + e.getKey())
                .collect(Collectors.joining(", "));
        int more = missing.operators().size() - MOST_NAMES;
        return Unicode.line(more > 0 ? some + " and " + more + " more" : some);
    }

    static void result(ReplayResult result, Path file, PrintWriter out) {
        ReplayPlan plan = result.plan();
        List<OperatorRun> runs = result.runs();
        long noisy = runs.stream()
                .filter(run -> run.timing() != null && run.timing().isNoisy())
                .count();
        coverage(result.coverage(), "were replayed", out);
        ReplayResult.Sums sums = result.sums();
        out.println(String.format(
                Locale.ROOT,
                "the replayed calls take %.3f ms in all (median x calls); recorded were %.3f ms on the host and %.3f"
                        + " ms on the device",
                sums.replayed() / NS_PER_MS,
                sums.recordedCpu() / NS_PER_MS,
                sums.recordedDevice() / NS_PER_MS));
        order(result, out);
        if (noisy > 0) {
            out.println(String.format(
                    Locale.ROOT, "%d of %d operators scatter much: the machine was busy", noisy, runs.size()));
        }
        out.println();
        out.println(String.format(Locale.ROOT, "  %12s %9s %12s  %s", "median", "calls", "in all", "operator"));
        plan.operators().stream()
                .filter(operator -> runs.get(operator.id()).timing() != null)
                .sorted(Comparator.comparingLong(operator -> -total(operator, runs.get(operator.id()))))
                .limit(MOST_OPERATORS)
                .forEach(operator -> out.println(line(operator, runs.get(operator.id()))));
        out.println();
        out.println("wrote " + file);
    }

    private static void order(ReplayResult result, PrintWriter out) {
        SequenceRun run = result.inOrder();
        if (run == null) {
            return;
        }
        if (run.failure() != null) {
            out.println("they were not run in recorded order: " + run.failure());
            return;
        }
        Timing step = run.step();
        out.println(String.format(
                Locale.ROOT,
                "in recorded order they take %.3f ms in all; one step of %,d calls takes %.3f ms",
                result.sums().inOrder() / NS_PER_MS,
                result.plan().order().size(),
                (step == null ? 0 : step.median()) / NS_PER_MS));
    }

    static void recorded(RoundTrip trip, boolean hasExecutionTrace, Path folder, PrintWriter out) {
        roundTrip(trip, out);
        out.println();
        out.println("wrote " + WorkerSettings.TRACE + ", "
                + (hasExecutionTrace ? WorkerSettings.EXECUTION_TRACE + ", " : "")
                + "plan.json, result.json and round_trip.json into " + folder);
    }

    private static void roundTrip(RoundTrip trip, PrintWriter out) {
        coverage(trip.coverage(), "were replayed", out);
        out.println();
        share(trip.recorded(), "recorded on the host: " + trip.calls() + " calls, those inside others among them", out);
        share(-trip.waited(), "other programs had the processor meanwhile", out);
        share(-trip.profiler(), "the profiler's own cost", out);
        share(-trip.surroundings(), "alone instead of in recorded order: other caches, other memory", out);
        share(-trip.unexplained(), "unexplained", out);
        share(trip.replayed(), "replayed one by one, median x calls", out);
        out.println(String.format(
                Locale.ROOT,
                "the replay is %+.1f %% off the recorded time on a processor, %.3f ms",
                trip.differencePercent(),
                trip.onProcessor() / NS_PER_MS));
        out.println();
        out.println(String.format(
                Locale.ROOT, "  %11s %11s %11s %6s  %s", "recorded", "in order", "alone", "calls", "furthest apart"));
        trip.operators().stream().limit(WORST_OPERATORS).forEach(operator -> out.println(line(operator)));
    }

    private static void share(long ns, String what, PrintWriter out) {
        out.println(String.format(Locale.ROOT, "%12.3f ms  %s", ns / NS_PER_MS, what));
    }

    private static String line(RoundTrip.Operator operator) {
        return String.format(
                Locale.ROOT,
                "  %8.3f ms %8.3f ms %8.3f ms %6d  %s %s",
                operator.recorded() / NS_PER_MS,
                operator.inOrder() / NS_PER_MS,
                operator.replayed() / NS_PER_MS,
                operator.calls(),
                Unicode.line(operator.name()),
                operator.planned().call().shapes());
    }

    private static long total(PlannedOperator operator, OperatorRun run) {
        Timing timing = run.timing();
        return timing == null ? 0 : timing.median() * operator.counts().calls();
    }

    private static String line(PlannedOperator operator, OperatorRun run) {
        Timing timing = run.timing();
        return String.format(
                Locale.ROOT,
                "  %9.3f us %9d %9.3f ms  %s %s%s",
                (timing == null ? 0 : timing.median()) / NS_PER_US,
                operator.counts().calls(),
                total(operator, run) / NS_PER_MS,
                Unicode.line(operator.call().name()),
                operator.call().shapes(),
                run.substitution() == null ? "" : ", " + run.substitution());
    }
}
