// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.CLOCK_BOOTTIME;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_ID;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_INCREMENTAL;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_OF_SEQUENCE;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_TIMESTAMP;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_UNIT_NS;
import static dev.lockstep.codec.PerfettoFormat.SNAPSHOT_CLOCK;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings times of all clocks to the one of the trace, by the first snapshot that has them together. Clocks that drift
 * apart during a recording stay apart.
 */
final class Clocks {
    private static final int LAST_OF_SEQUENCE = 127;

    private record Reading(long id, long ns, boolean incremental, long unit) {}

    private final Map<Long, Long> offsets = new HashMap<>();

    Clocks() {
        offsets.put((long) CLOCK_BOOTTIME, 0L);
    }

    /** Reads a snapshot. */
    void snapshot(CodedInputStream in, Sequence sequence) throws IOException {
        List<Reading> readings = new ArrayList<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == SNAPSHOT_CLOCK
                    && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                int outer = in.pushLimit(in.readRawVarint32());
                readings.add(reading(in));
                in.popLimit(outer);
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
                sequence.clocks.put(r.id, new Sequence.Clock(r.incremental, r.unit, r.ns, now - r.ns));
            } else {
                offsets.putIfAbsent(r.id, now - r.ns);
            }
        }
    }

    private static Reading reading(CodedInputStream in) throws IOException {
        long id = 0;
        long time = 0;
        boolean incremental = false;
        long unit = 1;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_VARINT) {
                in.skipField(tag);
                continue;
            }
            long value = in.readRawVarint64();
            switch (WireFormat.getTagFieldNumber(tag)) {
                case CLOCK_ID -> id = value;
                case CLOCK_TIMESTAMP -> time = value;
                case CLOCK_INCREMENTAL -> incremental = value != 0;
                case CLOCK_UNIT_NS -> unit = Math.max(1, value);
                default -> {
                    // of later versions
                }
            }
        }
        return new Reading(id, time * unit, incremental, unit);
    }

    /** The time of a packet in ns of the trace's clock. */
    long time(long timestamp, long clock, Sequence sequence) {
        if (!isOfSequence(clock)) {
            return timestamp + offsets.getOrDefault(clock, 0L);
        }
        Sequence.Clock own = sequence.clocks.get(clock);
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
        return clock >= CLOCK_OF_SEQUENCE && clock <= LAST_OF_SEQUENCE;
    }
}
