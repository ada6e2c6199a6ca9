// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Annotations on the host by name; the numbered steps of the profiler count as one. Where the host has slices of no known
 * category alone, as in traces of other programs, these count.
 */
public record HostAnnotations() implements Analysis<HostAnnotations.Result> {
    private static final Pattern STEP = Pattern.compile("(ProfilerStep#)\\d+");

    /** Annotations of one name; times in ns. */
    public record Row(String name, long count, long total, long shortest, long longest, long first) {}

    /**
     * By total time, longest first.
     *
     * @param annotations whether they are annotations
     */
    public record Result(List<Row> rows, boolean annotations) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no annotations" : null;
        }
    }

    @Override
    public String id() {
        return "host_annotations";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        Slices slices = trace.slices();
        Map<String, Row> rows = new HashMap<>();
        SliceKind counted = hasKnownCategories(slices) ? SliceKind.ANNOTATION : SliceKind.HOST_OTHER;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == counted) {
                long dur = slices.dur(i);
                String name = STEP.matcher(trace.name(i)).replaceFirst("$1N");
                rows.merge(
                        name,
                        new Row(name, 1, dur, dur, dur, slices.ts(i)),
                        (a, b) -> new Row(
                                name,
                                a.count + 1,
                                a.total + b.total,
                                Math.min(a.shortest, b.shortest),
                                Math.max(a.longest, b.longest),
                                a.first));
            }
        }
        List<Row> sorted = new ArrayList<>(rows.values());
        sorted.sort(Comparator.comparingLong(Row::total).reversed().thenComparing(Row::name));
        return new Result(sorted, counted == SliceKind.ANNOTATION);
    }

    private static boolean hasKnownCategories(Slices slices) {
        for (int i = 0; i < slices.size(); i++) {
            switch (slices.kind(i)) {
                case HOST_OTHER, PROFILER_SPAN, OVERHEAD -> {}
                default -> {
                    return true;
                }
            }
        }
        return false;
    }

    private static Table sheet(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.text("name", "What the program or the framework called the range."), Row::name)
                .add(ColumnSpec.count("count", "Number of ranges."), Row::count)
                .add(
                        millis("total time ms", "Sum of the durations; ranges inside of others count in both."),
                        Row::total)
                .add(micros("mean us", "Mean duration."), r -> r.total / r.count)
                .add(micros("shortest us", "Shortest duration."), Row::shortest)
                .add(micros("longest us", "Longest duration."), Row::longest)
                .add(micros("first start us", "Begin of the first, as ts in the file."), Row::first)
                .table("host_annotations", "Annotations on the host", rows);
    }
}
