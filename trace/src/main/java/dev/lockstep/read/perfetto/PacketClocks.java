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

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings times of all clocks to the one of the trace, by the first snapshot that has them together. Clocks that drift
 * apart during a recording stay apart.
 *
 * <p>Until a snapshot joins a clock with that of the trace, its times are those of another clock, its base: of the first
 * of its snapshot, or of itself.
 */
final class PacketClocks {
    private record Reading(long id, long ns, boolean incremental, long unit) {}

    /** What makes times of a clock those of its base. */
    private record Place(long base, long offset) {}

    private final Map<Long, Place> places = new HashMap<>();
    private long base = CLOCK_BOOTTIME;

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
        Reading known = known(readings);
        Place common = known == null ? new Place(CLOCK_BOOTTIME, 0) : place(known.id);
        long now = known != null ? known.ns + common.offset : readings.isEmpty() ? 0 : readings.getFirst().ns;
        for (Reading r : readings) {
            if (isOfSequence(r.id)) {
                sequence.clocks[(int) r.id - CLOCK_OF_SEQUENCE] =
                        new Sequence.Clock(r.incremental, r.unit, r.ns, common.base, now - r.ns);
            } else {
                join(r, common.base, now);
            }
        }
    }

    /** The first whose clock is joined with that of the trace; else the first whose clock is not of a sequence. */
    private @Nullable Reading known(List<Reading> readings) {
        Reading first = null;
        for (Reading r : readings) {
            if (isOfSequence(r.id)) {
                continue;
            }
            if (place(r.id).base == CLOCK_BOOTTIME) {
                return r;
            }
            first = first == null ? r : first;
        }
        return first;
    }

    private Place place(long clock) {
        return places.getOrDefault(clock, new Place(clock, 0));
    }

    /** Brings a clock, and all that have the same base, to another base; {@code now} is its time there. */
    private void join(Reading reading, long common, long now) {
        Place place = place(reading.id);
        if (place.base != common) {
            long shift = now - reading.ns - place.offset;
            places.replaceAll((id, p) -> p.base == place.base ? new Place(common, p.offset + shift) : p);
            places.put(place.base, new Place(common, shift));
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

    /** Whether a clock counts something: one of a sequence does so only when the sequence has said what. */
    boolean isKnown(long clock, Sequence sequence) {
        return !isOfSequence(clock) || sequence.clocks[(int) clock - CLOCK_OF_SEQUENCE] != null;
    }

    /** The time of a packet in ns, by the clock that {@link #base} names then. */
    long time(long timestamp, long clock, Sequence sequence) {
        base = CLOCK_BOOTTIME;
        if (clock == CLOCK_BOOTTIME) {
            return timestamp;
        }
        if (!isOfSequence(clock)) {
            Place place = places.get(clock);
            base = place == null ? clock : place.base;
            return place == null ? timestamp : timestamp + place.offset;
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
        base = own.base;
        return ns + own.offset;
    }

    /** The clock whose time {@link #time} gave last: that of the trace, or one that is not yet joined with it. */
    long base() {
        return base;
    }

    /** What brings times of a clock to the one of the trace, once all snapshots are read; 0 where none tells it. */
    long offset(long clock) {
        return place(clock).offset;
    }

    private static boolean isOfSequence(long clock) {
        return clock >= CLOCK_OF_SEQUENCE && clock < CLOCK_OF_SEQUENCE + Sequence.CLOCKS;
    }
}
