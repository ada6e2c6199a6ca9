// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.work.FamilySummary.Row;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Recompute;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of {@link FamilySummary} over a trace. */
final class FamilyRun {
    private final FamilySummary summary;
    private final WorkRules rules;
    private final Map<String, FamilyRows> forward;
    private final Map<String, FamilyRows> backward;
    private final Trace trace;
    private final Slices slices;
    private final SubtreeActivity activity;
    private final CallTree tree;
    private final AutogradLinks autograd;
    private final BackwardActivity backwardActivity;
    private final Works works;
    private final @Nullable OpDetails details;
    private final @Nullable Recompute recompute;
    private final Overlapping.@Nullable Finder overlaps;

    FamilyRun(
            DerivedCache cache,
            FamilySummary summary,
            Map<String, FamilyRows> forward,
            Map<String, FamilyRows> backward) {
        this.summary = summary;
        this.rules = summary.rules();
        this.forward = forward;
        this.backward = backward;
        trace = cache.trace();
        slices = trace.slices();
        activity = cache.get(rules.activity());
        tree = cache.get(rules.base().tree());
        autograd = cache.get(rules.autograd());
        backwardActivity = new BackwardActivity(cache, rules);
        works = cache.get(new Works.Key(rules));
        details = trace.view(OpDetails.KEY);
        overlaps = summary.overlaps() == null
                ? null
                : Overlapping.finder(cache, rules.base(), summary.overlaps(), rules.seconds());
        recompute = summary.recompute()
                ? cache.get(new Recompute.Key(rules.base().tree(), rules.base().links()))
                : null;
    }

    /** All operators of the trace. */
    void addAll() {
        FamilyRows[] rowsOfName = new FamilyRows[trace.strings().size()];
        for (int op : operators()) {
            OpModel model = works.modelOf(op);
            if (model == null) {
                continue;
            }
            int name = slices.name(op);
            if (rowsOfName[name] == null) {
                rowsOfName[name] = forward.get(model.family());
            }
            if (rowsOfName[name] != null) {
                addForward(rowsOfName[name], op);
                if (rules.backward() && !autograd.isEmpty() && !summary.layout().single(model.family())) {
                    addBackward(model, op);
                }
            }
        }
    }

    /** Longest device time first. */
    List<Row> rows(FamilyRows rows, boolean derived) {
        return rows.groups().stream()
                .map(this::row)
                .filter(r -> !derived || summary.layout().derivesBackward(r.name(), false))
                .sorted(rules.longestFirst(Row::time, (Row r) -> r.figures().seconds())
                        .thenComparingLong(rules.fileOrder() ? Row::number : Row::firstStart)
                        .thenComparing(Row::name))
                .toList();
    }

    /** Whether operators of this name stand among the backward ones by themselves. */
    boolean isBackward(String name) {
        OpModel model = rules.models().of(name);
        return model != null && summary.layout().isBackward(name, model);
    }

    /** Operators whose names have models with sheets, in the order that the rules want. */
    private int[] operators() {
        IntList found = new IntList(256);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.CPU_OP && works.modelOfName(slices.name(i)) != null) {
                found.add(i);
            }
        }
        int[] order = found.toArray();
        if (rules.fileOrder()) {
            long[] places = new long[order.length];
            for (int i = 0; i < order.length; i++) {
                places[i] = slices.index(order[i]);
            }
            LongOrder.sort(places, order);
        }
        return order;
    }

    private void addForward(FamilyRows rows, int op) {
        Works.Outcome outcome = works.forward(op);
        if (outcome.work() != null) {
            add(rows, op, outcome, activity.sorted(activity.from(op), activity.to(op)));
        }
    }

    private void addBackward(OpModel model, int op) {
        if (!backwardActivity.hasAny(op) || !summary.layout().derivesBackward(trace.name(op), hasExplicit(model, op))) {
            return;
        }
        FamilyRows rows = backward.get(model.family());
        Works.Outcome outcome = works.backward(op);
        if (rows == null || outcome.work() == null) {
            return;
        }
        add(rows, op, outcome, backwardActivity.kernels(op));
    }

    /** @param kernels in order of start */
    private void add(FamilyRows rows, int op, Works.Outcome outcome, int[] kernels) {
        FamilyRows.Group group = rows.of(
                op,
                slices.name(op),
                outcome,
                summary.kernelCount() ? kernels.length : -1,
                recompute != null && recompute.contains(op));
        long busy = SubtreeActivity.busy(slices, kernels, 0, kernels.length);
        group.figures.add(rules.seconds(), slices, kernels, busy, outcome);
        group.positions.add(trace, kernels.length, k -> kernels[k]);
        if (overlaps != null) {
            group.overlapping.add(overlaps.of(kernels));
        }
    }

    /** Whether the backward pass of the operator holds one whose model is of the same family. */
    private boolean hasExplicit(OpModel model, int op) {
        for (int node : autograd.backwardOf(op)) {
            for (int i = tree.enter(node); i < tree.exit(node); i++) {
                int inner = tree.node(i);
                OpModel explicit = slices.kind(inner) == SliceKind.CPU_OP ? works.modelOf(inner) : null;
                if (explicit != null && explicit.family().equals(model.family()) && !works.lacks(inner)) {
                    return true;
                }
            }
        }
        return false;
    }

    private Row row(FamilyRows.Group group) {
        int op = group.first;
        OpModel model = works.modelOfName(slices.name(op));
        Track.Names track = rules.base().namesOf(trace.tracks().get(slices.track(op)));
        OpInputs inputs = OpInputs.of(details, op);
        PerfSummary.Signature first = new PerfSummary.Signature(
                trace.name(op),
                model == null ? "" : model.category(),
                track.process(),
                track.labels(),
                track.thread(),
                trace.strings().orNull(inputs.dims()),
                trace.strings().orNull(inputs.types()),
                trace.strings().orNull(inputs.strides()),
                trace.strings().orNull(inputs.concrete()));
        return new Row(
                trace.name(op),
                group.parameters,
                group.kernelCount,
                group.recompute,
                first,
                slices.ts(op),
                slices.index(op),
                group.figures.figures(),
                group.positions.positions(trace, rules.seconds()),
                overlaps == null ? null : group.overlapping.summary(trace));
    }
}
