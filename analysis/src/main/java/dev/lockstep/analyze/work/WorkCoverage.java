// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.perfmodel.NotModelled;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * For how much of the device time the work is known. Every activity counts once, with its duration, so that the parts add
 * up to the sum of all durations.
 *
 * @param rules definitions; those that leave communication out leave it out here, too
 */
public record WorkCoverage(WorkRules rules) implements Analysis<WorkCoverage.Result> {
    /** What is known about activities. */
    public enum Part {
        /** A model knows the work of the operator. */
        MODELLED,
        /** There is no model of the operator. */
        NOT_MODELLED,
        /** There is a model, but something that it needs was not recorded, though the recording has shapes. */
        INCOMPLETE,
        /** The recording has no shapes of inputs at all, so that no model could know. */
        NO_SHAPES,
        /** Launched outside of operators, so that there are no arguments. */
        NO_OPERATOR,
        /** Copies and fills by the driver that belong to no operator with a model. They move bytes and compute nothing. */
        COPY,
        /** Collectives and other traffic between devices, which have no work to model. */
        COMMUNICATION,
        /** The launching call is not known. */
        NO_LAUNCH;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Activities that are alike.
     *
     * @param family of the model; the operator's name where there is none; empty without a launch
     * @param missing what the model lacked; empty where that is not the reason
     * @param operators number of operators
     * @param time sum of the durations in ns
     */
    public record Row(Part part, String family, String missing, long operators, long time) {}

    /**
     * The rows of {@code byFamily} add up to {@code total}; {@code notModelled} are operators by name. Both by time.
     *
     * @param total sum of the durations of all activities in ns
     */
    public record Result(List<Row> byFamily, List<Row> notModelled, long total) implements AnalysisResult {
        public Result {
            byFamily = List.copyOf(byFamily);
            notModelled = List.copyOf(notModelled);
        }

        /** Sum of the durations of a part in ns. */
        public long time(Part part) {
            return byFamily.stream()
                    .filter(r -> r.part == part)
                    .mapToLong(Row::time)
                    .sum();
        }

        @Override
        public List<Table> tables() {
            return byFamily.isEmpty()
                    ? List.of()
                    : List.of(
                            sheet(
                                    TableNames.WORK_COVERAGE,
                                    "Device time by what is known of the work",
                                    "family",
                                    byFamily,
                                    total),
                            sheet(
                                    "work_not_modelled",
                                    "Operators whose work is not known",
                                    "name",
                                    notModelled,
                                    total));
        }

        @Override
        public @Nullable String notApplicable() {
            return byFamily.isEmpty() ? "the trace has no device activity" : null;
        }
    }

    private record Key(Part part, String family, String missing) {
        private Key(Part part) {
            this(part, "", "");
        }
    }

    private static final class Sum {
        private long operators;
        private long time;
    }

    @Override
    public String id() {
        return TableNames.WORK_COVERAGE;
    }

    @Override
    public Result run(DerivedCache cache) {
        Map<Key, Sum> families = new HashMap<>();
        Map<Key, Sum> names = new HashMap<>();
        PerfEvents events = cache.get(new PerfEvents.Key(rules));
        Works works = cache.get(new Works.Key(rules));
        SubtreeActivity activity = cache.get(rules.activity());
        DeviceActivity all = cache.get(new DeviceActivity.Key(rules.base().kernels(), null));
        Trace trace = cache.trace();
        Slices slices = trace.slices();
        boolean shapes = recordsShapes(trace);
        for (int i = 0; i < events.size(); i++) {
            int origin = events.forward(i);
            OpModel model = origin >= 0 ? works.modelOf(origin) : events.model(i);
            Works.@Nullable Outcome outcome =
                    model == null ? null : origin >= 0 ? works.backward(origin) : works.forward(events.op(i));
            boolean known = outcome != null && outcome.work() != null;
            long traffic = 0;
            long copied = 0;
            long time = 0;
            for (int k = events.from(i); k < events.to(i); k++) {
                int slice = activity.activity(k);
                KernelClass what = known ? KernelClass.COMPUTE : all.classOf(slice);
                traffic += what == KernelClass.COMMUNICATION ? slices.dur(slice) : 0;
                copied += what == KernelClass.MEMORY ? slices.dur(slice) : 0;
                time += what == KernelClass.COMMUNICATION || what == KernelClass.MEMORY ? 0 : slices.dur(slice);
            }
            if (traffic > 0) {
                add(families, new Key(Part.COMMUNICATION), traffic);
            }
            if (copied > 0) {
                add(families, new Key(Part.COPY), copied);
            }
            if (known && model != null) {
                add(families, new Key(Part.MODELLED, model.family(), ""), time);
            } else if (time > 0 || traffic == 0 && copied == 0) {
                NotModelled reason = reason(works, slices, events.op(i), outcome);
                Part part = unknown(slices.kind(events.op(i)), shapes, reason != null);
                add(families, new Key(part), time);
                String missing = reason == null || part != Part.INCOMPLETE ? "" : String.valueOf(reason.getMessage());
                add(names, new Key(part, trace.name(events.op(i)), missing), time);
            }
        }
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.base().links()));
        long total = 0;
        for (int i = 0; i < all.size(); i++) {
            int slice = all.slice(i);
            total += slices.dur(slice);
            if (links.launchOf(slice) < 0) {
                boolean copies = all.classOf(slice) == KernelClass.MEMORY;
                add(families, new Key(copies ? Part.COPY : Part.NO_LAUNCH), slices.dur(slice));
            }
        }
        return new Result(rows(families), rows(names), total);
    }

    /** What the model of the operator lacked, also where it does not take the call; null where there is none. */
    private static @Nullable NotModelled reason(Works works, Slices slices, int op, Works.@Nullable Outcome outcome) {
        Works.Outcome asked =
                outcome != null || slices.kind(op) != SliceKind.CPU_OP || works.modelOfName(slices.name(op)) == null
                        ? outcome
                        : works.forward(op);
        return asked == null || asked.notImplemented() ? null : asked.reason();
    }

    /** Why the work of an operator, or of a call outside of operators, is not known. */
    private static Part unknown(SliceKind kind, boolean shapes, boolean modelled) {
        if (kind.isLaunchCall()) {
            return Part.NO_OPERATOR;
        }
        return !shapes ? Part.NO_SHAPES : modelled ? Part.INCOMPLETE : Part.NOT_MODELLED;
    }

    /** Whether the recording has shapes of any inputs. */
    private static boolean recordsShapes(Trace trace) {
        OpDetails details = trace.view(OpDetails.KEY);
        for (int row = 0; details != null && row < details.size(); row++) {
            if (details.inputDims(row) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static void add(Map<Key, Sum> sums, Key key, long time) {
        Sum sum = sums.computeIfAbsent(key, k -> new Sum());
        sum.operators++;
        sum.time += time;
    }

    private static List<Row> rows(Map<Key, Sum> sums) {
        List<Row> rows = new ArrayList<>();
        sums.forEach((key, sum) -> rows.add(new Row(key.part, key.family, key.missing, sum.operators, sum.time)));
        rows.sort(Comparator.comparingLong(Row::time)
                .reversed()
                .thenComparing(Row::part)
                .thenComparing(Row::family)
                .thenComparing(Row::missing));
        return rows;
    }

    private static Table sheet(String name, String title, String subject, List<Row> rows, long total) {
        return new Fields<Row>()
                .add(
                        ColumnSpec.text(
                                "work",
                                "modelled: a model knows the work; not_modelled: there is no model of the operator;"
                                        + " incomplete: there is one, but something that it needs was not recorded;"
                                        + " no_shapes: the recording has no shapes of inputs, as PyTorch writes them with record_shapes=True;"
                                        + " no_operator: launched outside of operators; copy: copies and fills by the"
                                        + " driver, of no operator with a model; communication; no_launch: the"
                                        + " launching call is not known."),
                        r -> r.part.word())
                .add(
                        ColumnSpec.text(
                                subject,
                                subject.equals("family")
                                        ? "Family of the model; missing where there is none."
                                        : "Name of the operator, or of the call outside of operators."),
                        r -> r.family.isEmpty() ? null : r.family)
                .addIf(
                        subject.equals("name"),
                        ColumnSpec.text("missing", "What the model lacks, where there is one."),
                        r -> r.missing.isEmpty() ? null : r.missing)
                .add(
                        ColumnSpec.count("count", "Number of operators, or of activities without a launch."),
                        Row::operators)
                .add(millis("activity time ms", "Sum of the durations of kernels, copies and fills."), Row::time)
                .add(
                        ColumnSpec.percent("percent", "Share of the durations of all device activity."),
                        r -> total == 0 ? 0.0 : 100.0 * r.time / total)
                .table(name, title, rows);
    }
}
