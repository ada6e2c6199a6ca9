// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.millis;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tree of modules of the network: what each takes on the host and on the devices, what work and memory it is, in the
 * forward and in the backward pass. Times of device activity are sums of durations, so that those of the modules and of what
 * lies outside add up to all activity.
 *
 * @param rules definitions
 * @param allocatedIn the innermost operator or frame around what an allocator did, by row of {@link MemoryDetails}; -1 for none;
 *     null where the trace tells of no memory
 */
public record ModuleSummary(WorkRules rules, @Nullable IntUnaryOperator allocatedIn)
        implements Analysis<ModuleSummary.Result> {
    private static final String OUTSIDE = "(outside of modules)";

    /**
     * What one pass takes.
     *
     * @param host time on the host in ns
     * @param device durations of the device activity that it launched, added up, in ns
     * @param activities how many these are
     * @param flops floating-point operations of the operators whose work is known; NaN where there are none
     * @param allocated bytes that the allocators of devices allocated
     * @param kept those less the bytes freed
     */
    public record Pass(long host, long device, long activities, double flops, long allocated, long kept) {
        private Pass plus(Pass other) {
            return new Pass(
                    host + other.host,
                    device + other.device,
                    activities + other.activities,
                    Double.isNaN(flops) ? other.flops : Double.isNaN(other.flops) ? flops : flops + other.flops,
                    allocated + other.allocated,
                    kept + other.kept);
        }
    }

    /**
     * A module at one place in the tree.
     *
     * @param path the modules around it and itself, from the outermost inwards
     * @param name its own, as in {@code Linear_3}
     * @param depth how many modules are around it; -1 for what lies outside of all
     * @param calls how often it was called, -1 where that is not known
     * @param forward with all that it calls
     * @param backward likewise
     * @param own both passes without the modules inside
     */
    public record Row(String path, String name, int depth, long calls, Pass forward, Pass backward, Pass own) {
        /** Time in ns of both passes on the device. */
        public long device() {
            return forward.device + backward.device;
        }
    }

    /**
     * Modules of one class.
     *
     * @param name without the number of the instance
     * @param instances at how many places of the tree they stand
     * @param own without the modules inside
     */
    public record Kind(String name, int instances, long calls, Pass own) {}

    /**
     * The tree from its root, then what lies outside.
     *
     * @param device durations of all device activity added up, in ns
     * @param memory whether the trace tells of memory
     */
    public record Result(List<Row> rows, List<Kind> kinds, long device, boolean memory, RecordingTool recorder)
            implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
            kinds = List.copyOf(kinds);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(tree(this), classes(this));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty()
                    ? "calls of modules were not recorded" + recorder.torch("with_stack=True or with_modules=True")
                    : null;
        }
    }

    @Override
    public String id() {
        return "modules";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        if (!ModuleTree.isAny(trace)) {
            return new Result(List.of(), List.of(), 0, false, cache.get(new RecordingTool.Key()));
        }
        ModuleTree modules = cache.get(new ModuleTree.Key(rules.base()));
        Sums sums = new Sums(modules);
        sums.host(trace.slices(), cache.get(rules.base().withPython(true).tree()));
        sums.device(cache, rules);
        sums.work(cache, rules);
        boolean memory = allocatedIn != null && sums.memory(trace, allocatedIn);
        return new Result(sums.rows(), sums.kinds(), sums.allDevice, memory, cache.get(new RecordingTool.Key()));
    }

    /** The quantities of places, each an array over places and passes: 2 · place, and 1 more for the backward pass. */
    private static final class Sums {
        private final ModuleTree modules;
        private final long[] calls;
        private final long[] host;
        private final long[] device;
        private final long[] activities;
        private final double[] flops;
        private final long[] allocated;
        private final long[] kept;
        private long allDevice;

        private Sums(ModuleTree modules) {
            this.modules = modules;
            int n = 2 * modules.size();
            calls = new long[modules.size()];
            Arrays.fill(calls, modules.knowsCalls() ? 0 : -1);
            host = new long[n];
            device = new long[n];
            activities = new long[n];
            flops = new double[n];
            Arrays.fill(flops, Double.NaN);
            allocated = new long[n];
            kept = new long[n];
        }

        private int at(int slice) {
            return slice < 0 ? 0 : 2 * modules.placeOf(slice) + (modules.isBackward(slice) ? 1 : 0);
        }

        /** What lies in something of another place or pass is taken from that. */
        private void host(Slices slices, CallTree tree) {
            for (int i = 0; i < tree.size(); i++) {
                int node = tree.node(i);
                int above = tree.parent(node);
                int place = at(node);
                int around = at(above);
                calls[place / 2] += modules.isCall(node) ? 1 : 0;
                if (place != around || above < 0) {
                    host[place] += slices.dur(node);
                    if (above >= 0) {
                        host[around] -= Math.min(slices.end(node), slices.end(above)) - slices.ts(node);
                    }
                }
            }
        }

        private void device(DerivedCache cache, WorkRules rules) {
            Slices slices = cache.trace().slices();
            DeviceActivity activity =
                    cache.get(new DeviceActivity.Key(rules.base().kernels(), null));
            LaunchLinks links = cache.get(new LaunchLinks.Key(rules.base().links()));
            for (int i = 0; i < activity.size(); i++) {
                int slice = activity.slice(i);
                int place = at(links.launchOf(slice));
                device[place] += slices.dur(slice);
                activities[place]++;
                allDevice += slices.dur(slice);
            }
        }

        private void work(DerivedCache cache, WorkRules rules) {
            PerfEvents events = cache.get(new PerfEvents.Key(rules));
            Works works = cache.get(new Works.Key(rules));
            for (int i = 0; i < events.size(); i++) {
                Works.Outcome outcome = events.model(i) != null
                        ? works.forward(events.op(i))
                        : events.forward(i) >= 0 ? works.backward(events.forward(i)) : null;
                double done = outcome == null || outcome.work() == null
                        ? Double.NaN
                        : outcome.work().flops();
                if (!Double.isNaN(done)) {
                    int place = at(events.op(i));
                    flops[place] = Double.isNaN(flops[place]) ? done : flops[place] + done;
                }
            }
        }

        private boolean memory(Trace trace, IntUnaryOperator allocatedIn) {
            MemoryDetails memory = trace.view(MemoryDetails.KEY);
            if (memory == null) {
                return false;
            }
            for (int row = 0; row < memory.size(); row++) {
                if (memory.device(row) != MemoryDetails.HOST) {
                    int place = at(allocatedIn.applyAsInt(row));
                    allocated[place] += Math.max(0, memory.bytes(row));
                    kept[place] += memory.bytes(row);
                }
            }
            return true;
        }

        private Pass own(int place, int pass) {
            int i = 2 * place + pass;
            return new Pass(host[i], device[i], activities[i], flops[i], allocated[i], kept[i]);
        }

        private List<Row> rows() {
            Pass[] whole = new Pass[2 * modules.size()];
            for (int place = modules.size() - 1; place >= 0; place--) {
                for (int pass = 0; pass < 2; pass++) {
                    int i = 2 * place + pass;
                    whole[i] = whole[i] == null ? own(place, pass) : whole[i].plus(own(place, pass));
                    if (modules.parent(place) > ModuleTree.OUTSIDE) {
                        int around = 2 * modules.parent(place) + pass;
                        whole[around] = whole[around] == null ? whole[i] : whole[around].plus(whole[i]);
                    }
                }
            }
            List<Row> rows = new ArrayList<>();
            for (int place : modules.inOrder()) {
                rows.add(new Row(
                        modules.path(place),
                        modules.name(place),
                        modules.depth(place),
                        calls[place],
                        whole[2 * place],
                        whole[2 * place + 1],
                        own(place, 0).plus(own(place, 1))));
            }
            Pass outside = own(ModuleTree.OUTSIDE, 0);
            Pass unlinked = own(ModuleTree.OUTSIDE, 1);
            rows.add(new Row(OUTSIDE, OUTSIDE, -1, 0, outside, unlinked, outside.plus(unlinked)));
            return rows;
        }

        private List<Kind> kinds() {
            Map<String, Kind> kinds = new TreeMap<>();
            for (int place : modules.inOrder()) {
                String name = modules.kind(place);
                Pass own = own(place, 0).plus(own(place, 1));
                kinds.merge(
                        name,
                        new Kind(name, 1, calls[place], own),
                        (a, b) -> new Kind(
                                name,
                                a.instances + 1,
                                modules.knowsCalls() ? a.calls + b.calls : -1,
                                a.own.plus(b.own)));
            }
            return kinds.values().stream()
                    .sorted(Comparator.comparingLong((Kind kind) -> -kind.own.device)
                            .thenComparingLong(kind -> -kind.own.host)
                            .thenComparing(Kind::name))
                    .toList();
        }
    }

    private static double share(long part, long whole) {
        return whole == 0 ? Double.NaN : 100.0 * part / whole;
    }

    private static ColumnSpec gigaflops(String header, String doc) {
        return ColumnSpec.real(header, Unit.FLOPS, Unit.GIGAFLOPS, doc);
    }

    private static ColumnSpec bytes(String header, String doc) {
        return ColumnSpec.whole(header, Unit.BYTES, Unit.BYTES, doc);
    }

    private static Table tree(Result result) {
        boolean memory = result.memory;
        return new Fields<Row>()
                .add(
                        text(
                                "path",
                                "The modules around it and itself, from the outermost inwards. The last row holds what"
                                        + " lies outside of modules, or whose launch is not known."),
                        Row::path)
                .add(text("module", "Class and number of the instance."), Row::name)
                .add(
                        ColumnSpec.id("depth", "How many modules are around it; missing outside of modules."),
                        r -> r.depth < 0 ? null : (Long) (long) r.depth)
                .add(
                        ColumnSpec.count(
                                "calls",
                                "How often it was called; missing outside of modules, and in TorchScript, which notes"
                                        + " the module of each operator, but no calls."),
                        r -> r.depth < 0 || r.calls < 0 ? null : (Long) r.calls)
                .add(millis("host ms", "Time of its calls on the host, modules inside included."), r -> r.forward.host)
                .add(
                        millis(
                                "device ms",
                                "Durations of the device activity that its calls launched, added up, modules inside"
                                        + " included."),
                        r -> r.forward.device)
                .add(
                        millis(
                                "backward host ms",
                                "Time on the host in nodes of the autograd engine whose forward operators it called,"
                                        + " and in its calls again there."),
                        r -> r.backward.host)
                .add(
                        millis("backward device ms", "Durations of the device activity launched there, added up."),
                        r -> r.backward.device)
                .add(
                        ColumnSpec.percent("device %", "Both passes' share of the durations of all device activity."),
                        r -> share(r.device(), result.device))
                .add(millis("own host ms", "Both passes on the host without the modules inside."), r -> r.own.host)
                .add(
                        millis(
                                "own device ms",
                                "Both passes' device activity without the modules inside; over all rows, all"
                                        + " activity."),
                        r -> r.own.device)
                .add(
                        ColumnSpec.count(ColumnNames.DEVICE_ACTIVITIES, "Kernels, copies and fills of both passes."),
                        r -> r.forward.activities + r.backward.activities)
                .add(
                        gigaflops(
                                "GFLOP", "Work of the operators in its calls that a model knows; missing without any."),
                        r -> r.forward.flops)
                .add(gigaflops("backward GFLOP", "The same in the backward pass."), r -> r.backward.flops)
                .addIf(
                        memory,
                        bytes("allocated bytes", "What allocators of devices allocated in its calls."),
                        r -> r.forward.allocated)
                .addIf(
                        memory,
                        bytes(
                                "kept bytes",
                                "That less what was freed in its calls: activations and outputs that live on."),
                        r -> r.forward.kept)
                .addIf(
                        memory,
                        bytes("backward allocated bytes", "What they allocated in its backward pass."),
                        r -> r.backward.allocated)
                .addIf(memory, bytes("backward kept bytes", "That less what was freed there."), r -> r.backward.kept)
                .table("modules", "Modules", result.rows);
    }

    private static Table classes(Result result) {
        return new Fields<Kind>()
                .add(text("class", "Class of the modules."), Kind::name)
                .add(ColumnSpec.count("instances", "At how many places of the tree they stand."), Kind::instances)
                .add(
                        ColumnSpec.count("calls", "How often they were called; missing in TorchScript."),
                        k -> k.calls < 0 ? null : (Long) k.calls)
                .add(millis("own host ms", "Both passes on the host, modules inside not included."), r -> r.own.host)
                .add(
                        millis(
                                "own device ms",
                                "Durations of both passes' device activity added up, modules inside not included."),
                        r -> r.own.device)
                .add(
                        ColumnSpec.percent("device %", "Share of the durations of all device activity."),
                        r -> share(r.own.device, result.device))
                .add(
                        gigaflops("GFLOP", "Work of both passes as far as models know it; missing without any."),
                        r -> r.own.flops)
                .addIf(
                        result.memory,
                        bytes("allocated bytes", "What allocators of devices allocated in both passes."),
                        r -> r.own.allocated)
                .table("module_classes", "Modules by class", result.kinds);
    }
}
