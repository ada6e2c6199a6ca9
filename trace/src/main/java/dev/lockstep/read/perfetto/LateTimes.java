// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.codec.PerfettoFormat;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;

/** The numbers of those times whose clocks were not joined with that of the trace when they were read. */
final class LateTimes {
    private final IntList numbers = new IntList(0);
    private final LongList clocks = new LongList(0);

    /** Takes something whose time is that of a later snapshot. */
    interface Mover {
        /** @param ns how much later it was */
        void move(int number, long ns);
    }

    /** Notes the number of what has the time of an event, if need be. */
    void add(int number, Event e) {
        if (e.clock != PerfettoFormat.CLOCK_BOOTTIME) {
            numbers.add(number);
            clocks.add(e.clock);
        }
    }

    /** Says of each how much its time is to be moved. */
    void move(PacketClocks known, Mover mover) {
        for (int i = 0; i < numbers.size(); i++) {
            mover.move(numbers.get(i), known.offset(clocks.get(i)));
        }
    }
}
