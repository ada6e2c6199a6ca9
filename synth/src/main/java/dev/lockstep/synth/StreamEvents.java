// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.table.LongList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was enqueued on the streams of a rank, and which events they wait for: so that every dependency of an activity is
 * known when it is enqueued. Activities are known by their correlation numbers.
 */
final class StreamEvents {
    /** An event that a stream has recorded: what it stands for, and the call that recorded it. */
    private record Recorded(Lane lane, long call, LongList after) {}

    private final long[] last = new long[Lane.values().length];
    private final LongList[] pending = new LongList[Lane.values().length];
    private final boolean[] busy = new boolean[Lane.values().length];
    private final @Nullable Recorded[] slots;
    private final EdgeLog edges;

    StreamEvents(int slots, EdgeLog edges) {
        this.slots = new Recorded[slots];
        this.edges = edges;
        Arrays.fill(last, -1);
        Arrays.setAll(pending, i -> new LongList(4));
    }

    /** A call launches work. */
    void enqueue(Lane lane, long call, Costs costs) {
        int stream = lane.index();
        edges.add(EdgeLog.Kind.LAUNCH, call, call, costs.launch());
        if (last[stream] >= 0) {
            edges.add(EdgeLog.Kind.STREAM, last[stream], call, costs.stream());
        }
        for (int i = 0; i < pending[stream].size(); i++) {
            edges.add(EdgeLog.Kind.WAIT, pending[stream].get(i), call, costs.waiting());
        }
        pending[stream].clear();
        last[stream] = call;
        busy[stream] = true;
    }

    /**
     * What an activity has to wait at least, in ns.
     *
     * @param launch from the beginning of its call
     * @param stream from the end of what ran before on its stream
     * @param waiting from the end of what its stream waits for
     */
    record Costs(long launch, long stream, long waiting) {}

    /** A stream records an event, under the number of a slot. */
    void record(Lane lane, int slot, long call) {
        LongList after = new LongList(4);
        after.addAll(pending[lane.index()]);
        if (last[lane.index()] >= 0) {
            after.add(last[lane.index()]);
        }
        slots[slot] = new Recorded(lane, call, after);
    }

    /** The stream that has recorded a slot's event, null when none has. */
    @Nullable
    Lane recordedOn(int slot) {
        Recorded event = slots[slot];
        return event == null ? null : event.lane();
    }

    /** The call that has recorded it. */
    long recordedBy(int slot) {
        Recorded event = slots[slot];
        return event == null ? -1 : event.call();
    }

    /** What is enqueued on a stream from now on waits for a slot's event. */
    void await(Lane lane, int slot) {
        Recorded event = slots[slot];
        if (event == null || event.lane() == lane) {
            return;
        }
        for (int i = 0; i < event.after().size(); i++) {
            add(pending[lane.index()], event.after().get(i));
        }
    }

    private static void add(LongList known, long source) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i) == source) {
                return;
            }
        }
        known.add(source);
    }

    /** A call waits for a stream, or for all that have had work since all were last waited for. */
    void synchronize(boolean all, Lane lane, long call, long cost) {
        for (Lane stream : Lane.values()) {
            int i = stream.index();
            if (all ? busy[i] : stream == lane && last[i] >= 0) {
                edges.add(EdgeLog.Kind.SYNC, last[i], call, cost);
            }
        }
        if (all) {
            Arrays.fill(busy, false);
        }
    }
}
