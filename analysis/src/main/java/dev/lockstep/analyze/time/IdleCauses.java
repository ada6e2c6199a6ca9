// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.NearestAround;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the host did while the device was idle: for every gap the annotation, Python frame, operator or call that covers
 * more than half of it (the innermost, on the thread that launched the work which ended the gap), summed by cause.
 *
 * <p>A gap whose next work had been launched before is nobody's on the host, unless the launching call itself lasts
 * through most of it.
 *
 * @param rules definitions
 */
public record IdleCauses(AnalysisRules rules) implements Analysis<IdleCauses.Result> {
    /**
     * Gaps with one cause, covered by slices of one name in frames of one name.
     *
     * @param kind null where no slice covers the gaps
     * @param name of what covers the gaps; for queued work, of the activity that waited; null where there is neither
     * @param frame the innermost annotation or Python frame around it; null where there is none
     * @param time length of all gaps in ns
     * @param longest length of the longest in ns
     * @param at start of the longest in ns
     */
    public record Row(
            IdleCause cause,
            @Nullable SliceKind kind,
            @Nullable String name,
            @Nullable String frame,
            long gaps,
            long time,
            long longest,
            long at) {}

    /** Gaps with one cause, and the largest of its rows. */
    public record Sum(IdleCause cause, long gaps, long time, long longest, Row largest) {}

    /** By time, longest first; and all idle time in ns. */
    public record Result(List<Row> rows, long idle, long span) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        /** The rows of each cause together, by time, longest first. */
        public List<Sum> byCause() {
            Map<IdleCause, Sum> sums = new EnumMap<>(IdleCause.class);
            for (Row row : rows) {
                sums.merge(
                        row.cause,
                        new Sum(row.cause, row.gaps, row.time, row.longest, row),
                        (a, b) -> new Sum(
                                a.cause, a.gaps + b.gaps, a.time + b.time, Math.max(a.longest, b.longest), a.largest));
            }
            return sums.values().stream()
                    .sorted(Comparator.comparingLong(Sum::time).reversed())
                    .toList();
        }

        @Override
        public List<Evidence> places(String sheet) {
            return rows.stream()
                    .map(row -> Evidence.place(row.cause.words(), row.at, row.at + row.longest, row.gaps))
                    .toList();
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(this));
        }

        @Override
        public @Nullable String notApplicable() {
            return span == 0
                    ? "the trace has no device activity that takes time"
                    : rows.isEmpty() ? "the device was never idle" : null;
        }
    }

    private static final Pattern STEP = Pattern.compile("ProfilerStep#\\d+");
    private static final Pattern ADDRESS = Pattern.compile(" at 0x[0-9a-f]+");

    private record Place(
            IdleCause cause,
            @Nullable SliceKind kind,
            @Nullable String name,
            @Nullable String frame) {}

    private static final class Gaps {
        private long count;
        private long time;
        private long longest;
        private long at;

        private void add(long length, long start) {
            count++;
            time += length;
            if (length > longest) {
                longest = length;
                at = start;
            }
        }
    }

    /** Where the host was in each gap. */
    private static final class Places {
        private final Trace trace;
        private final DeviceGaps gaps;
        private final LaunchLinks links;
        private final HostInGaps host;
        private final CauseRules named;

        /** Slices that are known for a cause. */
        private final NearestAround known;

        Places(DerivedCache cache, DeviceGaps gaps, LaunchLinks links) {
            this.trace = cache.trace();
            this.gaps = gaps;
            this.links = links;
            host = new HostInGaps(cache, gaps, links);
            named = cache.get(new CauseRules.Key());
            known = new NearestAround(
                    cache.get(new HostNesting.Key()), trace.slices().size(), slice -> named.named(slice) != null);
        }

        Place of(int gap) {
            int next = gaps.next(gap);
            int launch = links.launchOf(next);
            boolean queued = launch >= 0 && trace.slices().ts(launch) < gaps.start(gap);
            if (queued && !host.covers(launch, gap)) {
                return new Place(IdleCause.QUEUED, trace.slices().kind(next), trace.name(next), null);
            }
            if (!host.hostRecorded()) {
                return new Place(IdleCause.NO_HOST, trace.slices().kind(next), trace.name(next), null);
            }
            int slice = queued ? launch : host.slice(gap);
            if (slice < 0) {
                return new Place(host.several(gap) ? IdleCause.SEVERAL : IdleCause.UNRECORDED, null, null, null);
            }
            IdleCause cause = null;
            int told = -1;
            boolean settled = false; // an annotation tells it, and nothing around that is asked any more
            for (int around = known.of(slice); around >= 0 && !settled; around = known.beyond(around)) {
                IdleCause byName = host.covers(around, gap) ? named.named(around) : null;
                if (byName != null && (cause == null || cause == byName)) {
                    cause = byName;
                    told = around;
                    settled = trace.slices().kind(told) == SliceKind.ANNOTATION;
                }
            }
            int frame = host.frame(told >= 0 ? told : slice, gap);
            SliceKind kind = trace.slices().kind(slice);
            return new Place(
                    cause == null ? CauseRules.ofKind(kind) : cause,
                    kind,
                    named(trace, slice),
                    frame < 0 ? null : named(trace, frame));
        }
    }

    @Override
    public String id() {
        return "idle_causes";
    }

    @Override
    public Result run(DerivedCache cache) {
        DeviceGaps gaps = cache.get(new DeviceGaps.Key(rules.activity()));
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
        if (gaps.size() == 0) {
            return new Result(List.of(), 0, gaps.span());
        }
        Places places = new Places(cache, gaps, links);
        Map<Place, Gaps> sums = new HashMap<>();
        long idle = 0;
        for (int gap = 0; gap < gaps.size(); gap++) {
            sums.computeIfAbsent(places.of(gap), p -> new Gaps()).add(gaps.length(gap), gaps.start(gap));
            idle += gaps.length(gap);
        }
        return new Result(rows(sums), idle, gaps.span());
    }

    private static List<Row> rows(Map<Place, Gaps> sums) {
        List<Row> rows = new ArrayList<>();
        sums.forEach((place, gaps) -> rows.add(new Row(
                place.cause, place.kind, place.name, place.frame, gaps.count, gaps.time, gaps.longest, gaps.at)));
        Comparator<@Nullable String> text = Comparator.nullsFirst(Comparator.naturalOrder());
        rows.sort(Comparator.comparingLong(Row::time)
                .reversed()
                .thenComparing(Row::cause)
                .thenComparing(Row::name, text)
                .thenComparing(Row::frame, text)
                .thenComparingLong(Row::at));
        return rows;
    }

    /** What a slice is called: the profiler's steps have one name, and objects of Python no addresses. */
    private static String named(Trace trace, int slice) {
        String name = trace.name(slice);
        return switch (trace.slices().kind(slice)) {
            case ANNOTATION -> STEP.matcher(name).matches() ? "ProfilerStep#N" : name;
            case PYTHON -> ADDRESS.matcher(name).replaceAll("");
            default -> name;
        };
    }

    private static Table sheet(Result result) {
        return new Fields<Row>()
                .add(
                        ColumnSpec.text(
                                "cause",
                                "data_loader, allocation, synchronisation, …: what the name of the slice, or of one"
                                        + " around it, is known for; operator, call, python, annotation, host: its kind;"
                                        + " several: one slice after the other; queued: the work had been launched and"
                                        + " waited on the device; unrecorded: nothing was recorded of the thread that"
                                        + " launched next; no_host: nothing was recorded of the host."),
                        r -> r.cause.id())
                .add(
                        ColumnSpec.text(
                                "kind",
                                "Kind of the slice: annotation, python, cpu_op, runtime_call, driver_call, host_other;"
                                        + " for queued and no_host, of the activity that ends the gap. Missing for"
                                        + " several and unrecorded."),
                        r -> r.kind == null ? null : r.kind.name().toLowerCase(Locale.ROOT))
                .add(
                        ColumnSpec.text(
                                "name",
                                "The innermost slice that covers more than half of the gap, on the thread that launched"
                                        + " the work which ended it; for queued and no_host, the activity that ends the"
                                        + " gap. Missing for several and unrecorded."),
                        Row::name)
                .add(
                        ColumnSpec.text(
                                "frame or annotation",
                                "The Python frame or annotation that tells the cause, else the innermost that covers"
                                        + " more than half of the gap, which may be the slice itself; missing where there"
                                        + " is none."),
                        Row::frame)
                .add(ColumnSpec.count("gaps", "Number of moments in which no stream did anything."), Row::gaps)
                .add(millis("time ms", "Idle time in these gaps."), Row::time)
                .add(
                        ColumnSpec.percent("percent", "Share of all idle time."),
                        r -> result.idle == 0 ? 0.0 : 100.0 * r.time / result.idle)
                .add(micros("longest us", "Length of the longest of these gaps."), Row::longest)
                .add(
                        micros("example position us", "Where the longest of these gaps begins, as ts in the file."),
                        Row::at)
                .table("idle_causes", "Idle time by what the host did", result.rows);
    }
}
