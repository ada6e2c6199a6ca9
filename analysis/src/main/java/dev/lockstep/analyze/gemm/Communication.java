// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When communication kernels ran on one device. Starts and ends are sorted once and lengths summed up, so that every
 * question takes logarithmic time. Outlives the trace; immutable.
 */
public final class Communication {
    /** By start. */
    private final long[] starts;

    private final long[] ends;
    private final String[] names;
    /** The latest end among the kernels up to each. */
    private final long[] reach;

    private final long[] sortedEnds;
    /** The union as disjoint intervals, and what the earlier ones last together. */
    private final long[] from;

    private final long[] to;
    private final long[] before;

    private Communication(long[] starts, long[] ends, String[] names) {
        this.starts = starts;
        this.ends = ends;
        this.names = names;
        int n = starts.length;
        reach = new long[n];
        long[] unionStarts = new long[n];
        long[] unionEnds = new long[n];
        int unions = 0;
        for (int i = 0; i < n; i++) {
            reach[i] = i == 0 ? ends[i] : Math.max(reach[i - 1], ends[i]);
            if (unions > 0 && starts[i] <= unionEnds[unions - 1]) {
                unionEnds[unions - 1] = reach[i];
            } else {
                unionStarts[unions] = starts[i];
                unionEnds[unions++] = ends[i];
            }
        }
        sortedEnds = ends.clone();
        Arrays.sort(sortedEnds);
        from = Arrays.copyOf(unionStarts, unions);
        to = Arrays.copyOf(unionEnds, unions);
        before = new long[unions];
        for (int i = 1; i < unions; i++) {
            before[i] = before[i - 1] + to[i - 1] - from[i - 1];
        }
    }

    /** By the names of devices. Kernels that take no time count for nothing. */
    static Map<String, Communication> byDevice(Trace trace, DeviceActivity activity) {
        List<String> devices = activity.devices();
        List<IntList> found = new ArrayList<>();
        devices.forEach(device -> found.add(new IntList(64)));
        Slices slices = trace.slices();
        int[] deviceOf = activity.deviceOfStreams();
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            if (activity.classOf(slice) == KernelClass.COMMUNICATION
                    && slices.kind(slice) == SliceKind.KERNEL
                    && slices.dur(slice) > 0) {
                found.get(deviceOf[activity.streamOf(i)]).add(slice);
            }
        }
        Map<String, Communication> byDevice = new HashMap<>();
        for (int i = 0; i < found.size(); i++) {
            byDevice.put(devices.get(i), of(trace, found.get(i).toArray()));
        }
        return byDevice;
    }

    /**
     * Communication that is known from elsewhere than a trace.
     *
     * @param starts in ns, ascending
     * @param ends in ns, each at least the start
     * @param names of the collectives
     */
    public static Communication of(long[] starts, long[] ends, List<String> names) {
        return new Communication(starts.clone(), ends.clone(), names.toArray(String[]::new));
    }

    private static Communication of(Trace trace, int[] kernels) {
        CollectiveDetails details = trace.view(CollectiveDetails.KEY);
        long[] starts = new long[kernels.length];
        long[] ends = new long[kernels.length];
        String[] names = new String[kernels.length];
        for (int i = 0; i < kernels.length; i++) {
            starts[i] = trace.slices().ts(kernels[i]);
            ends[i] = trace.slices().end(kernels[i]);
            int row = details == null ? -1 : details.of(kernels[i]);
            int name = details == null || row < 0 ? -1 : details.collective(row);
            names[i] = name < 0 ? trace.name(kernels[i]) : trace.strings().get(name);
        }
        return new Communication(starts, ends, names);
    }

    /** How many ns of the interval any of them ran. */
    long covered(long start, long end) {
        return end <= start ? 0 : until(end) - until(start);
    }

    /** Whether any of them ran at this moment. */
    boolean isRunning(long moment) {
        int place = countUpTo(from, moment) - 1;
        return place >= 0 && moment < to[place];
    }

    /** What ran during the interval; touching it is not running. */
    public Concurrent during(long start, long end) {
        int count = LongOrder.countBelow(starts, end) - countUpTo(sortedEnds, start);
        List<String> found = new ArrayList<>(count);
        long most = 0;
        String largest = "";
        for (int i = LongOrder.countBelow(starts, end) - 1; i >= 0 && reach[i] > start; i--) {
            long shared = Math.min(end, ends[i]) - Math.max(start, starts[i]);
            if (ends[i] > start) {
                found.add(names[i]);
                if (shared >= most) {
                    most = shared;
                    largest = names[i];
                }
            }
        }
        return new Concurrent(found.reversed(), covered(start, end), most, largest);
    }

    /** How long communication had run until this moment. */
    private long until(long moment) {
        int place = countUpTo(from, moment) - 1;
        return place < 0 ? 0 : before[place] + Math.min(moment, to[place]) - from[place];
    }

    /** How many of the sorted values are at most this one. */
    private static int countUpTo(long[] sorted, long value) {
        return value == Long.MAX_VALUE ? sorted.length : LongOrder.countBelow(sorted, value + 1);
    }
}
