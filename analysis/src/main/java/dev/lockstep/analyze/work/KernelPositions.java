// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.derive.Launchers;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Collects, over operators of one kind, the durations of their kernels by place in the sequence. The first operator sets
 * the sequence; operators with another number of kernels are left out.
 */
final class KernelPositions {
    private static final Comparator<KernelPosition> SHORTEST_FIRST =
            Comparator.comparingLong((KernelPosition p) -> p.durations().sum()).thenComparing(KernelPosition::name);

    private int[] names = new int[0];
    private long[] streams = new long[0];
    private int[] examples = new int[0];
    private final List<LongList> durations = new ArrayList<>();

    void add(Trace trace, Launchers launchers, int launcher) {
        add(trace, launchers.activityCount(launcher), k -> launchers.activity(launcher, k));
    }

    /** Adds the kernels of an operator: so many, each by its place. */
    void add(Trace trace, int n, IntUnaryOperator kernel) {
        if (durations.isEmpty()) {
            begin(trace, n, kernel);
        }
        if (n != durations.size()) {
            return;
        }
        for (int k = 0; k < n; k++) {
            durations.get(k).add(trace.slices().dur(kernel.applyAsInt(k)));
        }
    }

    /** Adds the kernels of an operator, with durations in ns. */
    void add(int[] kernelNames, long[] kernelStreams, long[] kernelDurations) {
        if (durations.isEmpty()) {
            names = kernelNames;
            streams = kernelStreams;
            for (int k = 0; k < kernelNames.length; k++) {
                durations.add(new LongList(4));
            }
        }
        for (int k = 0; k < kernelNames.length && kernelNames.length == durations.size(); k++) {
            durations.get(k).add(kernelDurations[k]);
        }
    }

    /** By total time, then name, both ascending. */
    List<KernelPosition> positions(Trace trace, KernelSeconds rule) {
        return positions(trace, rule, null);
    }

    /**
     * By total time, then name, both ascending.
     *
     * @param stackOf the stack of a kernel as JSON, null not to show stacks
     */
    List<KernelPosition> positions(Trace trace, KernelSeconds rule, @Nullable IntFunction<String> stackOf) {
        List<KernelPosition> positions = new ArrayList<>();
        for (int k = 0; k < names.length; k++) {
            positions.add(new KernelPosition(
                    trace.strings().get(names[k]),
                    streams[k] < 0 ? null : streams[k],
                    Distribution.of(durations.get(k)),
                    rule.shortMeanMicroseconds(durations.get(k)),
                    stackOf == null ? null : stackOf.apply(examples[k])));
        }
        positions.sort(SHORTEST_FIRST);
        return positions;
    }

    /** The kernels of the first operator, in the order of {@link #positions}. */
    int[] examples(Trace trace) {
        return IntStream.range(0, examples.length)
                .boxed()
                .sorted(Comparator.comparingLong(
                                (Integer k) -> Distribution.of(durations.get(k)).sum())
                        .thenComparing(k -> trace.strings().get(names[k])))
                .mapToInt(k -> examples[k])
                .toArray();
    }

    private void begin(Trace trace, int n, IntUnaryOperator kernel) {
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        names = new int[n];
        streams = new long[n];
        examples = new int[n];
        for (int k = 0; k < n; k++) {
            int slice = kernel.applyAsInt(k);
            examples[k] = slice;
            names[k] = trace.slices().name(slice);
            int row = details == null ? -1 : details.of(slice);
            streams[k] = details == null || row < 0 ? -1 : details.stream(row);
            durations.add(new LongList(4));
        }
    }
}
