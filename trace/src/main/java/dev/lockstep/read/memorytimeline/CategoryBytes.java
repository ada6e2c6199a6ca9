// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.memorytimeline;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.LongList;
import java.util.List;

/** States what a memory timeline says: changes of the bytes of a category. Which blocks they are is not recorded. */
final class CategoryBytes {
    /** In the order of PyTorch's numbers for them. */
    private static final List<String> CATEGORIES = List.of(
            "parameter",
            "optimizer state",
            "input",
            "temporary",
            "activation",
            "gradient",
            "autograd detail",
            "unknown category");

    /** In lists of levels, the first column is always 0. */
    private static final int FIRST_LEVEL = 1;

    private final TraceBuilder builder;
    private final int name;
    private final int track;
    private final long[] level = new long[CATEGORIES.size()];
    private final LongList earlyBytes = new LongList(16);
    private final LongList earlyCategories = new LongList(16);
    private long earliest = -1;

    CategoryBytes(TraceBuilder builder) {
        this.builder = builder;
        name = builder.strings().intern(MemoryDetails.MARK);
        track = builder.track(
                builder.strings().intern("allocator"), builder.strings().intern("0"));
    }

    /** The bytes of each category at a time. What falls comes first, so that no total in between is above both. */
    void levels(long time, LongList levels) {
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = FIRST_LEVEL; i < levels.size(); i++) {
                int category = Math.min(i - FIRST_LEVEL, level.length - 1);
                long change = levels.get(i) - level[category];
                if (Long.signum(change) == sign) {
                    level[category] = levels.get(i);
                    state(time, change, category);
                }
            }
        }
    }

    /** A change of a category; at -1 it was there before the first of the others. */
    void change(long time, long bytes, long category) {
        int known = Math.clamp(category, 0, level.length - 1);
        if (time < 0) {
            earlyBytes.add(bytes);
            earlyCategories.add(known);
            return;
        }
        early(time);
        state(time, bytes, known);
    }

    /** States what is left when all was read. */
    void finish() {
        early(Math.max(earliest, 0));
    }

    private void early(long time) {
        earliest = earliest < 0 ? time : Math.min(earliest, time);
        for (int i = 0; i < earlyBytes.size(); i++) {
            state(earliest, earlyBytes.get(i), (int) earlyCategories.get(i));
        }
        earlyBytes.clear();
        earlyCategories.clear();
    }

    private void state(long time, long bytes, int category) {
        builder.mark('i', time, track, name, -1);
        DetailRows rows = builder.markDetails(MemoryDetails.KEY);
        rows.add(builder.markCount() - 1);
        rows.number(MemoryDetails.DEVICE, 0);
        rows.number(MemoryDetails.BYTES, bytes);
        rows.text(MemoryDetails.CATEGORY, builder.strings().intern(CATEGORIES.get(category)));
    }
}
