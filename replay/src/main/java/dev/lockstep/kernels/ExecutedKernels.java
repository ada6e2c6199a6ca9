// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.kernels.UniqueKernel.Place;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.kernels.UniqueKernels.Totals;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import dev.lockstep.replay.plan.ExecutedWork;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the work of an execution trace consists of. One that was linked with a trace of the device holds kernels, copies
 * and fills with their times. Any other holds operators alone: of these, those that work by themselves are listed, as a
 * plan of the trace has them, without times.
 */
final class ExecutedKernels {
    private static final Set<KeyField> OF_OPERATORS =
            Set.of(KeyField.SHAPES, KeyField.TYPES, KeyField.STRIDES, KeyField.DEVICE);
    private static final Set<KeyField> OF_KERNELS = Set.of(
            KeyField.OPERATOR, KeyField.SHAPES, KeyField.TYPES, KeyField.STRIDES, KeyField.DEVICE, KeyField.STREAM);
    private static final long NS_PER_US = 1000;

    /** So many names of operators must be called a multiple of the number of passes that counts tell of. */
    private static final double LEAST_SUPPORT = 0.5;

    private record Key(KernelIdentity identity, String device, String stream) {}

    private static final class Group {
        private final int number;
        private final ExecutedCall first;
        private final LongList durations = new LongList(4);
        private final Map<String, Map<String, long[]>> places = new TreeMap<>();
        private long calls;

        private Group(int number, ExecutedCall first) {
            this.number = number;
            this.first = first;
        }

        private void add(ExecutedCall call) {
            calls++;
            long[] sums = places.computeIfAbsent(call.device(), d -> new TreeMap<>())
                    .computeIfAbsent(call.stream(), s -> new long[2]);
            sums[0]++;
            sums[1] += call.ns();
            durations.add(call.ns());
        }
    }

    private final ExecutionTrace trace;
    private final Selection selection;
    private final Set<KeyField> key;
    private final ExecutedSteps steps;
    private final Map<Key, Group> groups = new LinkedHashMap<>();
    private final List<ExecutedCall> kept = new ArrayList<>();
    private final IntList groupOf = new IntList(1024);
    private final CallsInSteps inSteps;
    private final int[] numbers;
    private final Result result;
    private long excluded;
    private long deviceFiltered;

    private ExecutedKernels(ExecutionTrace trace, Selection selection) {
        this.trace = trace;
        this.selection = selection;
        key = EnumSet.noneOf(KeyField.class);
        key.addAll(selection.key());
        key.retainAll(trace.isLinked() ? OF_KERNELS : OF_OPERATORS);
        ExecutedWork work = ExecutedWork.of(trace);
        steps = new ExecutedSteps(trace.nodes(), work::parent, selection.stepAnnotation());
        inSteps = new CallsInSteps(steps.count());
        List<ExecutedCall> calls = trace.isLinked()
                ? LinkedCalls.of(trace, work, key, selection.categories())
                : OperatorCalls.of(trace, work, key, selection.categories());
        calls.forEach(this::add);
        boolean timed = trace.isLinked();
        List<UniqueKernel> found = new ArrayList<>(groups.size());
        groups.values().forEach(group -> found.add(unique(group, timed)));
        numbers = KernelOrder.newNumbers(found);
        List<UniqueKernel> kernels = KernelOrder.numbered(found);
        result = new Result(
                key,
                new Totals(calls.size(), kept.size(), excluded, deviceFiltered),
                kernels,
                steps.count(),
                steps.source(),
                forwards(kernels),
                timed ? histogram() : null,
                null,
                new Content(new Content.Executed(trace.schema(), work.counts(), trace.isLinked()), null));
    }

    /** Counts of few operators often agree by layers; those of most must agree by passes. */
    private @Nullable ForwardPasses forwards(List<UniqueKernel> kernels) {
        ForwardPasses told = UniqueKernels.forwards(selection.forwards(), steps.count(), steps.source(), kernels);
        boolean doubtful = !trace.isLinked()
                && told != null
                && told.source() == ForwardPasses.Source.COUNTS
                && told.support() <= LEAST_SUPPORT;
        return doubtful ? null : told;
    }

    /** The work of a trace. */
    static ExecutedKernels of(ExecutionTrace trace, Selection selection) {
        return new ExecutedKernels(trace, selection);
    }

    Result result() {
        return result;
    }

    private void add(ExecutedCall call) {
        if (!isWanted(call.device())) {
            deviceFiltered++;
            return;
        }
        if (selection.excludes(call.identity().name())) {
            excluded++;
            return;
        }
        Key same = new Key(
                call.identity(),
                key.contains(KeyField.DEVICE) ? call.device() : "",
                key.contains(KeyField.STREAM) ? call.stream() : "");
        Group group = groups.computeIfAbsent(same, k -> new Group(groups.size(), call));
        group.add(call);
        kept.add(call);
        groupOf.add(group.number);
        inSteps.add(group.number, stepOf(call));
    }

    /** A device as it is recorded, or the number of an accelerator. */
    private boolean isWanted(String device) {
        if (selection.devices().isEmpty() || selection.devices().contains(device)) {
            return true;
        }
        int colon = device.indexOf(':');
        return colon >= 0 && selection.devices().contains(device.substring(colon + 1));
    }

    private int stepOf(ExecutedCall call) {
        return call.node() < 0 ? -1 : steps.of(call.node());
    }

    private UniqueKernel unique(Group group, boolean timed) {
        List<Place> places = new ArrayList<>();
        group.places.forEach((device, streams) -> streams.forEach(
                (stream, sums) -> places.add(new Place(device, stream, sums[0], timed ? sums[1] : -1))));
        long[] took = group.durations.toArray();
        return new UniqueKernel(
                group.number,
                group.first.identity(),
                group.first.use(),
                group.first.category(),
                group.first.tier(),
                group.calls,
                inSteps.of(group.number),
                timed ? Durations.of(took, 0, took.length) : null,
                places);
    }

    private @Nullable DurationHistogram histogram() {
        return kept.isEmpty()
                ? null
                : DurationHistogram.of(kept.stream().mapToLong(ExecutedCall::ns).toArray());
    }

    /**
     * Writes every call that is listed, in the order in which calls began: number of the unique kernel, where it ran, the
     * step, and the node that is the call or launched it. What is not known is empty; times stand there for kernels only.
     */
    void writeLaunches(Path file) throws IOException {
        try (Writer out = NamedFiles.writer(file)) {
            out.write(
                    trace.isLinked()
                            ? "kernel,device,stream,launch_us,dur_us,step,thread,node\n"
                            : "kernel,device,step,thread,node\n");
            for (int i = 0; i < kept.size(); i++) {
                ExecutedCall call = kept.get(i);
                StringBuilder line = new StringBuilder(64);
                line.append(numbers[groupOf.get(i)]).append(',').append(call.device());
                if (trace.isLinked()) {
                    line.append(',').append(call.stream());
                    us(line.append(','), call.launchNs());
                    us(line.append(','), call.ns());
                }
                int step = stepOf(call);
                line.append(',').append(step < 0 ? "" : String.valueOf(steps.number(step)));
                Node node = call.node() < 0 ? null : trace.nodes().get(call.node());
                line.append(',').append(node == null ? "" : String.valueOf(node.thread()));
                line.append(',').append(node == null ? "" : String.valueOf(node.id()));
                out.append(line.append('\n'));
            }
        }
    }

    private static void us(StringBuilder line, long ns) {
        if (ns >= 0) {
            line.append(Numbers.plain(ns, NS_PER_US));
        }
    }
}
