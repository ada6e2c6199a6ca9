// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.TYPE_BEGIN;
import static dev.lockstep.codec.PerfettoFormat.TYPE_END;
import static dev.lockstep.codec.PerfettoFormat.TYPE_INSTANT;

import dev.lockstep.table.LongList;

/** The fields of the event that is being read, without its arguments. Reused from event to event. */
final class Event {
    /** A slice with its duration, as older writers have them. */
    static final int COMPLETE = -1;

    int type;
    int phase;
    /** Process and thread that an older event says it is of, -1 where it does not. */
    long pid;

    long tid;
    long ns;
    /** Whose time that is. */
    long clock;

    long duration;
    long track;
    int name;
    int category;
    double counter;
    boolean counterIsWhole;
    /** Whether its name or category is a number that its sequence does not explain. */
    boolean lacksText;

    int bytes;
    final LongList flows = new LongList(4);
    final LongList flowEnds = new LongList(4);
    /** Whether it says that it is a call of a library of GPUs. */
    boolean isGpuCall;
    /** The render stages that it says it submitted. */
    final LongList submissions = new LongList(4);
    /** The render stages that it says it waited for. */
    final LongList awaited = new LongList(4);

    void clear(long time, long timeClock, long defaultTrack, int length) {
        type = 0;
        phase = 0;
        pid = -1;
        tid = -1;
        ns = time;
        clock = timeClock;
        duration = -1;
        track = defaultTrack;
        name = -1;
        category = -1;
        counter = Double.NaN;
        counterIsWhole = false;
        lacksText = false;
        bytes = length;
        flows.clear();
        flowEnds.clear();
        isGpuCall = false;
        submissions.clear();
        awaited.clear();
    }

    /** The value of a counter alone, to be kept. */
    Event ofCounter() {
        Event copy = new Event();
        copy.clear(ns, clock, track, bytes);
        copy.name = name;
        copy.category = category;
        copy.counter = counter;
        copy.counterIsWhole = counterIsWhole;
        return copy;
    }

    /** The type, or what it would be for the phase of an older event; 0 for what is not read. */
    int kind() {
        return type != 0
                ? type
                : switch (phase) {
                    case 'B' -> TYPE_BEGIN;
                    case 'E' -> TYPE_END;
                    case 'i', 'I', 'R', 'n' -> TYPE_INSTANT;
                    case 'X' -> duration >= 0 ? COMPLETE : 0;
                    default -> 0;
                };
    }
}
