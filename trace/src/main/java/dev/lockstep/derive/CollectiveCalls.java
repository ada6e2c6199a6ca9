// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the distinct calls of a trace by the numbers of their texts; an object is made once for each. */
final class CollectiveCalls {
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int FIELDS = 15;

    private final Trace trace;
    private final StringPool strings;
    private final @Nullable OpDetails operators;
    private final CollectiveKinds kinds;
    private final LongIntMap byHash = new LongIntMap(64);
    private final List<long[]> keys = new ArrayList<>();
    private final List<CollectiveCall> calls = new ArrayList<>();
    private long[] key = new long[FIELDS];

    CollectiveCalls(Trace trace, CollectiveKinds kinds) {
        this.trace = trace;
        this.strings = trace.strings();
        this.operators = trace.view(OpDetails.KEY);
        this.kinds = kinds;
    }

    List<CollectiveCall> all() {
        return List.copyOf(calls);
    }

    /**
     * The place of a kernel's call among the calls.
     *
     * @param kernel pool id of its name
     * @param row its row of details, -1 for none
     * @param operator the row of details of the operator that launched it, -1 for none
     * @param note the annotation around its launch, -1 for none
     */
    int of(int kernel, @Nullable CollectiveDetails details, int row, int operator, int note) {
        Arrays.fill(key, -1);
        key[0] = kernel;
        recorded(details, row, operator);
        if (note >= 0) {
            key[11] = trace.slices().name(note);
            shapes(note);
        }
        return place(null, null);
    }

    /**
     * The place of the call of a collective of the host among the calls.
     *
     * @param i which of them
     */
    int of(HostCollectives collectives, int i, @Nullable CollectiveDetails details) {
        Arrays.fill(key, -1);
        key[0] = trace.slices().name(collectives.slice(i));
        int record = collectives.record(i);
        int row = details == null || record < 0 ? -1 : details.of(record);
        recorded(details, row, -1);
        shapes(collectives.slice(i));
        HostGroups.Group group = key[2] < 0 && key[3] < 0 ? collectives.group(i) : null;
        key[10] = key[10] < 0 ? collectives.peer(i) : key[10];
        return place(collectives.library(i), group);
    }

    private void recorded(@Nullable CollectiveDetails details, int row, int operator) {
        if (details != null && row >= 0) {
            key[1] = details.collective(row);
            key[2] = details.groupName(row);
            key[3] = details.groupRanks(row);
            key[4] = details.groupSize(row);
            key[5] = details.dtype(row);
            key[6] = details.inElements(row);
            key[7] = details.outElements(row);
            key[8] = details.inSplit(row);
            key[9] = details.outSplit(row);
            key[10] = details.peer(row);
            key[14] = details.rank(row) >= 0 || operator < 0 ? details.rank(row) : details.rank(operator);
        }
    }

    private void shapes(int of) {
        int row = operators == null ? -1 : operators.of(of);
        key[12] = operators == null || row < 0 ? -1 : operators.inputDims(row);
        key[13] = operators == null || row < 0 ? -1 : operators.inputTypes(row);
    }

    /**
     * The place of the call that the key describes.
     *
     * @param library of the host that carries it out, null for a kernel; its name tells it from others
     * @param group that serves where no record names one, null for none
     */
    private int place(@Nullable String library, HostGroups.@Nullable Group group) {
        long hash = library == null ? 0 : MIX;
        for (long part : key) {
            hash = (hash ^ part) * MIX;
            hash ^= hash >>> 29;
        }
        int known = byHash.get(hash);
        while (known >= 0 && !Arrays.equals(keys.get(known), key)) {
            known = byHash.get(++hash);
        }
        if (known < 0) {
            known = calls.size();
            byHash.put(hash, known);
            calls.add(library == null ? call() : call(library, group));
            keys.add(key);
            key = new long[FIELDS];
        }
        return known;
    }

    private CollectiveCall call() {
        String kernel = strings.get((int) key[0]).intern();
        String note = text(11);
        String collective = note == null ? text(1) : note.substring(CollectiveAnnotations.PREFIX.length());
        String dtype = text(5) != null ? text(5) : CollectiveAnnotations.first(text(13));
        long elements = key[6] >= 0 ? key[6] : CollectiveAnnotations.elements(text(12));
        return new CollectiveCall(
                kernel,
                kinds.of(collective == null ? kernel : collective),
                collective,
                text(2),
                text(3),
                key[4],
                dtype,
                elements,
                key[7],
                text(8),
                text(9),
                key[10],
                key[14],
                null);
    }

    /** Sizes are those of all that the rank puts in, where no record says better. */
    private CollectiveCall call(String library, HostGroups.@Nullable Group group) {
        String slice = strings.get((int) key[0]).intern();
        String recorded = text(1);
        String name = recorded == null ? HostCollectives.plainName(slice) : recorded;
        return new CollectiveCall(
                slice,
                kinds.of(name),
                library + ':' + name,
                group == null ? text(2) : group.name().intern(),
                group == null || group.ranks() == null ? text(3) : group.ranks().intern(),
                group == null ? key[4] : group.size(),
                text(5) != null ? text(5) : CollectiveAnnotations.first(text(13)),
                key[6] >= 0 ? key[6] : CollectiveAnnotations.allElements(text(12)),
                key[7],
                text(8),
                text(9),
                key[10],
                key[14],
                library);
    }

    /** Ranks have the same texts: what outlives their traces holds each once. */
    private @Nullable String text(int field) {
        String text = strings.orNull((int) key[field]);
        return text == null ? null : text.intern();
    }
}
