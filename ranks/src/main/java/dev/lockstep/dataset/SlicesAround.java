// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.table.IntList;

/** Finds the innermost slice of a host thread around a moment. Moments are asked for in order of time. */
final class SlicesAround {
    private final SlicePlaces places;
    private final IntList[] byTrack;
    private final int[] next;
    private final int[] last;

    SlicesAround(SlicePlaces places) {
        this.places = places;
        int tracks = places.trace.tracks().size();
        byTrack = new IntList[tracks];
        next = new int[tracks];
        last = new int[tracks];
        for (int i = 0; i < tracks; i++) {
            byTrack[i] = new IntList(16);
            last[i] = -1;
        }
        for (int i = 0; i < places.slices.size(); i++) {
            if (places.slices.kind(i).isHost()) {
                byTrack[places.slices.track(i)].add(i);
            }
        }
    }

    /** The innermost slice of the thread that holds the moment, or -1. */
    int at(int track, long ts) {
        IntList mine = byTrack[track];
        while (next[track] < mine.size() && places.slices.ts(mine.get(next[track])) <= ts) {
            last[track] = mine.get(next[track]++);
        }
        int open = last[track];
        while (open >= 0 && places.slices.end(open) < ts) {
            open = places.nesting.around(open);
        }
        return open;
    }
}
