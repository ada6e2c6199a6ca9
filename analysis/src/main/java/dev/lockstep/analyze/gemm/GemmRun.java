// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.gemm.Gemm.Instance;
import dev.lockstep.analyze.gemm.GemmKernels.Group;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.Launchers;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.perfmodel.NotModelled;
import dev.lockstep.perfmodel.OpCall;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One run of {@link GemmVariance} over a trace. */
final class GemmRun {
    private static final double NS_PER_SECOND = 1e9;

    private final Trace trace;
    private final Slices slices;
    private final WorkRules rules;
    private final Launchers launchers;
    private final Steps steps;
    private final GemmKernels kernels;
    private final Map<String, Communication> communication;
    private final @Nullable OpDetails details;
    private final int warmSteps;

    GemmRun(DerivedCache cache, WorkRules rules) {
        this.rules = rules;
        trace = cache.trace();
        slices = trace.slices();
        launchers = cache.get(rules.base().launchers());
        steps = cache.get(new Steps.Key(null));
        details = trace.view(OpDetails.KEY);
        DeviceActivity activity = cache.get(rules.base().activity());
        communication = Communication.byDevice(trace, activity);
        kernels = new GemmKernels(cache, rules);
        warmSteps = WarmUp.steps(kernels, slices);
    }

    RankGemms result() {
        List<RankGemms.Entry> entries = new ArrayList<>();
        for (Group group : kernels.groups()) {
            entries.add(entry(group));
        }
        return new RankGemms(trace.info(), entries, warmSteps);
    }

    private RankGemms.Entry entry(Group group) {
        Communication near = Objects.requireNonNull(communication.get(group.stream.device()));
        IntList members = warm(group.members);
        LongList durations = new LongList(members.size());
        int shortest = members.get(0);
        int longest = shortest;
        long covered = 0;
        for (int k = 0; k < members.size(); k++) {
            int kernel = kernels.slice(members.get(k));
            long duration = slices.dur(kernel);
            durations.add(duration);
            covered += near.covered(slices.ts(kernel), slices.end(kernel));
            shortest = duration < duration(shortest) ? members.get(k) : shortest;
            longest = duration > duration(longest) ? members.get(k) : longest;
        }
        Comparison comparison =
                new Comparison(kernels, slices, members, near, text(group.operator, OpDetails.INPUT_DIMS) != null);
        LongList operators = operators(members);
        Gemm gemm = new Gemm(
                shape(group),
                group.stream.stream(),
                text(group.operator, OpDetails.CONCRETE_INPUTS),
                work(group.operator),
                Distribution.of(operators),
                perSecond(operators),
                DurationSpread.of(durations.toArray()),
                group.members.size() - members.size(),
                instance(shortest, near),
                instance(longest, near),
                new Gemm.Overlap(
                        covered,
                        comparison.during().slowdown(),
                        comparison.atStart().slowdown(),
                        comparison.isByPosition()));
        return new RankGemms.Entry(gemm, comparison.during(), comparison.atStart(), near);
    }

    /** The members outside of warm-up steps; all of them if there are no others. */
    private IntList warm(IntList members) {
        IntList kept = new IntList(members.size());
        for (int k = 0; k < members.size(); k++) {
            int step = kernels.step(members.get(k));
            if (step < 0 || step >= warmSteps) {
                kept.add(members.get(k));
            }
        }
        return kept.size() == 0 ? members : kept;
    }

    private long duration(int member) {
        return slices.dur(kernels.slice(member));
    }

    private Instance instance(int member, Communication near) {
        int kernel = kernels.slice(member);
        int step = kernels.step(member);
        return new Instance(
                slices.ts(kernel),
                slices.dur(kernel),
                step < 0 ? -1 : steps.steps().get(step).number(),
                near.during(slices.ts(kernel), slices.end(kernel)));
    }

    private GemmShape shape(Group group) {
        int op = group.operator;
        return new GemmShape(
                trace.name(group.firstKernel),
                op < 0 ? null : trace.name(op),
                text(op, OpDetails.INPUT_DIMS),
                text(op, OpDetails.INPUT_TYPES),
                text(op, OpDetails.INPUT_STRIDES));
    }

    private @Nullable String text(int op, int which) {
        int row = details == null || op < 0 ? -1 : details.of(op);
        if (details == null || row < 0) {
            return null;
        }
        return trace.strings()
                .orNull(
                        switch (which) {
                            case OpDetails.INPUT_DIMS -> details.inputDims(row);
                            case OpDetails.INPUT_TYPES -> details.inputTypes(row);
                            case OpDetails.INPUT_STRIDES -> details.inputStrides(row);
                            default -> details.concreteInputs(row);
                        });
    }

    /** Device time of the operators of these kernels, each once. */
    private LongList operators(IntList members) {
        LongList times = new LongList(members.size());
        LongIntMap seen = new LongIntMap(64);
        for (int k = 0; k < members.size(); k++) {
            int op = kernels.operator(members.get(k));
            if (op >= 0 && seen.put(op, 1) < 0) {
                times.add(launchers.directBusy(slices, launchers.indexOf(op)));
            }
        }
        return times;
    }

    private static RealDistribution perSecond(LongList times) {
        DoubleList rates = new DoubleList(times.size());
        for (int i = 0; i < times.size(); i++) {
            rates.add(NS_PER_SECOND / times.get(i));
        }
        return RealDistribution.of(rates);
    }

    private @Nullable Work work(int op) {
        OpModel model = op < 0 ? null : rules.models().of(trace.name(op));
        if (model == null) {
            return null;
        }
        OpCall call = OpCall.of(
                        trace.name(op),
                        text(op, OpDetails.INPUT_DIMS),
                        text(op, OpDetails.INPUT_TYPES),
                        text(op, OpDetails.INPUT_STRIDES),
                        text(op, OpDetails.CONCRETE_INPUTS))
                .withKernels(names(launchers.indexOf(op)));
        try {
            return model.accepts(call) ? model.forward(call) : null;
        } catch (NotModelled e) {
            return null;
        }
    }

    private List<String> names(int launcher) {
        List<String> names = new ArrayList<>();
        for (int k = 0; k < launchers.activityCount(launcher); k++) {
            names.add(trace.name(launchers.activity(launcher, k)));
        }
        return names;
    }
}
