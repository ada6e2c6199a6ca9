// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.replay.plan.PlannedOperator.Call;
import dev.lockstep.replay.plan.PlannedOperator.Counts;
import dev.lockstep.replay.plan.PlannedOperator.Kernel;
import dev.lockstep.replay.plan.PlannedOperator.Recorded;
import dev.lockstep.replay.plan.ReplayPlan.Container;
import dev.lockstep.replay.plan.ReplayPlan.Source;
import dev.lockstep.replay.plan.ReplayPlan.StepCount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts calls with equal arguments together. Calls are added in the order in which they were recorded. */
final class PlanBuilder {
    private record Launched(
            String name, @Nullable String grid, @Nullable String block) {}

    /** The sums over equal calls. */
    static final class Entry {
        private final int id;
        private final Call call;
        private final @Nullable ReplayGap gap;
        private long calls;
        private long inSteps;
        private long inside;
        private long cpuNs = -1;
        private long deviceNs = -1;
        private final Map<Launched, long[]> kernels = new LinkedHashMap<>();

        private Entry(int id, Call call, @Nullable ReplayGap gap) {
            this.id = id;
            this.call = call;
            this.gap = gap;
        }

        /** Counts a call. */
        void called(boolean inStep) {
            calls++;
            if (inStep) {
                inSteps++;
            }
        }

        void inside() {
            inside++;
        }

        void cpu(long ns) {
            cpuNs = Math.max(0, cpuNs) + ns;
        }

        /** Says that device work would be known, if there was any. */
        void deviceKnown() {
            deviceNs = Math.max(0, deviceNs);
        }

        void kernel(String name, @Nullable String grid, @Nullable String block, long ns) {
            deviceNs = Math.max(0, deviceNs) + ns;
            long[] sums = kernels.computeIfAbsent(new Launched(name, grid, block), k -> new long[2]);
            sums[0]++;
            sums[1] += ns;
        }

        private PlannedOperator build(Substitutes substitutes) {
            List<Kernel> launched = new ArrayList<>();
            kernels.forEach((k, sums) -> launched.add(new Kernel(k.name, k.grid, k.block, sums[0], sums[1])));
            launched.sort(Comparator.comparingLong(Kernel::ns)
                    .reversed()
                    .thenComparing(Kernel::name)
                    .thenComparing(Kernel::grid, Comparator.nullsFirst(Comparator.naturalOrder()))
                    .thenComparing(Kernel::block, Comparator.nullsFirst(Comparator.naturalOrder())));
            return new PlannedOperator(
                    id,
                    call,
                    gap,
                    gap == null ? substitutes.of(call) : null,
                    new Counts(calls, inSteps, inside),
                    new Recorded(cpuNs, deviceNs, launched));
        }
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, Long> containers = new HashMap<>();
    private final List<Integer> order = new ArrayList<>();
    private long unattributedNs;

    /** The entry of calls like this one. */
    Entry entry(Call call, @Nullable ReplayGap gap) {
        Call normal = new Call(call.name(), call.schema(), Storages.normal(call.name(), call.arguments()));
        String key = PlanFile.callLine(normal) + (gap == null ? "" : gap.code());
        int next = entries.size();
        return entries.computeIfAbsent(key, k -> new Entry(next, normal, gap));
    }

    /** Says that the calls of the step that stands for all go on with this one. */
    void next(Entry entry) {
        order.add(entry.id);
    }

    void container(String name) {
        containers.merge(name, 1L, Long::sum);
    }

    void unattributed(long ns) {
        unattributedNs += ns;
    }

    ReplayPlan build(Source source, StepCount steps) {
        Substitutes substitutes = new Substitutes();
        List<PlannedOperator> operators = new ArrayList<>(entries.size());
        entries.values().forEach(entry -> operators.add(entry.build(substitutes)));
        List<Container> around = new ArrayList<>();
        containers.forEach((name, calls) -> around.add(new Container(name, calls)));
        around.sort(Comparator.comparingLong(Container::calls).reversed().thenComparing(Container::name));
        return new ReplayPlan(source, steps, operators, around, unattributedNs, order);
    }
}
