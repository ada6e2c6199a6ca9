// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.MicrosecondDoubles;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The events of a rank that take part in the sheets, and what they are. An event of a device is a kernel, copy or fill with the
 * number of a stream; all else is the host's. Its launch is the host's event of the same correlation, of several the one that
 * ends last, which is the outermost call; as HTA has it, the last in the file. Where a trace marks several steps the last, which profilers tend to cut, is left out: host events from its start on,
 * and device events that were not launched before.
 */
final class HtaEvents {
    private static final byte NONE = 0;
    private static final byte HOST = 1;
    /** Counted with the host, but neither launches nor encloses anything: synchronisations, annotations of devices. */
    private static final byte APART = 2;

    private static final byte DEVICE = 3;
    private static final long NS_PER_US = 1000;

    private final Trace trace;
    private final Slices slices;
    private final boolean asHta;
    private final byte[] roles;
    private final HtaSteps steps;
    private final int[] device;
    private final int[] launch;
    private final long[] stream;
    private final byte[] kind;
    private final @Nullable IntervalSet[] busy = new IntervalSet[HtaKind.values().length + 1];
    private @Nullable Streams streams;

    /**
     * @param asHta whether starts become the next, ends the last whole microsecond, and the place in the file decides where
     *     times do not; else times are exact, and the order of events in the file changes nothing
     */
    HtaEvents(Trace trace, boolean asHta) {
        this.trace = trace;
        this.slices = trace.slices();
        this.asHta = asHta;
        this.roles = new byte[slices.size()];
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        LongIntMap launches = new LongIntMap(slices.size() / 8);
        int devices = 0;
        for (int i = 0; i < roles.length; i++) {
            roles[i] = role(i, details);
            devices += roles[i] == DEVICE ? 1 : 0;
            long correlation = slices.correlation(i);
            if (roles[i] == HOST && correlation > 0) {
                int known = launches.get(correlation);
                if (known < 0 || isLater(i, known)) {
                    launches.put(correlation, i);
                }
            }
        }
        this.steps = new HtaSteps(trace, this);
        device = new int[devices];
        int count = 0;
        for (int i = 0; i < roles.length; i++) {
            if (roles[i] == DEVICE) {
                int call = slices.correlation(i) > 0 ? launches.get(slices.correlation(i)) : -1;
                if (!steps.cuts() || call >= 0 && slices.ts(call) < steps.cut()) {
                    device[count++] = i;
                } else {
                    roles[i] = NONE;
                }
            } else if (slices.ts(i) >= steps.cut()) {
                roles[i] = NONE;
            }
        }
        int[] order = Arrays.copyOf(device, count);
        byPlace(order);
        System.arraycopy(order, 0, device, 0, count);
        launch = new int[count];
        stream = new long[count];
        kind = new byte[count];
        HtaKind.Kinds kinds = new HtaKind.Kinds(trace, asHta ? null : KernelRules.standard());
        for (int e = 0; e < count; e++) {
            int i = device[e];
            launch[e] = slices.correlation(i) > 0 ? launches.get(slices.correlation(i)) : -1;
            stream[e] = details == null ? -1 : details.stream(details.of(i));
            kind[e] = kinds.of(i);
        }
    }

    private byte role(int slice, @Nullable DeviceDetails details) {
        SliceKind sliceKind = slices.kind(slice);
        boolean unnamed = slices.category(slice) < 0 && sliceKind == SliceKind.HOST_OTHER;
        if (unnamed || sliceKind == SliceKind.PROFILER_SPAN) {
            return NONE;
        }
        if (sliceKind.isDeviceActivity()) {
            int row = details == null ? -1 : details.of(slice);
            return details != null && row >= 0 && details.stream(row) >= 0 ? DEVICE : HOST;
        }
        boolean apart = sliceKind == SliceKind.DEVICE_SYNC || sliceKind == SliceKind.DEVICE_ANNOTATION;
        return apart ? APART : HOST;
    }

    Trace trace() {
        return trace;
    }

    long rank() {
        return trace.info().rank().index();
    }

    HtaSteps steps() {
        return steps;
    }

    /** Whether a slice is an event of the host that takes part and can enclose or launch something. */
    boolean isHost(int slice) {
        return roles[slice] == HOST;
    }

    /** Whether a slice takes part at all. */
    boolean takesPart(int slice) {
        return roles[slice] != NONE;
    }

    /** Whether a slice takes part as an event of a device. */
    boolean isDevice(int slice) {
        return roles[slice] == DEVICE;
    }

    /** Whether one of two calls was the later to be made: the one that ends later, as HTA has it, that stands later in the file. */
    boolean isLater(int slice, int other) {
        if (!asHta && slices.end(slice) != slices.end(other)) {
            return slices.end(slice) > slices.end(other);
        }
        return place(slice) > place(other);
    }

    /** What decides between slices that begin, or end, together; the lower comes first. */
    long place(int slice) {
        return asHta ? slices.index(slice) : slice;
    }

    /** Number of device events; they are numbered by start, then {@linkplain #place place}. */
    int devices() {
        return launch.length;
    }

    /** The slice of a device event. */
    int slice(int event) {
        return device[event];
    }

    /** The slice that launched a device event, or -1. */
    int launch(int event) {
        return launch[event];
    }

    /** Number of the stream of a device event. */
    long stream(int event) {
        return stream[event];
    }

    /** What a device event is for. */
    HtaKind kind(int event) {
        return HtaKind.of(kind[event]);
    }

    /** Start of a slice in ns. */
    long start(int slice) {
        return asHta ? (long) Math.ceil(MicrosecondDoubles.start(slices, slice)) * NS_PER_US : slices.ts(slice);
    }

    /** End of a slice in ns. */
    long end(int slice) {
        return asHta ? (long) Math.floor(MicrosecondDoubles.end(slices, slice)) * NS_PER_US : slices.end(slice);
    }

    /** Duration of a slice in ns; below zero where rounding leaves less than nothing. */
    long duration(int slice) {
        return end(slice) - start(slice);
    }

    /** When device events of a kind ran; of any kind for null. */
    IntervalSet busy(@Nullable HtaKind wanted) {
        int place = wanted == null ? busy.length - 1 : wanted.ordinal();
        IntervalSet known = busy[place];
        if (known == null) {
            known = union(wanted);
            busy[place] = known;
        }
        return known;
    }

    private IntervalSet union(@Nullable HtaKind wanted) {
        IntervalSet.Builder builder = new IntervalSet.Builder();
        for (int e = 0; e < launch.length; e++) {
            if (wanted == null || kind[e] == wanted.ordinal()) {
                builder.add(start(device[e]), end(device[e]));
            }
        }
        return builder.build();
    }

    /** The device events of each stream, in their order; streams ascending. */
    Streams streams() {
        Streams known = streams;
        if (known == null) {
            known = byStream();
            streams = known;
        }
        return known;
    }

    private Streams byStream() {
        LongIntMap numbers = new LongIntMap(64);
        long[] found = new long[16];
        int[] numberOf = new int[launch.length];
        for (int e = 0; e < launch.length; e++) {
            int number = numbers.numberOf(stream[e]);
            if (number == found.length) {
                found = Arrays.copyOf(found, number * 2);
            }
            found[number] = stream[e];
            numberOf[e] = number;
        }
        long[] sorted = Arrays.copyOf(found, numbers.size());
        Arrays.sort(sorted);
        IntList[] events = new IntList[sorted.length];
        int[] place = new int[sorted.length];
        for (int s = 0; s < sorted.length; s++) {
            place[numbers.get(sorted[s])] = s;
            events[s] = new IntList(16);
        }
        for (int e = 0; e < launch.length; e++) {
            events[place[numberOf[e]]].add(e);
        }
        return new Streams(sorted, events);
    }

    /**
     * The streams of a rank.
     *
     * @param numbers ascending
     * @param events numbers of device events, by stream
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Streams(long[] numbers, IntList[] events) {
        int size() {
            return numbers.length;
        }
    }

    /** Sorts slices that stand in the order of the trace by their start and then by their {@linkplain #place place}. */
    private void byPlace(int[] rows) {
        int from = 0;
        while (from < rows.length) {
            int to = from + 1;
            while (to < rows.length && start(rows[to]) == start(rows[from])) {
                to++;
            }
            if (to - from > 1) {
                int[] run = Arrays.copyOfRange(rows, from, to);
                long[] places = new long[run.length];
                for (int i = 0; i < run.length; i++) {
                    places[i] = place(run[i]);
                }
                LongOrder.sort(places, run);
                System.arraycopy(run, 0, rows, from, run.length);
            }
            from = to;
        }
    }

    /** Sorts device events that stand in their order by start, then end, then {@linkplain #place place}. */
    void byEnd(int[] events) {
        int from = 0;
        while (from < events.length) {
            int to = from + 1;
            while (to < events.length && start(device[events[to]]) == start(device[events[from]])) {
                to++;
            }
            if (to - from > 1) {
                int[] run = Arrays.copyOfRange(events, from, to);
                long[] ends = new long[run.length];
                for (int i = 0; i < run.length; i++) {
                    ends[i] = end(device[run[i]]);
                }
                LongOrder.sort(ends, run);
                System.arraycopy(run, 0, events, from, run.length);
            }
            from = to;
        }
    }
}
