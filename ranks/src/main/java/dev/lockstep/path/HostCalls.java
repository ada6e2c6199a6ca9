// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.DeviceActivity.Stream;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.SyncDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of the host asked of the streams, in the order of the calls: which activities each launch enqueued, which
 * of other streams they had to wait for, and what each blocking call waited for. Activities are numbered as in
 * {@link DeviceActivity}.
 */
final class HostCalls {
    private final Slices slices;
    private final DeviceActivity activity;
    private final Map<Stream, Integer> streamOf = new HashMap<>();
    private final int[] lastOn;
    private final @Nullable IntList[] pendingOn;
    private final LongIntMap syncOfCall = new LongIntMap(64);
    private final LongIntMap streamOfRecord = new LongIntMap(64);
    private final LongIntMap recorded = new LongIntMap(64);
    private final List<int[]> recordings = new ArrayList<>();
    private final @Nullable SyncDetails details;
    private final DeviceArrows arrows;
    private final IntList busySinceSync = new IntList(16);
    private final int[] busyInRound;
    private int round = 1;

    /** Pairs: an activity, and one of another stream that had to end before. */
    final IntList waits = new IntList(64);

    /** Blocking calls, as slices, and for each what it waits for; from the previous end to this end in {@link #awaited}. */
    final IntList blocking = new IntList(64);

    final IntList awaitedEnd = new IntList(64);
    final IntList awaited = new IntList(64);
    /** For each blocking call, how it is known what it waits for: {@link #KNOWN}, {@link #ALL} or {@link #UNKNOWN}. */
    final IntList scope = new IntList(64);

    /** It is recorded. */
    static final int KNOWN = 0;

    /** For everything, as its name says. */
    static final int ALL = 1;

    /** Nothing says so. */
    static final int UNKNOWN = 2;

    /** Calls that launch graphs: what their activities wait for inside is not recorded. */
    final BitSet graphLaunches = new BitSet();

    /** Whether the trace says which stream waits for which event. */
    final boolean knowsWaits;

    HostCalls(Trace trace, DeviceActivity activity, LaunchLinks links, DeviceArrows arrows) {
        this.arrows = arrows;
        this.slices = trace.slices();
        this.activity = activity;
        this.details = trace.view(SyncDetails.KEY);
        lastOn = new int[activity.streams().size()];
        Arrays.fill(lastOn, -1);
        busyInRound = new int[lastOn.length];
        pendingOn = new IntList[lastOn.length];
        for (int s = 0; s < lastOn.length; s++) {
            streamOf.put(activity.streams().get(s), s);
        }
        knowsWaits = readSyncs(trace);
        walk(trace, new Enqueued(activity, links, slices.size()));
    }

    /** Activities by the call that enqueued them. */
    private static final class Enqueued {
        private final int[] first;
        private final int[] next;

        Enqueued(DeviceActivity activity, LaunchLinks links, int sliceCount) {
            first = new int[sliceCount];
            Arrays.fill(first, -1);
            next = new int[activity.size()];
            for (int a = activity.size() - 1; a >= 0; a--) {
                int call = links.launchOf(activity.slice(a));
                next[a] = -1;
                if (call >= 0) {
                    next[a] = first[call];
                    first[call] = a;
                }
            }
        }
    }

    /**
     * Finds what is recorded of synchronisations; says whether waits between streams are among it. Some recorders do not name
     * what most of them wait for.
     */
    private boolean readSyncs(Trace trace) {
        int named = 0;
        int unnamed = 0;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) != SliceKind.DEVICE_SYNC) {
                continue;
            }
            if (slices.correlation(i) >= 0) {
                syncOfCall.put(slices.correlation(i), i);
            }
            int row = details == null ? -1 : details.of(i);
            long record = details == null || row < 0 ? -1 : details.record(row, slices.correlation(i));
            if (trace.name(i).equals("Stream Wait Event")) {
                named += record >= 0 ? 1 : 0;
                unnamed += record >= 0 ? 0 : 1;
            }
            if (details != null && record >= 0) {
                String device = DeviceActivity.streamOf(trace, i).device();
                Integer stream = streamOf.get(new Stream(device, Long.toString(details.stream(row))));
                if (stream != null) {
                    streamOfRecord.put(record, stream);
                }
            }
        }
        return named > unnamed;
    }

    private @Nullable Integer stream(Trace trace, int sync) {
        return streamOf.get(DeviceActivity.streamOf(trace, sync));
    }

    private void walk(Trace trace, Enqueued enqueued) {
        byte[] kindOf = kinds(trace, enqueued);
        for (int i = 0; i < slices.size(); i++) {
            if (!slices.kind(i).isLaunchCall()) {
                continue;
            }
            for (int a = enqueued.first[i]; a >= 0; a = enqueued.next[a]) {
                enqueue(a);
            }
            CallKind kind = CallKind.of(kindOf[slices.name(i)]);
            if (arrows.awaitedBy(i) != null) {
                kind = kind == CallKind.WAIT_FOR_ALL ? kind : CallKind.WAIT;
            }
            switch (kind) {
                case RECORD -> record(i);
                case STREAM_WAIT -> streamWaits(trace, i);
                case WAIT_FOR_ALL, WAIT -> block(trace, i, kind);
                case GRAPH_LAUNCH -> graphLaunches.set(i);
                case FREE, OTHER -> {}
            }
        }
    }

    /** By name of a call: the code of what it means. */
    private byte[] kinds(Trace trace, Enqueued enqueued) {
        byte[] kindOf = new byte[trace.strings().size()];
        ImplicitWaits waits = new ImplicitWaits(trace);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isLaunchCall()) {
                if (kindOf[slices.name(i)] == 0) {
                    kindOf[slices.name(i)] = CallKind.of(trace.name(i)).code();
                }
                for (int a = enqueued.first[i]; a >= 0; a = enqueued.next[a]) {
                    waits.enqueued(activity.slice(a));
                }
                if (enqueued.first[i] < 0) {
                    waits.called(i);
                }
            }
        }
        for (int name = 0; name < kindOf.length; name++) {
            boolean all = kindOf[name] == CallKind.FREE.code() && waits.mayWait(name)
                    || kindOf[name] == CallKind.OTHER.code() && waits.wait(name);
            kindOf[name] = all ? CallKind.WAIT_FOR_ALL.code() : kindOf[name];
        }
        return kindOf;
    }

    private void enqueue(int a) {
        int stream = activity.streamOf(a);
        IntList pending = pendingOn[stream];
        if (pending != null) {
            for (int i = 0; i < pending.size(); i++) {
                waits.add(a);
                waits.add(pending.get(i));
            }
            pendingOn[stream] = null;
        }
        lastOn[stream] = a;
        if (busyInRound[stream] != round) {
            busyInRound[stream] = round;
            busySinceSync.add(stream);
        }
    }

    private void record(int call) {
        int stream = streamOfRecord.get(slices.correlation(call));
        if (stream < 0) {
            return;
        }
        IntList before = new IntList(4);
        IntList pending = pendingOn[stream];
        for (int i = 0; pending != null && i < pending.size(); i++) {
            before.add(pending.get(i));
        }
        if (lastOn[stream] >= 0) {
            before.add(lastOn[stream]);
        }
        recorded.put(slices.correlation(call), recordings.size());
        recordings.add(before.toArray());
    }

    /** What the event waits for that a synchronisation names; null where that is not known. */
    private int @Nullable [] recordedBy(int sync) {
        int row = details == null ? -1 : details.of(sync);
        int recording = details == null || row < 0 ? -1 : recorded.get(details.record(row, slices.correlation(sync)));
        return recording < 0 ? null : recordings.get(recording);
    }

    private void streamWaits(Trace trace, int call) {
        int sync = syncOfCall.get(slices.correlation(call));
        if (sync < 0) {
            return;
        }
        Integer stream = stream(trace, sync);
        int[] sources = recordedBy(sync);
        if (stream == null || sources == null) {
            return;
        }
        for (int source : sources) {
            if (activity.streamOf(source) != stream) {
                await(stream, source);
            }
        }
    }

    /** Of several activities of one stream, the last is enough to wait for. */
    private void await(int stream, int source) {
        IntList pending = pendingOn[stream];
        if (pending == null) {
            pending = new IntList(4);
            pendingOn[stream] = pending;
        }
        for (int i = 0; i < pending.size(); i++) {
            if (activity.streamOf(pending.get(i)) == activity.streamOf(source)) {
                pending.set(i, Math.max(pending.get(i), source));
                return;
            }
        }
        pending.add(source);
    }

    private void block(Trace trace, int call, CallKind kind) {
        int sync = slices.correlation(call) < 0 ? -1 : syncOfCall.get(slices.correlation(call));
        String recordedKind = sync < 0 ? "" : trace.name(sync);
        int how = KNOWN;
        IntList pointed = arrows.awaitedBy(call);
        if (pointed != null) {
            awaited.addAll(pointed);
        } else if (recordedKind.equals("Stream Sync")) {
            Integer stream = stream(trace, sync);
            if (stream != null && lastOn[stream] >= 0) {
                awaited.add(lastOn[stream]);
            }
        } else if (recordedKind.equals("Event Sync")) {
            int[] sources = recordedBy(sync);
            how = sources == null ? UNKNOWN : KNOWN;
            for (int i = 0; sources != null && i < sources.length; i++) {
                awaited.add(sources[i]);
            }
        } else if (kind == CallKind.WAIT_FOR_ALL) {
            awaitAll();
            how = ALL;
        } else {
            how = UNKNOWN;
        }
        blocking.add(call);
        awaitedEnd.add(awaited.size());
        scope.add(how);
    }

    /** All streams that got work since all were last waited for. */
    private void awaitAll() {
        for (int i = 0; i < busySinceSync.size(); i++) {
            awaited.add(lastOn[busySinceSync.get(i)]);
        }
        busySinceSync.clear();
        round++;
    }
}
