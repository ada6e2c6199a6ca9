// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.MicrosecondDoubles;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every communication kernel of every rank, in the order of ranks and of their files, and which collective each belongs
 * to in TraceLens's eyes: the n-th kernel of a process group's name on one rank is the n-th on all.
 *
 * <p>Times are doubles of microseconds, as in that tool, because totals are rounded to a decimal there.
 */
final class CollectiveFrame {
    private static final String UNKNOWN_GROUP = "Unknown_Group";
    private static final String ONE_GROUP = "all";

    private final List<RankCollectives> ranks;
    private final boolean simplified;
    private final IntList rankOf = new IntList(1024);
    private final IntList rowOf = new IntList(1024);
    private final IntList numberOf = new IntList(1024);
    private final IntList instanceOf = new IntList(1024);
    private final List<String> ids = new ArrayList<>();
    private final boolean wholeMicroseconds;
    private int[] firstOf = new int[0];
    private int[] members = new int[0];

    CollectiveFrame(List<RankCollectives> ranks) {
        this.ranks = List.copyOf(ranks);
        this.simplified = ranks.stream().allMatch(CollectiveFrame::isSimple);
        Map<String, Integer> groups = new HashMap<>();
        LongIntMap instances = new LongIntMap(1024);
        boolean whole = true;
        for (int rank = 0; rank < ranks.size(); rank++) {
            RankCollectives kernels = ranks.get(rank);
            int[] rows = inFileOrder(kernels);
            int[] number = new int[kernels.size()];
            int[] group = groups(kernels, groups);
            count(kernels, rows, group, groups.size(), number);
            for (int row : rows) {
                long key = (long) group[kernels.callIndex(row)] << 32 | number[row];
                int instance = instances.get(key);
                if (instance < 0) {
                    instance = ids.size();
                    instances.put(key, instance);
                    ids.add((simplified ? "" : groupName(kernels.call(row)) + "_") + number[row]);
                }
                rankOf.add(rank);
                rowOf.add(row);
                numberOf.add(number[row]);
                instanceOf.add(instance);
                whole &= kernels.ts(row) % 1000 == 0 && kernels.dur(row) % 1000 == 0;
            }
        }
        wholeMicroseconds = whole;
        index();
    }

    /** Whether a rank names no group and uses one stream. */
    private static boolean isSimple(RankCollectives kernels) {
        long stream = -1;
        for (int row = 0; row < kernels.size(); row++) {
            if (!kernels.linked(row)) {
                continue;
            }
            String group = kernels.call(row).group();
            long here = kernels.stream(row);
            if (group != null && !group.equals(UNKNOWN_GROUP) || here >= 0 && stream >= 0 && here != stream) {
                return false;
            }
            stream = Math.max(stream, here);
        }
        return true;
    }

    private static int[] inFileOrder(RankCollectives kernels) {
        IntList linked = new IntList(kernels.size());
        for (int row = 0; row < kernels.size(); row++) {
            if (kernels.linked(row)) {
                linked.add(row);
            }
        }
        int[] rows = linked.toArray();
        long[] keys = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            keys[i] = kernels.index(rows[i]);
        }
        LongOrder.sort(keys, rows);
        return rows;
    }

    /** The group of each call, by name. */
    private int[] groups(RankCollectives kernels, Map<String, Integer> known) {
        int[] groups = new int[kernels.calls().size()];
        for (int call = 0; call < groups.length; call++) {
            String name = groupName(kernels.calls().get(call));
            Integer group = known.putIfAbsent(name, known.size());
            groups[call] = group == null ? known.size() - 1 : group;
        }
        return groups;
    }

    /** Counts the kernels of each group by start; those that start together in the order of the file. */
    private static void count(RankCollectives kernels, int[] rows, int[] group, int groups, int[] number) {
        int[] byStart = rows.clone();
        long[] starts = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            starts[i] = MicrosecondDoubles.key(MicrosecondDoubles.of(kernels.ts(rows[i])));
        }
        LongOrder.sort(starts, byStart);
        int[] next = new int[groups];
        for (int row : byStart) {
            number[row] = next[group[kernels.callIndex(row)]]++;
        }
    }

    /** The rows of each instance, side by side. */
    private void index() {
        firstOf = new int[ids.size() + 1];
        for (int i = 0; i < size(); i++) {
            firstOf[instanceOf.get(i) + 1]++;
        }
        for (int i = 0; i < ids.size(); i++) {
            firstOf[i + 1] += firstOf[i];
        }
        int[] next = firstOf.clone();
        members = new int[size()];
        for (int i = 0; i < size(); i++) {
            members[next[instanceOf.get(i)]++] = i;
        }
    }

    /** Number of kernels. */
    int size() {
        return rankOf.size();
    }

    /** Number of collectives. */
    int instances() {
        return ids.size();
    }

    /** Whether no process group is known and every rank uses one stream, so that order alone is trusted. */
    boolean simplified() {
        return simplified;
    }

    /** Whether all times of the files are whole microseconds, which pandas prints without a point. */
    boolean wholeMicroseconds() {
        return wholeMicroseconds;
    }

    List<RankCollectives> ranks() {
        return ranks;
    }

    String id(int instance) {
        return ids.get(instance);
    }

    int instance(int i) {
        return instanceOf.get(i);
    }

    /** The kernels of a collective, in order of ranks. */
    int[] members(int instance) {
        return Arrays.copyOfRange(members, firstOf[instance], firstOf[instance + 1]);
    }

    int number(int i) {
        return numberOf.get(i);
    }

    int rank(int i) {
        return kernels(i).rank();
    }

    CollectiveCall call(int i) {
        return kernels(i).call(rowOf.get(i));
    }

    long tsNs(int i) {
        return kernels(i).ts(rowOf.get(i));
    }

    long durNs(int i) {
        return kernels(i).dur(rowOf.get(i));
    }

    double ts(int i) {
        return MicrosecondDoubles.of(tsNs(i));
    }

    double dur(int i) {
        return MicrosecondDoubles.of(durNs(i));
    }

    double end(int i) {
        return ts(i) + dur(i);
    }

    @Nullable
    Long stream(int i) {
        return number(kernels(i).stream(rowOf.get(i)));
    }

    String group(int i) {
        return groupName(call(i));
    }

    /** The recorded name; custom all-reduce kernels have one without a record. */
    @Nullable
    String collective(int i) {
        return collective(call(i));
    }

    static @Nullable String collective(CollectiveCall call) {
        boolean custom = call.collective() == null
                && call.kernel().toLowerCase(Locale.ROOT).contains("cross_device_reduce");
        return custom ? "allreduce" : call.collective();
    }

    static @Nullable Long number(long value) {
        return value < 0 ? null : Long.valueOf(value);
    }

    private String groupName(CollectiveCall call) {
        return simplified ? ONE_GROUP : call.group() == null ? UNKNOWN_GROUP : call.group();
    }

    private RankCollectives kernels(int i) {
        return ranks.get(rankOf.get(i));
    }
}
