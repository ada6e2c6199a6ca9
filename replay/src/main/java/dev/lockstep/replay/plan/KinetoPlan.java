// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.Nesting;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.replay.plan.PlannedOperator.Call;
import dev.lockstep.replay.plan.ReplayPlan.Source;
import dev.lockstep.replay.plan.ReplayPlan.StepCount;
import dev.lockstep.replay.plan.ReplayPlan.TimeBasis;
import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans from traces of PyTorch's profiler that hold the shapes of inputs. */
public final class KinetoPlan {
    private record Key(int name, int shapes, int types, int strides, int values) {}

    private final Trace trace;
    private final Slices slices;
    private final KinetoCalls calls;
    private final Units units;
    private final OperatorNames names = new OperatorNames();
    private final PlanBuilder builder = new PlanBuilder();
    private final Map<Key, PlanBuilder.Entry> entries = new HashMap<>();
    private final Map<Key, KinetoInputs.Parsed> parsed = new HashMap<>();
    private final ElementType listType;
    private final Steps steps;

    private KinetoPlan(DerivedCache cache) {
        trace = cache.trace();
        slices = trace.slices();
        calls = new KinetoCalls(cache);
        listType = listType(trace);
        units = new Units(new Judged(), names);
        steps = cache.get(new Steps.Key(null));
    }

    /** The plan of a trace. Operators whose shapes were not recorded stand in it with that reason. */
    public static ReplayPlan of(DerivedCache cache) {
        return new KinetoPlan(cache).build();
    }

    private ReplayPlan build() {
        PlanBuilder.Entry[] entryOf = new PlanBuilder.Entry[calls.size()];
        for (int i : calls.inTime()) {
            switch (units.roleOf(i)) {
                case UNIT -> {
                    PlanBuilder.Entry entry = entry(i);
                    entryOf[i] = entry;
                    int step = steps.at(slices.ts(calls.slice(i)));
                    entry.called(step >= 0);
                    if (steps.steps().isEmpty() || step == steps.steps().size() / 2) {
                        builder.next(entry);
                    }
                    entry.cpu(slices.dur(calls.slice(i)));
                    if (calls.hasDeviceWork()) {
                        entry.deviceKnown();
                    }
                }
                case CONTAINER -> builder.container(calls.name(i));
                case INSIDE, MARK -> {
                    // with its unit, or nothing to run
                }
            }
        }
        for (int i = 0; i < calls.size(); i++) {
            if (units.roleOf(i) == Units.Role.INSIDE && units.isLeafOperator(i)) {
                entryOf[units.unit(i)].inside();
            }
        }
        deviceWork(entryOf);
        return builder.build(
                new Source(trace.info().source(), null, -1, calls.hasDeviceWork() ? TimeBasis.DEVICE : TimeBasis.CPU),
                new StepCount(steps.steps().size(), steps.source().name().toLowerCase(Locale.ROOT)));
    }

    private void deviceWork(PlanBuilder.Entry[] entryOf) {
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        StringPool strings = trace.strings();
        for (int slice = 0; slice < slices.size(); slice++) {
            if (!slices.kind(slice).isDeviceActivity()) {
                continue;
            }
            int call = calls.launcherOf(slice);
            int unit = call < 0 ? -1 : units.unit(call);
            if (unit < 0) {
                builder.unattributed(slices.dur(slice));
                continue;
            }
            int row = details == null ? -1 : details.of(slice);
            entryOf[unit].kernel(
                    trace.name(slice),
                    details == null || row < 0 ? null : strings.orNull(details.grid(row)),
                    details == null || row < 0 ? null : strings.orNull(details.block(row)),
                    slices.dur(slice));
        }
    }

    private Key key(int call) {
        int slice = calls.slice(call);
        OpDetails details = trace.view(OpDetails.KEY);
        int row = details == null ? -1 : details.of(slice);
        return details == null || row < 0
                ? new Key(slices.name(slice), -1, -1, -1, -1)
                : new Key(
                        slices.name(slice),
                        details.inputDims(row),
                        details.inputTypes(row),
                        details.inputStrides(row),
                        details.concreteInputs(row));
    }

    private PlanBuilder.Entry entry(int call) {
        return entries.computeIfAbsent(key(call), key -> {
            String name = trace.strings().get(key.name);
            KinetoInputs.Parsed arguments = parsed(key);
            return builder.entry(
                    new Call(name, null, WrappedNumbers.unwrapped(name, arguments.arguments())),
                    gap(names, name, arguments.gap()));
        });
    }

    private KinetoInputs.Parsed parsed(Key key) {
        StringPool strings = trace.strings();
        return parsed.computeIfAbsent(
                key,
                k -> KinetoInputs.parse(
                        strings.orNull(k.shapes),
                        strings.orNull(k.types),
                        strings.orNull(k.strides),
                        strings.orNull(k.values),
                        listType));
    }

    static @Nullable ReplayGap gap(OperatorNames names, String name, @Nullable ReplayGap ofArguments) {
        if (names.isCollective(name)) {
            return ReplayGap.COLLECTIVE;
        }
        if (!names.isOperator(name)) {
            return ReplayGap.COMPILED_CODE;
        }
        return OperatorNames.isRefused(name) ? ReplayGap.REFUSED : ofArguments;
    }

    /** The floating-point type that most operators' first tensors have. */
    private static ElementType listType(Trace trace) {
        OpDetails details = trace.view(OpDetails.KEY);
        if (details == null) {
            return ElementType.FLOAT32;
        }
        Map<Integer, long[]> counts = new HashMap<>();
        for (int row = 0; row < details.size(); row++) {
            counts.computeIfAbsent(details.inputTypes(row), t -> new long[1])[0]++;
        }
        long[] byType = new long[ElementType.values().length];
        counts.forEach((types, count) -> {
            String text = trace.strings().orNull(types);
            for (ElementType type : ElementType.values()) {
                if (text != null && type.isFloating() && KinetoInputs.begins(text, type)) {
                    byType[type.ordinal()] += count[0];
                }
            }
        });
        int best = ElementType.FLOAT32.ordinal();
        for (int i = 0; i < byType.length; i++) {
            if (byType[i] > byType[best]) {
                best = i;
            }
        }
        return ElementType.values()[best];
    }

    /** The calls, and whether their arguments are of use. */
    private final class Judged implements Units.Calls {
        @Override
        public int size() {
            return calls.size();
        }

        @Override
        public int parent(int call) {
            return calls.parent(call);
        }

        @Override
        public String name(int call) {
            return calls.name(call);
        }

        @Override
        public boolean launches(int call) {
            return calls.launches(call);
        }

        @Override
        public boolean hasInputs(int call) {
            return calls.hasInputs(call);
        }

        @Override
        public boolean isBlocked(int call) {
            return parsed(key(call)).gap() != null;
        }
    }

    /** The operators of a trace, in the order in which the tree is walked. */
    static final class KinetoCalls {
        private final Trace trace;
        private final int[] slice;
        private final int[] parent;
        private final boolean[] launches;
        private final int[] launcher;
        private boolean deviceWork;

        KinetoCalls(DerivedCache cache) {
            trace = cache.trace();
            Slices slices = trace.slices();
            CallTree tree = cache.get(new CallTree.Key(Nesting.BY_TIME, false));
            IntList found = new IntList(tree.size());
            int[] number = new int[slices.size()];
            Arrays.fill(number, -1);
            for (int i = 0; i < tree.size(); i++) {
                int node = tree.node(i);
                if (slices.kind(node) == SliceKind.CPU_OP) {
                    number[node] = found.size();
                    found.add(node);
                } else if (tree.parent(node) >= 0) {
                    number[node] = number[tree.parent(node)];
                }
            }
            slice = found.toArray();
            parent = new int[slice.length];
            launches = new boolean[slice.length];
            for (int i = 0; i < slice.length; i++) {
                int around = tree.parent(slice[i]);
                parent[i] = around < 0 ? -1 : number[around];
            }
            launcher = new int[slices.size()];
            Arrays.fill(launcher, -1);
            LaunchLinks links = cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION));
            for (int i = 0; i < slices.size(); i++) {
                if (slices.kind(i).isDeviceActivity()) {
                    deviceWork = true;
                    int call = links.launchOf(i);
                    launcher[i] = call < 0 ? -1 : number[call];
                    if (launcher[i] >= 0) {
                        launches[launcher[i]] = true;
                    }
                }
            }
        }

        int size() {
            return slice.length;
        }

        int parent(int call) {
            return parent[call];
        }

        String name(int call) {
            return trace.name(slice[call]);
        }

        boolean launches(int call) {
            return launches[call];
        }

        boolean hasInputs(int call) {
            OpDetails details = trace.view(OpDetails.KEY);
            int row = details == null ? -1 : details.of(slice[call]);
            return details != null && row >= 0 && details.inputDims(row) >= 0;
        }

        /** The number under which an execution trace knows the call, or -1. */
        long recordFunction(int call) {
            OpDetails details = trace.view(OpDetails.KEY);
            int row = details == null ? -1 : details.of(slice[call]);
            return details == null || row < 0 ? -1 : details.recordFunction(row);
        }

        long externalId(int call) {
            return trace.slices().externalId(slice[call]);
        }

        int slice(int call) {
            return slice[call];
        }

        /** The call that launched a device activity, or -1. */
        int launcherOf(int deviceSlice) {
            return launcher[deviceSlice];
        }

        boolean hasDeviceWork() {
            return deviceWork;
        }

        /** The calls by start, whatever thread they are on. */
        int[] inTime() {
            int[] order = new int[slice.length];
            long[] keys = new long[slice.length];
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
                keys[i] = slice[i];
            }
            dev.lockstep.table.LongOrder.sort(keys, order);
            return order;
        }
    }
}
