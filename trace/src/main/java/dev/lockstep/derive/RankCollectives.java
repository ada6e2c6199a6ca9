// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one rank did together with others, by start: all that analyses across ranks keep of a trace once it has been read. That
 * is its communication kernels, and the {@linkplain HostCollectives collectives of its host}, of which each counts as a kernel that
 * starts when the rank is there and ends when all is exchanged. What kernels have in common is kept once, as {@link CollectiveCall}.
 * Where a collective runs in several steps, it counts as one kernel that lasts from the start of the first to the end of the last.
 * Immutable.
 */
public final class RankCollectives {
    /**
     * The communication kernels by these rules.
     *
     * @param kernels tell which kernels communicate
     * @param kinds tell what they do
     * @param links find their launches
     * @param annotations whether annotations around launches speak for kernels that carry no record
     * @param host whether collectives of the host count
     */
    public record Key(KernelRules kernels, CollectiveKinds kinds, LaunchRule links, boolean annotations, boolean host)
            implements Derived<RankCollectives> {
        /** The rules of the program itself. */
        public static Key standard() {
            return new Key(KernelRules.standard(), CollectiveKinds.standard(), LaunchRule.CORRELATION, true, true);
        }

        /** The same without collectives of the host. */
        public static Key ofDevices() {
            return new Key(KernelRules.standard(), CollectiveKinds.standard(), LaunchRule.CORRELATION, true, false);
        }

        @Override
        public RankCollectives derive(Trace trace, DerivedCache cache) {
            return new RankCollectives(trace, cache, this);
        }
    }

    private final TraceInfo info;
    private final long recordedFrom;
    private final long recordedTo;
    private final List<CollectiveCall> calls;
    private final int[] call;
    private final long[] ts;
    private final long[] dur;
    private final long[] launch;
    private final long[] sequence;
    private final long[] stream;
    private final int[] index;
    private final boolean[] linked;
    private final int[] thread;
    private final int[] step;
    /** The rows in the order in which they were issued; empty where that is the order of rows. */
    private final int[] issued;

    private final RankWork work;
    private final RankPasses passes;
    private final Map<String, String> purposes;

    private RankCollectives(Trace trace, DerivedCache cache, Key key) {
        info = HostNames.alone(trace.info());
        CollectiveDetails details = trace.view(CollectiveDetails.KEY);
        KernelClass[] classes = cache.get(new KernelRules.Classes(key.kernels));
        int[] kernels = kernels(trace, classes);
        HostCollectives host = key.host ? cache.get(new HostCollectives.Key()) : null;
        int onHost = host == null ? 0 : host.size();
        work = RankWork.of(trace, classes, host);
        Slices slices = trace.slices();
        recordedFrom = slices.size() == 0 ? 0 : slices.ts(0);
        recordedTo = lastEnd(slices);
        int[] place = places(kernels, details);
        int onDevice = places(place);
        int n = onDevice + onHost;
        int[] rowOf = host == null || onHost == 0 ? null : rows(slices, kernels, place, host);
        for (int k = 0; rowOf != null && k < place.length; k++) {
            place[k] = rowOf[place[k]];
        }
        ts = new long[n];
        dur = new long[n];
        launch = new long[n];
        sequence = new long[n];
        stream = new long[n];
        index = new int[n];
        call = new int[n];
        linked = new boolean[n];
        thread = new int[n];
        step = new int[n];
        DeviceDetails devices = trace.view(DeviceDetails.KEY);
        LaunchLinks links = onDevice == 0 ? null : cache.get(new LaunchLinks.Key(key.links));
        CollectiveCalls distinct = new CollectiveCalls(trace, key.kinds);
        CollectiveAnnotations notes = key.annotations && onDevice > 0 ? new CollectiveAnnotations(trace) : null;
        LongIntMap operators = operators(slices, details);
        Steps steps = n == 0 ? null : cache.get(new Steps.Key(null));
        BitSet begun = new BitSet(n);
        for (int k = 0; k < kernels.length; k++) {
            int slice = kernels[k];
            int i = place[k];
            if (begun.get(i)) {
                dur[i] = Math.max(dur[i], slices.end(slice) - ts[i]);
                continue;
            }
            begun.set(i);
            int row = details == null ? -1 : details.of(slice);
            int device = devices == null ? -1 : devices.of(slice);
            int from = links == null ? -1 : links.launchOf(slice);
            ts[i] = slices.ts(slice);
            dur[i] = slices.dur(slice);
            launch[i] = from < 0 ? LongColumn.ABSENT : slices.ts(from);
            thread[i] = from < 0 ? -1 : slices.track(from);
            step[i] = steps == null ? -1 : steps.at(from < 0 ? ts[i] : launch[i]);
            sequence[i] = details == null || row < 0 ? -1 : details.sequence(row);
            stream[i] = devices == null || device < 0 ? -1 : devices.stream(device);
            index[i] = slices.index(slice);
            linked[i] = slices.correlation(slice) >= 0 || slices.externalId(slice) >= 0;
            boolean recorded = details != null && row >= 0 && details.collective(row) >= 0;
            int note = notes == null || from < 0 || recorded ? -1 : notes.around(from);
            int name =
                    details == null || row < 0 || details.stepOf(row) < 0 ? slices.name(slice) : details.groupName(row);
            int operator = details == null || row < 0 ? -1 : operators.get(slices.externalId(slice));
            call[i] = distinct.of(name, details, row, operator, note);
        }
        for (int h = 0; host != null && rowOf != null && h < onHost; h++) {
            int i = rowOf[onDevice + h];
            int record = host.record(h);
            int row = details == null || record < 0 ? -1 : details.of(record);
            int issue = host.issue(h);
            ts[i] = host.start(h);
            dur[i] = host.end(h) - ts[i];
            launch[i] = slices.ts(host.slice(h));
            thread[i] = issue < 0 ? -1 : slices.track(issue);
            step[i] = steps == null ? -1 : steps.at(host.issued(h));
            sequence[i] = details == null || row < 0 ? -1 : details.sequence(row);
            stream[i] = -1;
            index[i] = slices.index(host.slice(h));
            call[i] = distinct.of(host, h, details);
        }
        issued = host == null || rowOf == null ? new int[0] : issued(host, rowOf, onDevice);
        calls = distinct.all();
        purposes = purposes(trace, details);
        passes = links == null
                ? RankPasses.NONE
                : RankPasses.of(trace, cache, new RankPasses.Kernels(classes, links), messages(kernels, place));
    }

    /** Whether a trace has communication kernels, or collectives of the host, by these rules. */
    public static boolean isAny(DerivedCache cache, Key key) {
        return kernels(cache.trace(), cache.get(new KernelRules.Classes(key.kernels))).length > 0
                || key.host && cache.get(new HostCollectives.Key()).size() > 0;
    }

    /** The row of each kernel, and of each collective of the host behind them, in order of start. */
    private static int[] rows(Slices slices, int[] kernels, int[] place, HostCollectives host) {
        int onDevice = places(place);
        long[] starts = new long[onDevice + host.size()];
        int[] order = new int[starts.length];
        for (int k = kernels.length - 1; k >= 0; k--) { // the first of several steps counts
            starts[place[k]] = slices.ts(kernels[k]);
        }
        for (int h = 0; h < host.size(); h++) {
            starts[onDevice + h] = host.start(h);
        }
        Arrays.setAll(order, i -> i);
        LongOrder.sort(starts, order);
        int[] rows = new int[order.length];
        for (int row = 0; row < order.length; row++) {
            rows[order[row]] = row;
        }
        return rows;
    }

    /** Kernels start as they were launched; what the host does in several threads is told by its order of issue. */
    private int[] issued(HostCollectives host, int[] rowOf, int onDevice) {
        long[] times = ts.clone();
        for (int h = 0; h < host.size(); h++) {
            times[rowOf[onDevice + h]] = host.issued(h);
        }
        int[] order = new int[times.length];
        Arrays.setAll(order, i -> i);
        LongOrder.sort(times, order);
        return order;
    }

    /** What the process groups are for, by name. */
    private static Map<String, String> purposes(Trace trace, @Nullable CollectiveDetails details) {
        Map<String, String> purposes = new TreeMap<>();
        BitSet known = new BitSet();
        for (int row = 0; details != null && row < details.size(); row++) {
            int name = details.groupName(row);
            if (name >= 0 && details.groupDescription(row) >= 0 && !known.get(name)) {
                known.set(name);
                purposes.put(
                        trace.strings().get(name).intern(),
                        trace.strings().get(details.groupDescription(row)).intern());
            }
        }
        return Collections.unmodifiableMap(purposes);
    }

    /** Slices of kernels that exchange a message with a single rank, and whether they receive it. */
    private Map<Integer, Boolean> messages(int[] kernels, int[] place) {
        Map<Integer, Boolean> messages = new HashMap<>();
        for (int k = 0; k < kernels.length; k++) {
            CollectiveCall of = call(place[k]);
            if (of.kind().pointToPoint() && of.peer() >= 0) {
                messages.put(kernels[k], of.kind() == CollectiveKind.RECEIVE);
            }
        }
        return messages;
    }

    /** Rows of what operators say about their collectives, by the numbers that their kernels share with them. */
    private static LongIntMap operators(Slices slices, @Nullable CollectiveDetails details) {
        LongIntMap rows = new LongIntMap(64);
        for (int row = 0; details != null && row < details.size(); row++) {
            int slice = details.slice(row);
            if (slices.kind(slice) == SliceKind.CPU_OP && slices.externalId(slice) >= 0 && details.rank(row) >= 0) {
                rows.put(slices.externalId(slice), row);
            }
        }
        return rows;
    }

    /** By kernel: the place of its collective, which several kernels share if they are steps of it. */
    private static int[] places(int[] kernels, @Nullable CollectiveDetails details) {
        int[] places = new int[kernels.length];
        LongIntMap known = new LongIntMap(16);
        int next = 0;
        for (int k = 0; k < kernels.length; k++) {
            int row = details == null ? -1 : details.of(kernels[k]);
            long step = details == null || row < 0 ? -1 : details.stepOf(row);
            int found = step < 0 ? -1 : known.get(step);
            if (found < 0) {
                found = next++;
                if (step >= 0) {
                    known.put(step, found);
                }
            }
            places[k] = found;
        }
        return places;
    }

    private static int places(int[] place) {
        int most = 0;
        for (int one : place) {
            most = Math.max(most, one + 1);
        }
        return most;
    }

    private RankCollectives(RankCollectives other, TraceInfo info) {
        this.info = info;
        recordedFrom = other.recordedFrom;
        recordedTo = other.recordedTo;
        calls = other.calls;
        call = other.call;
        ts = other.ts;
        dur = other.dur;
        launch = other.launch;
        sequence = other.sequence;
        stream = other.stream;
        index = other.index;
        linked = other.linked;
        thread = other.thread;
        step = other.step;
        issued = other.issued;
        work = other.work;
        passes = other.passes;
        purposes = other.purposes;
    }

    /** What the trace said about itself. */
    public TraceInfo info() {
        return info;
    }

    /** Start of the first slice of the trace, of whatever kind, in ns since the trace's origin; 0 without any. */
    public long recordedFrom() {
        return recordedFrom;
    }

    /** Last end of its slices, likewise. */
    public long recordedTo() {
        return recordedTo;
    }

    /** The rank's number. */
    public int rank() {
        return info.rank().index();
    }

    /** The same kernels under what is now known about the trace. */
    public RankCollectives withInfo(TraceInfo other) {
        return new RankCollectives(this, other);
    }

    /** Number of kernels. */
    public int size() {
        return ts.length;
    }

    /** The kernels in the order in which they were issued, which counts where they have no numbers. */
    public int[] inOrderOfIssue() {
        return issued.length == 0 ? IntStream.range(0, ts.length).toArray() : issued.clone();
    }

    /** Whether a row is a collective of the host. */
    public boolean isOnHost(int row) {
        return call(row).host() != null;
    }

    /** The distinct calls, in order of their first kernels. */
    public List<CollectiveCall> calls() {
        return calls;
    }

    /** Place of a kernel's call in {@link #calls}. */
    public int callIndex(int row) {
        return call[row];
    }

    public CollectiveCall call(int row) {
        return calls.get(call[row]);
    }

    /** Start in ns since the trace's origin. */
    public long ts(int row) {
        return ts[row];
    }

    /** Duration in ns. */
    public long dur(int row) {
        return dur[row];
    }

    /** End in ns. */
    public long end(int row) {
        return ts[row] + dur[row];
    }

    /**
     * Start of the call that launched the kernel, {@link LongColumn#ABSENT} when not known. Of a collective of the host when its thread
     * began it: from then on to its start it waited for its device.
     */
    public long launch(int row) {
        return launch[row];
    }

    /** Place of the step in which it was launched among the rank's steps; -1 outside of them, or where none can be told. */
    public int step(int row) {
        return step[row];
    }

    /**
     * When the thread that launched the kernel stood in a call that returns only when the device is done, and the device
     * worked: what was late then was the device.
     */
    public IntervalSet blocked(int row) {
        return work.blocked().getOrDefault(thread[row], IntervalSet.EMPTY);
    }

    /** What the rank did beside its collectives. */
    public RankWork work() {
        return work;
    }

    /** Its computation between messages that it exchanges with single ranks. */
    public RankPasses passes() {
        return passes;
    }

    /** What process groups are for, as far as the trace says so, by name. */
    public Map<String, String> purposes() {
        return purposes;
    }

    /** Number within the process group, -1 when not recorded. */
    public long sequence(int row) {
        return sequence[row];
    }

    /** Number of the stream, -1 when not recorded. */
    public long stream(int row) {
        return stream[row];
    }

    /** Place of the kernel among all events of its file. */
    public int index(int row) {
        return index[row];
    }

    /** Whether the file gives the kernel a number by which it can be joined to a launch. */
    public boolean linked(int row) {
        return linked[row];
    }

    private static long lastEnd(Slices slices) {
        long last = slices.size() == 0 ? 0 : Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            last = Math.max(last, slices.end(i));
        }
        return last;
    }

    private static int[] kernels(Trace trace, KernelClass[] classes) {
        IntList found = new IntList(64);
        for (int i = 0; i < classes.length; i++) {
            if (classes[i] == KernelClass.COMMUNICATION && trace.slices().kind(i) == SliceKind.KERNEL) {
                found.add(i);
            }
        }
        return found.toArray();
    }
}
