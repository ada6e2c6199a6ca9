// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import dev.lockstep.codec.PlainPickle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is looked at of one entry of a dump, by number. Entries of a dump have the same keys in the same order: these are kept. */
final class EntryFields {
    static final int NAME = 0;
    static final int STATE = 1;
    static final int GROUP = 2;
    static final int GROUP_ID = 3;
    static final int COLLECTIVE = 4;
    static final int MESSAGE = 5;
    static final int OLD_SEQUENCE = 6;
    static final int IS_MESSAGE = 7;
    static final int IN_SIZES = 8;
    static final int OUT_SIZES = 9;
    static final int IN_TYPES = 10;
    static final int OUT_TYPES = 11;
    static final int CREATED = 12;
    static final int SEEN_STARTED = 13;
    static final int SEEN_COMPLETED = 14;
    static final int FRAMES = 15;
    static final int STACK = 16;
    static final int RECORD = 17;
    static final int RANKS = 18;

    private static final List<String> KEYS = List.of(
            "profiling_name",
            "state",
            "process_group",
            "pg_id",
            "collective_seq_id",
            "p2p_seq_id",
            "seq_id",
            "is_p2p",
            "input_sizes",
            "output_sizes",
            "input_dtypes",
            "output_dtypes",
            "time_created_ns",
            "time_discovered_started_ns",
            "time_discovered_completed_ns",
            "frames",
            "stack_id",
            "record_id",
            "process_group_ranks");

    private final Map<String, Integer> numbers = new HashMap<>();
    private final @Nullable Object[] values = new Object[KEYS.size()];
    private @Nullable Object[] keys = new Object[32];
    private int[] fields = new int[32];

    EntryFields() {
        KEYS.forEach(key -> numbers.put(key, numbers.size()));
    }

    /** Takes the members of an entry: keys and values in turn. Says whether it is one. */
    @SuppressWarnings("ReferenceEquality") // the memo gives each key as one object
    boolean take(Object[] members, int from, int to) {
        Arrays.fill(values, null);
        int count = (to - from) / 2;
        if (count > keys.length) {
            keys = Arrays.copyOf(keys, count);
            fields = Arrays.copyOf(fields, count);
        }
        for (int i = 0; i < count; i++) {
            Object key = members[from + 2 * i];
            if (keys[i] != key) {
                keys[i] = key;
                fields[i] = key instanceof String text ? numbers.getOrDefault(text, -1) : -1;
            }
            if (fields[i] >= 0) {
                values[fields[i]] = known(members[from + 2 * i + 1]);
            }
        }
        return values[NAME] instanceof String && values[STATE] != null;
    }

    /** Takes an entry that is a dictionary. */
    void take(Map<?, ?> entry) {
        for (int field = 0; field < values.length; field++) {
            values[field] = known(entry.get(KEYS.get(field)));
        }
    }

    /** What says nothing is as absent. */
    private static @Nullable Object known(@Nullable Object value) {
        return value == PlainPickle.Other.NONE ? null : value;
    }

    @Nullable
    Object get(int field) {
        return values[field];
    }

    String text(int field) {
        return Plain.text(values[field]);
    }

    long whole(int field, long absent) {
        return Plain.whole(values[field], absent);
    }
}
