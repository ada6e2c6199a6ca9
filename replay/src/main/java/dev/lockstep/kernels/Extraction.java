// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.Launchers;
import dev.lockstep.derive.Steps;
import dev.lockstep.kernels.Content.Joined;
import dev.lockstep.kernels.KernelIdentity.Launch;
import dev.lockstep.kernels.KernelIdentity.Operator;
import dev.lockstep.kernels.UniqueKernel.Place;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.kernels.UniqueKernels.Totals;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.replay.plan.JoinedInputs;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run of {@link UniqueKernels}: numbers the groups that activities belong to, then sums up each. */
final class Extraction {
    private static final int NOTHING = -1;

    private final Trace trace;
    private final Slices slices;
    private final Selection selection;
    private final Set<KeyField> key;
    private final DeviceActivity activity;
    private final Launchers launchers;
    private final Steps steps;
    private final @Nullable DeviceDetails device;
    private final OperatorInputs inputs;
    private final @Nullable JoinedInputs joined;
    private final @Nullable CollectiveDetails collectives;
    private final IntTuples tuples = new IntTuples();
    private final LongIntMap groupOfTuple = new LongIntMap(256);
    private final LongIntMap numbers = new LongIntMap(64);

    /** By group: the slice that came first. */
    private final IntList first = new IntList(256);

    /** In order of start: activities that are kept, and the group of each. */
    private final IntList kept = new IntList(1024);

    private final IntList groupOf = new IntList(1024);
    private long excluded;
    private long deviceFiltered;

    Extraction(DerivedCache cache, AnalysisRules rules, Selection selection, @Nullable ExecutionTrace executed) {
        this.trace = cache.trace();
        this.slices = trace.slices();
        this.selection = selection;
        this.key = selection.key();
        this.activity = cache.get(new DeviceActivity.Key(rules.kernels(), null));
        this.launchers = cache.get(rules.launchers());
        this.steps = cache.get(new Steps.Key(selection.stepAnnotation()));
        this.device = trace.view(DeviceDetails.KEY);
        this.joined = executed == null ? null : JoinedInputs.of(executed, cache);
        this.inputs = new OperatorInputs(trace, joined);
        this.collectives = trace.view(CollectiveDetails.KEY);
    }

    Result run() {
        group();
        int groups = first.size();
        int[] from = new int[groups + 1];
        for (int i = 0; i < groupOf.size(); i++) {
            from[groupOf.get(i) + 1]++;
        }
        for (int g = 0; g < groups; g++) {
            from[g + 1] += from[g];
        }
        long[] durations = new long[kept.size()];
        int[] next = Arrays.copyOf(from, groups);
        for (int i = 0; i < kept.size(); i++) {
            durations[next[groupOf.get(i)]++] = slices.dur(activity.slice(kept.get(i)));
        }
        DurationHistogram histogram = DurationHistogram.of(durations);
        List<List<Place>> places = places(groups);
        CallsInSteps inSteps = inSteps();
        KernelCategories categories = selection.categories();
        List<UniqueKernel> found = new ArrayList<>(groups);
        for (int g = 0; g < groups; g++) {
            int slice = first.get(g);
            String name = trace.name(slice);
            found.add(new UniqueKernel(
                    g,
                    identity(slice),
                    activity.classOf(slice),
                    categories.of(name),
                    Tier.of(name),
                    from[g + 1] - from[g],
                    inSteps.of(g),
                    Durations.of(durations, from[g], from[g + 1]),
                    places.get(g)));
        }
        List<UniqueKernel> kernels = KernelOrder.numbered(found);
        int count = steps.steps().size();
        return new Result(
                key,
                new Totals(activity.size(), kept.size(), excluded, deviceFiltered),
                kernels,
                count,
                steps.source(),
                selection.forwards() > 0 || count > 0
                        ? UniqueKernels.forwards(selection.forwards(), count, steps.source(), kernels)
                        : null,
                histogram,
                launches(KernelOrder.newNumbers(found)),
                content());
    }

    private Content content() {
        if (joined == null) {
            return Content.KERNELS;
        }
        long launched = 0;
        long known = 0;
        for (int i = 0; i < kept.size(); i++) {
            int operator = operatorOf(activity.slice(kept.get(i)));
            if (operator >= 0) {
                launched++;
                known += inputs.shapes(operator) >= 0 ? 1 : 0;
            }
        }
        return new Content(
                null,
                new Joined(joined.source(), joined.nodes(), joined.joined(), joined.operators(), launched, known));
    }

    private Launches launches(int[] numbers) {
        int[] rows = new int[kept.size()];
        int[] kernels = new int[kept.size()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = activity.slice(kept.get(i));
            kernels[i] = numbers[groupOf.get(i)];
        }
        return new Launches(rows, kernels);
    }

    private void group() {
        byte[] judged = new byte[trace.strings().size()];
        boolean[] wanted = new boolean[activity.streams().size()];
        for (int s = 0; s < wanted.length; s++) {
            wanted[s] = selection.devices().isEmpty()
                    || selection.devices().contains(activity.streams().get(s).device());
        }
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            int name = slices.name(slice);
            if (judged[name] == 0) {
                judged[name] = (byte) (selection.excludes(trace.strings().get(name)) ? 2 : 1);
            }
            if (!wanted[activity.streamOf(i)]) {
                deviceFiltered++;
            } else if (judged[name] == 2) {
                excluded++;
            } else {
                int tuple = tuple(i, slice);
                int group = groupOfTuple.get(tuple);
                if (group < 0) {
                    group = first.size();
                    groupOfTuple.put(tuple, group);
                    first.add(slice);
                }
                kept.add(i);
                groupOf.add(group);
            }
        }
    }

    /** Equal for kernels that are the same. */
    private int tuple(int place, int slice) {
        int tuple = tuples.then(IntTuples.ROOT, slices.name(slice));
        tuple = tuples.then(tuple, slices.kind(slice).ordinal());
        tuple = tuples.then(tuple, where(place));
        tuple = tuples.then(tuple, key.contains(KeyField.DTYPE) ? dtype(slice) : NOTHING);
        return operatorTuple(launchTuple(tuple, slice), slice);
    }

    private int launchTuple(int tuple, int slice) {
        int row = device == null ? -1 : device.of(slice);
        if (device == null || row < 0) {
            return padded(tuple, 5);
        }
        int longer = tuples.then(tuple, number(device.bytes(row)));
        longer = tuples.then(longer, key.contains(KeyField.GRID) ? device.grid(row) : NOTHING);
        longer = tuples.then(longer, key.contains(KeyField.BLOCK) ? device.block(row) : NOTHING);
        longer = tuples.then(longer, key.contains(KeyField.SHARED_MEMORY) ? number(device.sharedMemory(row)) : NOTHING);
        return tuples.then(longer, key.contains(KeyField.REGISTERS) ? number(device.registers(row)) : NOTHING);
    }

    private int padded(int tuple, int places) {
        int longer = tuple;
        for (int i = 0; i < places; i++) {
            longer = tuples.then(longer, NOTHING);
        }
        return longer;
    }

    private int where(int place) {
        int stream = activity.streamOf(place);
        if (key.contains(KeyField.STREAM) && key.contains(KeyField.DEVICE)) {
            return stream;
        }
        if (!key.contains(KeyField.STREAM) && !key.contains(KeyField.DEVICE)) {
            return NOTHING;
        }
        DeviceActivity.Stream here = activity.streams().get(stream);
        for (int i = 0; i < stream; i++) {
            DeviceActivity.Stream other = activity.streams().get(i);
            boolean same = key.contains(KeyField.STREAM)
                    ? other.stream().equals(here.stream())
                    : other.device().equals(here.device());
            if (same) {
                return i;
            }
        }
        return stream;
    }

    private int dtype(int slice) {
        int row = collectives == null ? -1 : collectives.of(slice);
        return collectives == null || row < 0 ? NOTHING : collectives.dtype(row);
    }

    private int operatorTuple(int tuple, int slice) {
        int operator = operatorOf(slice);
        int longer =
                tuples.then(tuple, operator >= 0 && key.contains(KeyField.OPERATOR) ? slices.name(operator) : NOTHING);
        if (operator < 0) {
            return padded(longer, 3);
        }
        longer = tuples.then(longer, key.contains(KeyField.SHAPES) ? inputs.shapes(operator) : NOTHING);
        longer = tuples.then(longer, key.contains(KeyField.TYPES) ? inputs.types(operator) : NOTHING);
        return tuples.then(longer, key.contains(KeyField.STRIDES) ? inputs.strides(operator) : NOTHING);
    }

    /** The operator that launched the activity, or -1. */
    private int operatorOf(int slice) {
        int launcher = launchers.launcherOf(slice);
        return launcher >= 0 && slices.kind(launcher) == SliceKind.CPU_OP ? launcher : -1;
    }

    /** A small number for a long, -1 for one that is absent. */
    private int number(long value) {
        return value < 0 ? NOTHING : numbers.numberOf(value);
    }

    private KernelIdentity identity(int slice) {
        return new KernelIdentity(trace.name(slice), launch(slice), operator(slice));
    }

    private Launch launch(int slice) {
        int row = device == null ? -1 : device.of(slice);
        if (device == null || row < 0) {
            return new Launch(null, null, -1, -1, -1);
        }
        return new Launch(
                key.contains(KeyField.GRID) ? text(device.grid(row)) : null,
                key.contains(KeyField.BLOCK) ? text(device.block(row)) : null,
                key.contains(KeyField.SHARED_MEMORY) ? device.sharedMemory(row) : -1,
                device.bytes(row),
                key.contains(KeyField.REGISTERS) ? device.registers(row) : -1);
    }

    private Operator operator(int slice) {
        int launcher = operatorOf(slice);
        String name = launcher >= 0 && key.contains(KeyField.OPERATOR) ? trace.name(launcher) : null;
        if (launcher < 0) {
            return new Operator(name, null, null, null);
        }
        return new Operator(
                name,
                key.contains(KeyField.SHAPES) ? inputs.text(inputs.shapes(launcher)) : null,
                key.contains(KeyField.TYPES) ? inputs.text(inputs.types(launcher)) : null,
                key.contains(KeyField.STRIDES) ? inputs.text(inputs.strides(launcher)) : null);
    }

    private @Nullable String text(int id) {
        return trace.strings().orNull(id);
    }

    private List<List<Place>> places(int groups) {
        int streams = Math.max(1, activity.streams().size());
        LongIntMap at = new LongIntMap(groups * 2);
        IntList group = new IntList(groups);
        IntList stream = new IntList(groups);
        long[] calls = new long[Math.max(16, groups)];
        long[] ns = new long[calls.length];
        for (int i = 0; i < kept.size(); i++) {
            int where = activity.streamOf(kept.get(i));
            long pair = (long) groupOf.get(i) * streams + where;
            int place = at.get(pair);
            if (place < 0) {
                place = group.size();
                at.put(pair, place);
                group.add(groupOf.get(i));
                stream.add(where);
                if (place == calls.length) {
                    calls = Arrays.copyOf(calls, place * 2);
                    ns = Arrays.copyOf(ns, place * 2);
                }
            }
            calls[place]++;
            ns[place] += slices.dur(activity.slice(kept.get(i)));
        }
        List<List<Place>> places = new ArrayList<>(groups);
        for (int g = 0; g < groups; g++) {
            places.add(new ArrayList<>(1));
        }
        List<Integer> order = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingInt(stream::get));
        for (int place : order) {
            DeviceActivity.Stream where = activity.streams().get(stream.get(place));
            places.get(group.get(place)).add(new Place(where.device(), where.stream(), calls[place], ns[place]));
        }
        return places;
    }

    private CallsInSteps inSteps() {
        CallsInSteps calls = new CallsInSteps(steps.steps().size());
        for (int i = 0; i < kept.size(); i++) {
            calls.add(groupOf.get(i), stepOf(activity.slice(kept.get(i))));
        }
        return calls;
    }

    /** The step in which the activity was launched, or -1. */
    private int stepOf(int slice) {
        int launcher = launchers.launcherOf(slice);
        return steps.at(slices.ts(launcher >= 0 ? launcher : slice));
    }
}
