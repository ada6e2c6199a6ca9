// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.SliceKind;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which call recorded a HIP event that a stream waited for. Handles of events are used again and again: what counts is the last
 * recording before the call that waits, by the numbers of the calls.
 */
final class RocpdEvents {
    /** What a stream does that waits, as other recorders call it. */
    private static final String WAIT = "Stream Wait Event";

    /**
     * A recording of an event, or a wait for one.
     *
     * @param number of the call
     * @param start when the device began with it
     */
    private record Use(
            RocmProcess process,
            boolean waits,
            long handle,
            long agent,
            long stream,
            long number,
            long start,
            long end) {}

    private final List<Use> uses = new ArrayList<>();

    /** Takes a row; what neither records nor waits is passed over. */
    void add(RocmProcess process, String operation, long handle, long[] place, long number, long start, long end) {
        String upper = operation.toUpperCase(Locale.ROOT);
        if (upper.contains("WAIT") || upper.contains("RECORD")) {
            uses.add(new Use(process, upper.contains("WAIT"), handle, place[0], place[1], number, start, end));
        }
    }

    /** States the waits, with the recordings that they waited for. */
    void resolve() {
        uses.sort(Comparator.comparingLong(Use::number));
        Map<RocmProcess, LongIntMap> recorded = new HashMap<>();
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            LongIntMap byHandle = recorded.computeIfAbsent(use.process, process -> new LongIntMap(16));
            if (!use.waits) {
                byHandle.put(use.handle, i);
                continue;
            }
            int name = use.process.rows().intern(WAIT);
            int slice = use.process.device(
                    SliceKind.DEVICE_SYNC, use.start, use.end, name, use.agent, use.stream, use.number);
            int recording = byHandle.get(use.handle);
            if (slice >= 0 && recording >= 0) {
                use.process.waited(slice, uses.get(recording).stream, uses.get(recording).number);
            }
        }
    }
}
