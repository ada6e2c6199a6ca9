// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;

/**
 * Puts the steps of collectives together. FLEX names a place of the model at which ranks communicate (CollGroup), and a
 * collective at that place is made of sends, receives and reductions, each of which has its own name. So the n-th event of
 * one name belongs to the n-th collective at its place, on each rank.
 */
final class CollectiveSteps {
    private final TraceBuilder builder;
    private final DeviceRows rows;
    private final IntTuples tuples = new IntTuples();
    private final LongIntMap occurrences = new LongIntMap(256);
    private final LongIntMap collectives = new LongIntMap(256);
    private final LongList bytes = new LongList(64);
    private final LongList ranks = new LongList(64);

    CollectiveSteps(TraceBuilder builder, DeviceRows rows) {
        this.builder = builder;
        this.rows = rows;
    }

    /**
     * @param order the rows by start
     * @param rankOfRow a number for the rank of each row
     */
    void state(int[] order, int[] rankOfRow) {
        IntList members = new IntList(64);
        IntList of = new IntList(64);
        for (int row : order) {
            if (rows.group(row) < 0 || builder.kind(rows.slice(row)) != SliceKind.KERNEL) {
                continue;
            }
            int place = tuples.then(tuples.then(IntTuples.ROOT, rankOfRow[row]), rows.group(row));
            String name = builder.strings().get(rows.name(row));
            int step = tuples.then(place, builder.strings().intern(EventName.withoutNumber(name)));
            int n = occurrences.get(step) + 1;
            occurrences.put(step, n);
            int collective = collective(tuples.then(place, n));
            members.add(row);
            of.add(collective);
            bytes.set(collective, Math.max(bytes.get(collective), rows.bytes(row)));
            ranks.set(collective, ranks.get(collective) | EventName.ranksIn(name));
        }
        for (int i = 0; i < members.size(); i++) {
            state(members.get(i), of.get(i));
        }
    }

    private int collective(int key) {
        int known = collectives.get(key);
        if (known < 0) {
            known = bytes.size();
            collectives.put(key, known);
            bytes.add(-1);
            ranks.add(0);
        }
        return known;
    }

    private void state(int row, int collective) {
        DetailRows details = builder.details(CollectiveDetails.KEY);
        details.add(rows.slice(row));
        String group = builder.strings().get(rows.group(row));
        details.text(CollectiveDetails.COLLECTIVE, builder.strings().intern(EventName.kindOf(group)));
        details.text(CollectiveDetails.GROUP_NAME, rows.group(row));
        details.number(CollectiveDetails.STEP_OF, collective);
        if (bytes.get(collective) >= 0) {
            details.text(CollectiveDetails.DTYPE, builder.strings().intern("Byte"));
            details.number(CollectiveDetails.IN_ELEMENTS, bytes.get(collective));
            details.number(CollectiveDetails.OUT_ELEMENTS, bytes.get(collective));
        }
        if (ranks.get(collective) != 0 && ranks.get(collective) != EventName.TOO_MANY) {
            details.number(CollectiveDetails.GROUP_SIZE, Long.bitCount(ranks.get(collective)));
        }
    }
}
