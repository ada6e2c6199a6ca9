// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_BOOTTIME;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_ID;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_INCREMENTAL;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_OF_SEQUENCE;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_TIMESTAMP;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_UNIT_NS;
import static dev.lockstep.codec.PerfettoFormat.SNAPSHOT_CLOCK;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import dev.lockstep.read.perfetto.ProtoCursor.Damaged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings times of all clocks to the one of the trace, by the first snapshot that has them together. Clocks that drift
 * apart during a recording stay apart.
 */
final class Clocks {
    private record Reading(long id, long ns, boolean incremental, long unit) {}

    private final Map<Long, Long> offsets = new HashMap<>();

    Clocks() {
        offsets.put((long) CLOCK_BOOTTIME, 0L);
    }

    /** Reads a snapshot. */
    void snapshot(ProtoCursor in, Sequence sequence) throws Damaged {
        List<Reading> readings = new ArrayList<>();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag == (SNAPSHOT_CLOCK << 3 | BYTES)) {
                int outer = in.enter();
                readings.add(reading(in));
                in.leave(outer);
            } else {
                in.skipField(tag);
            }
        }
        long now = readings.isEmpty() ? 0 : readings.getFirst().ns;
        for (Reading r : readings) {
            Long offset = isOfSequence(r.id) ? null : offsets.get(r.id);
            if (offset != null) {
                now = r.ns + offset;
                break;
            }
        }
        for (Reading r : readings) {
            if (isOfSequence(r.id)) {
                sequence.clocks[(int) r.id - CLOCK_OF_SEQUENCE] =
                        new Sequence.Clock(r.incremental, r.unit, r.ns, now - r.ns);
            } else {
                offsets.putIfAbsent(r.id, now - r.ns);
            }
        }
    }

    private static Reading reading(ProtoCursor in) throws Damaged {
        long id = 0;
        long time = 0;
        boolean incremental = false;
        long unit = 1;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case CLOCK_ID << 3 | VARINT -> id = in.varint();
                case CLOCK_TIMESTAMP << 3 | VARINT -> time = in.varint();
                case CLOCK_INCREMENTAL << 3 | VARINT -> incremental = in.varint() != 0;
                case CLOCK_UNIT_NS << 3 | VARINT -> unit = Math.max(1, in.varint());
                default -> in.skipField(tag);
            }
        }
        return new Reading(id, time * unit, incremental, unit);
    }

    /** The time of a packet in ns of the trace's clock. */
    long time(long timestamp, long clock, Sequence sequence) {
        if (clock == CLOCK_BOOTTIME) {
            return timestamp;
        }
        if (!isOfSequence(clock)) {
            return timestamp + offsets.getOrDefault(clock, 0L);
        }
        Sequence.Clock own = sequence.clocks[(int) clock - CLOCK_OF_SEQUENCE];
        if (own == null) {
            return timestamp;
        }
        long ns = timestamp * own.unitNs;
        if (own.incremental) {
            own.last += ns;
            ns = own.last;
        }
        return ns + own.offset;
    }

    private static boolean isOfSequence(long clock) {
        return clock >= CLOCK_OF_SEQUENCE && clock < CLOCK_OF_SEQUENCE + Sequence.CLOCKS;
    }
}
