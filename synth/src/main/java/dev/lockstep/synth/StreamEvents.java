// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was enqueued on the streams of a rank, and which events they wait for: so that every dependency of an activity is
 * known when it is enqueued. Activities are known by their {@linkplain EdgeLog#activity numbers}.
 */
final class StreamEvents {
    private static final int LANES = Lane.values().length;

    private final long[] last = new long[LANES];
    private final boolean[] busy = new boolean[LANES];
    /** By stream, and stream waited for: the last activity that has to end; of one stream the last is enough. */
    private final long[][] pending = new long[LANES][LANES];

    /** By slot: the same for what waits for its event, with the stream that recorded it and the call that did. */
    private final long[][] recorded;

    private final @Nullable Lane[] recordedOn;
    private final long[] recordedBy;
    private final EdgeLog edges;

    StreamEvents(int slots, EdgeLog edges) {
        recorded = new long[slots][];
        recordedOn = new Lane[slots];
        recordedBy = new long[slots];
        this.edges = edges;
        Arrays.fill(last, -1);
        for (long[] one : pending) {
            Arrays.fill(one, -1);
        }
    }

    /**
     * What an activity has to wait at least, in ns.
     *
     * @param launch from the beginning of its call
     * @param stream from the end of what ran before on its stream
     * @param waiting from the end of what its stream waits for
     */
    record Costs(long launch, long stream, long waiting) {}

    /** A call launches an activity. */
    void enqueue(Lane lane, long call, long activity, Costs costs) {
        int stream = lane.index();
        edges.add(EdgeLog.Kind.LAUNCH, call, activity, costs.launch());
        if (last[stream] >= 0) {
            edges.add(EdgeLog.Kind.STREAM, last[stream], activity, costs.stream());
        }
        for (long source : pending[stream]) {
            if (source >= 0) {
                edges.add(EdgeLog.Kind.WAIT, source, activity, costs.waiting());
            }
        }
        Arrays.fill(pending[stream], -1);
        last[stream] = activity;
        busy[stream] = true;
    }

    /** A stream records an event, under the number of a slot. */
    void record(Lane lane, int slot, long call) {
        recorded[slot] = pending[lane.index()].clone();
        recorded[slot][lane.index()] = last[lane.index()];
        recordedOn[slot] = lane;
        recordedBy[slot] = call;
    }

    /** The stream that has recorded a slot's event, null when none has. */
    @Nullable
    Lane recordedOn(int slot) {
        return recordedOn[slot];
    }

    /** The call that has recorded it. */
    long recordedBy(int slot) {
        return recordedBy[slot];
    }

    /** What is enqueued on a stream from now on waits for a slot's event, which was recorded. */
    void await(Lane lane, int slot) {
        for (int stream = 0; stream < LANES; stream++) {
            if (stream != lane.index()) {
                pending[lane.index()][stream] = Math.max(pending[lane.index()][stream], recorded[slot][stream]);
            }
        }
    }

    /** A call waits for a stream, or for all that have had work since all were last waited for. */
    void synchronize(boolean all, Lane lane, long call, long cost) {
        for (int stream = 0; stream < LANES; stream++) {
            if (all ? busy[stream] : stream == lane.index() && last[stream] >= 0) {
                edges.add(EdgeLog.Kind.SYNC, last[stream], call, cost);
            }
        }
        if (all) {
            Arrays.fill(busy, false);
        }
    }
}
