// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;

/** What is known of each slice of the device beyond the trace's columns, until the whole file was read. */
final class DeviceRows {
    static final long NO_CYCLES = -1;
    private static final EventName.Step[] STEPS = EventName.Step.values();

    private final IntList slices = new IntList(1024);
    private final IntList tracks = new IntList(1024);
    private final IntList names = new IntList(1024);
    private final IntList kinds = new IntList(1024);
    private final IntList groups = new IntList(1024);
    private final LongList dur = new LongList(1024);
    private final LongList cycles = new LongList(1024);
    private final LongList bytes = new LongList(1024);

    int size() {
        return slices.size();
    }

    /**
     * @param name pool id of the name before it was shortened
     * @param told what that name says
     * @param group pool id of the group of collectives, -1 for none
     */
    void add(int slice, int track, int name, EventName told, int group) {
        kinds.add(told.step().ordinal() << 1 | (told.remote() ? 1 : 0));
        slices.add(slice);
        tracks.add(track);
        names.add(name);
        groups.add(group);
    }

    /**
     * States what was measured of the row added last.
     *
     * @param duration in ns, as the host tells; -1 when the event has no end
     * @param cycleCount how long the step took by the device's counters, {@link #NO_CYCLES} when that does not matter
     */
    void measured(long duration, long cycleCount, long byteCount) {
        dur.add(duration);
        cycles.add(cycleCount);
        bytes.add(byteCount);
    }

    int slice(int row) {
        return slices.get(row);
    }

    int track(int row) {
        return tracks.get(row);
    }

    int name(int row) {
        return names.get(row);
    }

    int group(int row) {
        return groups.get(row);
    }

    EventName.Step step(int row) {
        return STEPS[kinds.get(row) >> 1];
    }

    boolean remote(int row) {
        return (kinds.get(row) & 1) == 1;
    }

    /** Duration in ns, as the host tells; -1 when the event has no end. */
    long dur(int row) {
        return dur.get(row);
    }

    long cycles(int row) {
        return cycles.get(row);
    }

    long bytes(int row) {
        return bytes.get(row);
    }

    void dur(int row, long duration) {
        dur.set(row, duration);
    }
}
