// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.Recompute;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How the span of device activity divides into computation, exposed communication, exposed copies and idle time.
 *
 * <p>Over the unions of all activity of a class, on all streams and devices: computation counts whole; communication
 * counts where no computation runs; memory traffic where neither does; what is left between the first start and the
 * last end is idle. The parts add up to the total to the nanosecond.
 *
 * @param rules definitions
 * @param microIdleNs splits idle time into gaps below and from this length; -1 not to split
 * @param recompute whether the parts inside and outside of recomputation are told apart, each over its own span
 */
public record GpuTimeline(AnalysisRules rules, long microIdleNs, boolean recompute)
        implements Analysis<GpuTimeline.Result> {
    /**
     * The parts of one span, in ns.
     *
     * @param total from the first start to the last end
     * @param computation time with any computation
     * @param exposedCommunication time with communication and no computation
     * @param exposedMemory time with memory traffic and neither computation nor communication
     * @param exposedOther time with activity of no other class alone
     * @param communication time with any communication
     * @param memory time with any memory traffic
     * @param microIdle idle time in short gaps, -1 when not asked for
     * @param gaps number of gaps
     */
    public record Parts(
            long total,
            long computation,
            long exposedCommunication,
            long exposedMemory,
            long exposedOther,
            long communication,
            long memory,
            long microIdle,
            int gaps) {
        /** Time with any activity. */
        public long busy() {
            return computation + exposedCommunication + exposedMemory + exposedOther;
        }

        /** The columns of computation, what is exposed, busy and idle time. */
        static Fields<Parts> columns() {
            return new Fields<Parts>()
                    .add(millis(ColumnNames.COMPUTATION_MS, "Time with any computation."), Parts::computation)
                    .add(
                            millis(ColumnNames.EXPOSED_COMM_MS, "Communication while no computation runs."),
                            Parts::exposedCommunication)
                    .add(
                            millis(ColumnNames.EXPOSED_MEMCPY_MS, "Copies and fills while neither runs."),
                            Parts::exposedMemory)
                    .add(millis(ColumnNames.BUSY_MS, "Time with any activity."), Parts::busy)
                    .add(millis(ColumnNames.IDLE_MS, "Total without busy."), Parts::idle);
        }

        /** The same in a span of another length. */
        Parts lasting(long span) {
            return new Parts(
                    span,
                    computation,
                    exposedCommunication,
                    exposedMemory,
                    exposedOther,
                    communication,
                    memory,
                    microIdle,
                    gaps);
        }

        /** Time without any activity inside the span. */
        public long idle() {
            return total - busy();
        }
    }

    /** The parts; of several blocks, the first is outside of recomputation. */
    public record Result(List<Parts> blocks, boolean recompute) implements AnalysisResult {
        public Result {
            blocks = List.copyOf(blocks);
        }

        /** The span that percentages of time refer to. */
        public long total() {
            return blocks.isEmpty() ? 0 : blocks.getFirst().total;
        }

        /** The row of the sheet for a part, {@link #BUSY} for instance. */
        public Evidence row(String type) {
            List<Integer> lines = new ArrayList<>();
            List<Row> rows = rowsOf(this);
            for (int line = 0; line < rows.size(); line++) {
                if (rows.get(line).type.equals(type)) {
                    lines.add(line);
                }
            }
            return new Evidence.Rows(TableNames.GPU_TIMELINE, lines);
        }

        @Override
        public List<Table> tables() {
            return blocks.isEmpty() ? List.of() : List.of(sheet(this));
        }

        @Override
        public @Nullable String notApplicable() {
            return blocks.isEmpty() ? "the trace has no device activity" : null;
        }
    }

    /** Type of the row for time with any activity. */
    public static final String BUSY = TimelinePartNames.BUSY_TIME;

    /** Type of the row for time in which only communication ran. */
    public static final String EXPOSED_COMMUNICATION = TimelinePartNames.EXPOSED_COMM_TIME;

    /** Type of the row for time in which only copies and fills ran. */
    public static final String EXPOSED_COPIES = TimelinePartNames.EXPOSED_MEMCPY_TIME;

    private record Row(String type, long time, double percent, boolean recompute) {}

    @Override
    public String id() {
        return TableNames.GPU_TIMELINE;
    }

    @Override
    public Result run(DerivedCache trace) {
        DeviceActivity activity = trace.get(rules.activity());
        if (activity.size() == 0) {
            return new Result(List.of(), recompute);
        }
        if (!recompute) {
            return new Result(parts(activity, 1, i -> 0, microIdleNs), false);
        }
        Recompute again = trace.get(new Recompute.Key(rules.withPython(true).tree(), rules.links()));
        return new Result(parts(activity, 2, i -> again.contains(activity.slice(i)) ? 1 : 0, microIdleNs), true);
    }

    /**
     * The parts of the spans of groups of activities, each by itself.
     *
     * @param groupOf the group of the {@code i}-th activity, -1 for none
     */
    public static List<Parts> parts(DeviceActivity activity, int groups, IntUnaryOperator groupOf, long microIdleNs) {
        return activity.busyByClass(groups, groupOf).stream()
                .map(busy -> parts(busy, microIdleNs))
                .toList();
    }

    static Parts parts(Map<KernelClass, IntervalSet> busy, long microIdleNs) {
        IntervalSet computation = busy.getOrDefault(KernelClass.COMPUTE, IntervalSet.EMPTY);
        IntervalSet communication = busy.getOrDefault(KernelClass.COMMUNICATION, IntervalSet.EMPTY);
        IntervalSet memory = busy.getOrDefault(KernelClass.MEMORY, IntervalSet.EMPTY);
        IntervalSet other = busy.getOrDefault(KernelClass.OTHER, IntervalSet.EMPTY);
        IntervalSet working = computation.union(communication);
        IntervalSet moving = working.union(memory);
        IntervalSet all = moving.union(other);
        IntervalSet gaps = all.gaps();
        long micro = -1;
        if (microIdleNs >= 0) {
            micro = 0;
            for (int i = 0; i < gaps.size(); i++) {
                long gap = gaps.end(i) - gaps.start(i);
                micro += gap < microIdleNs ? gap : 0;
            }
        }
        return new Parts(
                all.span(),
                computation.total(),
                communication.minus(computation).total(),
                memory.minus(working).total(),
                other.minus(moving).total(),
                communication.total(),
                memory.total(),
                micro,
                gaps.size());
    }

    private static List<Row> rowsOf(Result result) {
        List<Row> rows = new ArrayList<>();
        for (int block = 0; block < result.blocks.size(); block++) {
            addRows(rows, result.blocks.get(block), block == 1);
        }
        return rows;
    }

    private static Table sheet(Result result) {
        return new Fields<Row>()
                .add(
                        ColumnSpec.text("type", "Part of the span between the first and the last device activity."),
                        Row::type)
                .add(
                        millis(
                                ColumnNames.TIME_MS,
                                "Time of the part. Computation, exposed communication, exposed copies and idle time"
                                        + " add up to the total; exposed means that nothing of the parts above runs."),
                        Row::time)
                .add(ColumnSpec.percent("percent", "Share of the total."), Row::percent)
                .addIf(
                        result.recompute,
                        ColumnSpec.bool(
                                ColumnNames.IS_RECOMPUTE,
                                "Whether the row counts what activation checkpointing ran again."),
                        Row::recompute)
                .table(TableNames.GPU_TIMELINE, "GPU timeline", rowsOf(result));
    }

    private static void addRows(List<Row> rows, Parts p, boolean recompute) {
        add(rows, TimelinePartNames.COMPUTATION_TIME, p.computation, p, recompute);
        add(rows, EXPOSED_COMMUNICATION, p.exposedCommunication, p, recompute);
        add(rows, EXPOSED_COPIES, p.exposedMemory, p, recompute);
        if (p.exposedOther > 0) {
            add(rows, TimelinePartNames.EXPOSED_OTHER_TIME, p.exposedOther, p, recompute);
        }
        add(rows, BUSY, p.busy(), p, recompute);
        if (p.microIdle >= 0) {
            add(rows, TimelinePartNames.MICRO_IDLE_TIME, p.microIdle, p, recompute);
            add(rows, TimelinePartNames.MACRO_IDLE_TIME, p.idle() - p.microIdle, p, recompute);
        } else {
            add(rows, TimelinePartNames.IDLE_TIME, p.idle(), p, recompute);
        }
        add(rows, TimelinePartNames.TOTAL_TIME, p.total, p, recompute);
        add(rows, TimelinePartNames.TOTAL_COMM_TIME, p.communication, p, recompute);
        add(rows, TimelinePartNames.TOTAL_MEMCPY_TIME, p.memory, p, recompute);
    }

    private static void add(List<Row> rows, String type, long time, Parts p, boolean recompute) {
        rows.add(new Row(type, time, p.total == 0 ? 0 : 100.0 * time / p.total, recompute));
    }
}
