// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.LongIntMap;
import java.util.BitSet;

/** Counts launches of graphs (CUDA, HIP) and what they ran. */
final class GraphLaunches {
    private final LongIntMap streamOfCall = new LongIntMap(64);
    private final LongIntMap sizeOfCall = new LongIntMap(64);
    private final BitSet onSeveralStreams = new BitSet();
    private long activities;
    private boolean knowsEdges;

    /** Says whether it is recorded what waits for what inside of graphs. */
    void knowsEdges(boolean known) {
        knowsEdges = known;
    }

    /** Whether it is. */
    boolean knowsEdges() {
        return knowsEdges;
    }

    /** Takes note of an activity that a call launched with others; returns its place among them, from 1. */
    int add(int call, int stream) {
        activities++;
        int place = Math.max(0, sizeOfCall.get(call)) + 1;
        sizeOfCall.put(call, place);
        int known = streamOfCall.get(call);
        if (known < 0) {
            streamOfCall.put(call, stream);
        } else if (known != stream) {
            onSeveralStreams.set(call);
        }
        return place;
    }

    /** How many activities a call launched so. */
    int activities(int call) {
        return Math.max(0, sizeOfCall.get(call));
    }

    /** How many activities were launched so. */
    long activities() {
        return activities;
    }

    /** How many such launches ran anything. */
    int launches() {
        return streamOfCall.size();
    }

    /** Launches whose activities ran on more than one stream. */
    int launchesOnSeveralStreams() {
        return onSeveralStreams.cardinality();
    }
}
