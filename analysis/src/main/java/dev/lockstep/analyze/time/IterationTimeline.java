// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.Iterations;
import dev.lockstep.derive.Iterations.Iteration;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.IterationAnnotation.Phase;
import dev.lockstep.model.Slices;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the device did for each iteration of a serving engine. Device activity belongs to the iteration in which it was
 * launched; what was launched outside of iterations belongs to none.
 *
 * @param rules definitions
 */
public record IterationTimeline(AnalysisRules rules) implements Analysis<IterationTimeline.Result> {
    private static final double NS_PER_S = 1e9;

    /**
     * One iteration.
     *
     * @param number counted from 0 in order of time
     * @param gap from the end of the device work of all before it to its own first start, in ns; 0 where they overlap
     * @param activities of the device
     */
    public record Row(int number, Iteration iteration, long gap, int activities, Parts parts) {
        /** What the iteration was for. */
        public Phase phase() {
            return iteration.annotation().phase();
        }

        /** Tokens that it computed; 0 where its annotation does not tell. */
        public long tokens() {
            return phase() == Phase.DIFFUSION ? 0 : iteration.annotation().tokens();
        }

        /** Device time from the end of what was before to its own end, in ns. */
        public long period() {
            return gap + parts.total();
        }
    }

    /** All iterations for one thing. Times are sums in ns. */
    public record PhaseRow(Phase phase, int iterations, long requests, long tokens, long total, long busy, long gaps) {
        /** Device time and the waiting before it. */
        public long period() {
            return total + gaps;
        }
    }

    /** The iterations that launched device work, and their sums by phase. */
    public record Result(List<Row> rows, List<PhaseRow> phases) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
            phases = List.copyOf(phases);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(phaseSheet(this), sheet(this));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty()
                    ? "no annotation of the trace marks iterations of a serving engine that launched device work"
                    : null;
        }

        /** Device time of all iterations and the waiting between them, in ns. */
        public long period() {
            return phases.stream().mapToLong(PhaseRow::period).sum();
        }
    }

    @Override
    public String id() {
        return "iterations";
    }

    @Override
    public Result run(DerivedCache cache) {
        Iterations iterations = cache.get(new Iterations.Key());
        DeviceActivity activity = cache.get(rules.activity());
        int n = iterations.all().size();
        if (n == 0 || activity.size() == 0) {
            return new Result(List.of(), List.of());
        }
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
        Slices slices = cache.trace().slices();
        int[] iterationOf = new int[activity.size()];
        int[] counts = new int[n];
        long[] starts = new long[n];
        long[] ends = new long[n];
        Arrays.fill(starts, Long.MAX_VALUE);
        Arrays.fill(ends, Long.MIN_VALUE);
        for (int i = 0; i < iterationOf.length; i++) {
            int slice = activity.slice(i);
            int launch = links.launchOf(slice);
            int at = launch < 0 ? -1 : iterations.at(slices.ts(launch));
            iterationOf[i] = at;
            if (at >= 0) {
                counts[at]++;
                starts[at] = Math.min(starts[at], slices.ts(slice));
                ends[at] = Math.max(ends[at], slices.end(slice));
            }
        }
        List<Parts> parts = GpuTimeline.parts(activity, n, i -> iterationOf[i], -1);
        List<Row> rows = new ArrayList<>();
        long free = Long.MAX_VALUE;
        for (int i = 0; i < n; i++) {
            if (counts[i] > 0) {
                rows.add(new Row(
                        rows.size(), iterations.all().get(i), Math.max(0, starts[i] - free), counts[i], parts.get(i)));
                free = free == Long.MAX_VALUE ? ends[i] : Math.max(free, ends[i]);
            }
        }
        return new Result(rows, phases(rows));
    }

    private static List<PhaseRow> phases(List<Row> rows) {
        List<PhaseRow> phases = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            List<Row> of = rows.stream().filter(r -> r.phase() == phase).toList();
            if (!of.isEmpty()) {
                phases.add(new PhaseRow(
                        phase,
                        of.size(),
                        of.stream()
                                .mapToLong(r -> r.iteration.annotation().requests())
                                .sum(),
                        of.stream().mapToLong(Row::tokens).sum(),
                        of.stream().mapToLong(r -> r.parts.total()).sum(),
                        of.stream().mapToLong(r -> r.parts.busy()).sum(),
                        of.stream().mapToLong(Row::gap).sum()));
            }
        }
        return phases;
    }

    private static Table phaseSheet(Result result) {
        long all = result.period();
        return new Fields<PhaseRow>()
                .add(
                        ColumnSpec.text(
                                "phase", "What the iterations were for: prefill, decode, mixed, diffusion, idle."),
                        r -> name(r.phase))
                .add(
                        ColumnSpec.count("iterations", "Number of iterations that launched device work."),
                        PhaseRow::iterations)
                .add(
                        ColumnSpec.count("requests", "Requests of all these iterations; images, for diffusion."),
                        PhaseRow::requests)
                .add(
                        ColumnSpec.count("tokens", "Tokens that were computed; missing where annotations do not tell."),
                        r -> orNull(r.tokens))
                .add(
                        millis(
                                "device ms",
                                "Time from the first start to the last end of an iteration's work, summed."),
                        PhaseRow::total)
                .add(millis(ColumnNames.BUSY_MS, "The part of it with any activity."), PhaseRow::busy)
                .add(millis("gap before ms", "Time without work of any iteration before these began."), PhaseRow::gaps)
                .add(
                        ColumnSpec.percent(
                                ColumnNames.SHARE_PERCENT,
                                "Device time and gaps of the phase, of those of all iterations."),
                        r -> all == 0 ? null : 100.0 * r.period() / all)
                .add(
                        perSecond("Tokens per second of device time and gaps of the phase."),
                        r -> perSecond(r.tokens, r.period()))
                .table("iterations_by_phase", "Iterations by phase", result.phases);
    }

    private static Table sheet(Result result) {
        return new Fields<Row>()
                .add(ColumnSpec.id("iteration", "Number of the iteration, from 0."), Row::number)
                .add(ColumnSpec.text("phase", "What it was for."), r -> name(r.phase()))
                .add(
                        ColumnSpec.count("prefill requests", "Requests whose prompt was read."),
                        r -> r.iteration.annotation().context().requests())
                .add(
                        ColumnSpec.count("decode requests", "Requests that produced tokens; images, for diffusion."),
                        r -> r.iteration.annotation().generation().requests())
                .add(
                        ColumnSpec.count(
                                "tokens", "Tokens that it computed; missing where its annotation does not tell."),
                        r -> orNull(r.tokens()))
                .add(millis("host ms", "Duration of the annotation on the host."), r -> r.iteration.duration())
                .add(
                        ColumnSpec.count(ColumnNames.DEVICE_ACTIVITIES, "Kernels, copies and fills launched in it."),
                        Row::activities)
                .add(
                        millis(
                                "gap before ms",
                                "From the end of the work of all iterations before to its first start."),
                        Row::gap)
                .add(millis("device ms", "From the first start to the last end of its work."), r -> r.parts.total())
                .add(millis(ColumnNames.BUSY_MS, "Time with any of its activities."), r -> r.parts.busy())
                .add(millis(ColumnNames.IDLE_MS, "Device time without busy."), r -> r.parts.idle())
                .add(
                        perSecond("Tokens per second of its device time and the gap before."),
                        r -> perSecond(r.tokens(), r.period()))
                .table("iterations", "Iterations", result.rows);
    }

    private static String name(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Long orNull(long tokens) {
        return tokens == 0 ? null : tokens;
    }

    private static @Nullable Double perSecond(long tokens, long ns) {
        return tokens == 0 || ns == 0 ? null : tokens * NS_PER_S / ns;
    }

    private static ColumnSpec perSecond(String doc) {
        return ColumnSpec.real("tokens/s", Unit.NONE, Unit.NONE, doc);
    }
}
