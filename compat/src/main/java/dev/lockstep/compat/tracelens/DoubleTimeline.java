// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.MicrosecondDoubles;
import dev.lockstep.derive.Recompute;
import dev.lockstep.model.Slices;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The sheet {@code gpu_timeline} in doubles of microseconds, whose ends are rounded sums of start and duration: a few
 * nanoseconds beside the truth for each interval where the clock counts from long ago.
 */
final class DoubleTimeline {
    /** A part of the span, in µs, and its share in percent. */
    record Row(String type, double us, double percent, boolean recompute) {}

    private final DoubleSpans[] byClass = new DoubleSpans[KernelClass.values().length];
    private final DoubleSpans all = new DoubleSpans();

    private DoubleTimeline(DeviceActivity activity, Slices slices, IntPredicate counts) {
        for (int i = 0; i < byClass.length; i++) {
            byClass[i] = new DoubleSpans();
        }
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            if (counts.test(slice)) {
                double start = MicrosecondDoubles.start(slices, slice);
                double end = MicrosecondDoubles.end(slices, slice);
                byClass[activity.classOf(slice).ordinal()].add(start, end);
                all.add(start, end);
            }
        }
    }

    /** The sheet; none without device activity. */
    static List<Table> of(DerivedCache cache, AnalysisRules rules, long microIdleNs, boolean recompute) {
        DeviceActivity activity = cache.get(rules.activity());
        if (activity.size() == 0) {
            return List.of();
        }
        Slices slices = cache.trace().slices();
        List<Row> rows = new ArrayList<>();
        if (recompute) {
            Recompute again = cache.get(new Recompute.Key(rules.withPython(true).tree(), rules.links()));
            new DoubleTimeline(activity, slices, slice -> !again.contains(slice)).addTo(rows, microIdleNs, false);
            new DoubleTimeline(activity, slices, again::contains).addTo(rows, microIdleNs, true);
        } else {
            new DoubleTimeline(activity, slices, slice -> true).addTo(rows, microIdleNs, false);
        }
        return List.of(new Fields<Row>()
                .add(
                        ColumnSpec.text("type", "Part of the span between the first and the last device activity."),
                        Row::type)
                .add(ColumnSpec.real("time ms", Unit.MICROSECONDS, Unit.MILLISECONDS, "Time of the part."), Row::us)
                .add(ColumnSpec.percent("percent", "Share of the total."), Row::percent)
                .addIf(
                        recompute,
                        ColumnSpec.bool(
                                "is_recompute", "Whether the row counts what activation checkpointing ran again."),
                        Row::recompute)
                .table("gpu_timeline", "GPU timeline", rows));
    }

    /** The parts of the span of all device activity. */
    static List<Row> rows(DerivedCache cache, AnalysisRules rules) {
        List<Row> rows = new ArrayList<>();
        new DoubleTimeline(cache.get(rules.activity()), cache.trace().slices(), slice -> true).addTo(rows, -1, false);
        return rows;
    }

    private void addTo(List<Row> rows, long microIdleNs, boolean recompute) {
        DoubleSpans computation = of(KernelClass.COMPUTE);
        DoubleSpans communication = of(KernelClass.COMMUNICATION);
        DoubleSpans memory = of(KernelClass.MEMORY);
        DoubleSpans other = of(KernelClass.OTHER);
        double total = all.span();
        double idle = total - all.total();
        double exposedOther =
                other.minus(computation).minus(communication).minus(memory).total();
        List<Row> own = new ArrayList<>();
        own.add(row("computation_time", computation.total()));
        own.add(row("exposed_comm_time", communication.minus(computation).total()));
        own.add(row(
                "exposed_memcpy_time",
                memory.minus(computation).minus(communication).total()));
        if (exposedOther > 0) {
            own.add(row("exposed_other_time", exposedOther));
        }
        own.add(row("busy_time", all.total()));
        if (microIdleNs >= 0) {
            double micro = all.gapsBelow(MicrosecondDoubles.of(microIdleNs));
            own.add(row("micro_idle_time", micro));
            own.add(row("macro_idle_time", idle - micro));
        } else {
            own.add(row("idle_time", idle));
        }
        own.add(row("total_time", total));
        own.add(row("total_comm_time", communication.total()));
        own.add(row("total_memcpy_time", memory.total()));
        for (Row r : own) {
            rows.add(new Row(r.type, r.us, total == 0 ? 0 : r.us / total * 100, recompute));
        }
    }

    private static Row row(String type, double us) {
        return new Row(type, us, 0, false);
    }

    private DoubleSpans of(KernelClass kernelClass) {
        return byClass[kernelClass.ordinal()];
    }
}
