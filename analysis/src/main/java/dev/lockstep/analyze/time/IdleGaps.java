// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.Slices;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why the device was idle: every moment without any activity on any stream, by length of the gap and by what ended it.
 *
 * <p>A gap is the host's when the activity that ends it was launched after the gap had begun: the device had nothing to
 * do. It is a queue's when the launch came before: the work waited on the device, for another stream or for the
 * machinery of launching. Without a known launch the cause is unknown.
 *
 * @param rules definitions
 */
public record IdleGaps(AnalysisRules rules) implements Analysis<IdleGaps.Result> {
    /** Why a gap ended no earlier. */
    public enum Cause {
        /** The host launched the next work only after the device had run dry. */
        HOST_LATE,
        /** The next work had been launched, but waited on the device. */
        QUEUED,
        /** The launch of the next work is not in the trace. */
        UNKNOWN
    }

    /** Gaps of one cause and one range of lengths; {@code below} is the exclusive upper end in ns. */
    public record Row(Cause cause, long from, long below, int count, long time) {}

    /** The gaps by cause and length, and the span they lie in. */
    public record Result(List<Row> rows, long span) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        /** Number of gaps of a cause shorter than this. */
        public int count(@Nullable Cause cause, long below) {
            return rows.stream()
                    .filter(r -> matches(r, cause, below))
                    .mapToInt(Row::count)
                    .sum();
        }

        /** Time in gaps of a cause shorter than this. */
        public long time(@Nullable Cause cause, long below) {
            return rows.stream()
                    .filter(r -> matches(r, cause, below))
                    .mapToLong(Row::time)
                    .sum();
        }

        private static boolean matches(Row row, @Nullable Cause cause, long below) {
            return (cause == null || row.cause == cause) && row.below <= below;
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

    /** Gaps shorter than this, in ns, are of the kind that launching costs. */
    public static final long SHORT_NS = 20_000;

    private static final long[] EDGES = {0, 5_000, SHORT_NS, 100_000, 1_000_000, 10_000_000, 100_000_000, Long.MAX_VALUE
    };

    @Override
    public String id() {
        return TableNames.IDLE_GAPS;
    }

    @Override
    public Result run(DerivedCache trace) {
        DeviceGaps gaps = trace.get(new DeviceGaps.Key(rules.activity()));
        LaunchLinks links = trace.get(new LaunchLinks.Key(rules.links()));
        Slices slices = trace.trace().slices();
        int causes = Cause.values().length;
        int[][] counts = new int[causes][EDGES.length];
        long[][] times = new long[causes][EDGES.length];
        for (int gap = 0; gap < gaps.size(); gap++) {
            int launch = links.launchOf(gaps.next(gap));
            Cause cause =
                    launch < 0 ? Cause.UNKNOWN : slices.ts(launch) >= gaps.start(gap) ? Cause.HOST_LATE : Cause.QUEUED;
            int range = range(gaps.length(gap));
            counts[cause.ordinal()][range]++;
            times[cause.ordinal()][range] += gaps.length(gap);
        }
        List<Row> rows = new ArrayList<>();
        for (Cause cause : Cause.values()) {
            for (int range = 0; range + 1 < EDGES.length; range++) {
                int count = counts[cause.ordinal()][range];
                if (count > 0) {
                    rows.add(new Row(cause, EDGES[range], EDGES[range + 1], count, times[cause.ordinal()][range]));
                }
            }
        }
        return new Result(rows, gaps.span());
    }

    private static int range(long gap) {
        int range = 0;
        while (gap >= EDGES[range + 1]) {
            range++;
        }
        return range;
    }

    private static Table sheet(Result result) {
        return new Fields<Row>()
                .add(
                        ColumnSpec.text(
                                "cause",
                                "host_late: launched after the device ran dry; queued: launched before, but waited"
                                        + " on the device; unknown: no launch in the trace."),
                        r -> r.cause.name().toLowerCase(Locale.ROOT))
                .add(micros(ColumnNames.FROM_US, "Least length of these gaps."), Row::from)
                .add(
                        micros("below us", "Length that these gaps stay below; missing for the longest."),
                        r -> r.below == Long.MAX_VALUE ? null : r.below)
                .add(ColumnSpec.count("gaps", "Number of moments in which no stream did anything."), Row::count)
                .add(millis(ColumnNames.TIME_MS, "Idle time in these gaps."), Row::time)
                .add(
                        ColumnSpec.percent(
                                "percent", "Share of the time between the first and the last device activity."),
                        r -> result.span == 0 ? 0.0 : 100.0 * r.time / result.span)
                .table(TableNames.IDLE_GAPS, "Idle time by cause and length", result.rows);
    }
}
