// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which operator issued which collective of the host, and recorded its parameters. Confined to one thread. */
final class HostIssues {
    /** A library is so many collectives behind at most. */
    private static final int FARTHEST = 1024;

    private final Trace trace;
    private final Slices slices;
    private final @Nullable OpDetails operators;
    private final CollectiveKinds kinds = CollectiveKinds.standard();
    private final int[] issues;
    private final int[] recordOf;
    private final BitSet taken;
    private int[] found = new int[0];

    /**
     * @param issues operators that issue collectives, of whatever library, in order
     * @param records records of parameters, in order
     */
    HostIssues(Trace trace, DerivedCache cache, int[] issues, int[] records) {
        this.trace = trace;
        this.issues = issues;
        slices = trace.slices();
        operators = trace.view(OpDetails.KEY);
        recordOf = recordOf(records);
        taken = onDevices(cache);
    }

    /** By issuing operator: the record of parameters that it made, as a slice, -1 for none. */
    private int[] recordOf(int[] records) {
        int[] made = new int[issues.length];
        Arrays.fill(made, -1);
        int[] open = new int[trace.tracks().size()];
        Arrays.fill(open, -1);
        int next = 0;
        for (int record : records) {
            while (next < issues.length && issues[next] < record) {
                open[slices.track(issues[next])] = next++;
            }
            int around = open[slices.track(record)];
            if (around >= 0 && made[around] < 0 && slices.ts(record) < slices.end(issues[around])) {
                made[around] = record;
            }
        }
        return made;
    }

    /** The operators whose collectives run on devices: those that launch kernels which communicate. */
    private BitSet onDevices(DerivedCache cache) {
        BitSet launching = new BitSet(issues.length);
        KernelClass[] classes = cache.get(new KernelRules.Classes(KernelRules.standard()));
        LaunchLinks links = null;
        for (int i = 0; i < classes.length; i++) {
            if (classes[i] == KernelClass.COMMUNICATION && slices.kind(i) == SliceKind.KERNEL) {
                links = links == null ? cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION)) : links;
                int around = links.launchOf(i) < 0 ? -1 : around(links.launchOf(i));
                if (around >= 0) {
                    launching.set(around);
                }
            }
        }
        return launching;
    }

    /** The issuing operator around a call, -1 for none; of several in one another the innermost. */
    private int around(int call) {
        int at = Arrays.binarySearch(issues, call);
        int last = Math.max(0, -at - 1 - FARTHEST);
        for (int i = -at - 2; i >= last; i--) {
            if (slices.track(issues[i]) == slices.track(call)) {
                return slices.end(issues[i]) > slices.ts(call) ? i : -1;
            }
        }
        return -1;
    }

    /**
     * The operator that issued each collective, -1 for none. A library begins collectives in the order in which they were issued: each
     * belongs to the earliest operator of its kind that is left, of several with other shapes to the earliest with the same.
     */
    int[] of(int[] collectives) {
        Map<CollectiveKind, IntList> left = new EnumMap<>(CollectiveKind.class);
        for (int i = 0; i < issues.length; i++) {
            String name = trace.name(issues[i]).substring(HostCollectives.ISSUES.length());
            if (!taken.get(i)) {
                left.computeIfAbsent(kinds.of(name), k -> new IntList(16)).add(i);
            }
        }
        Map<CollectiveKind, Integer> firsts = new EnumMap<>(CollectiveKind.class);
        found = new int[collectives.length];
        int[] operatorOf = new int[collectives.length];
        for (int c = 0; c < collectives.length; c++) {
            CollectiveKind kind = kinds.of(HostCollectives.plainName(trace.name(collectives[c])));
            IntList queue = left.get(kind);
            int first = firsts.getOrDefault(kind, 0);
            while (queue != null && first < queue.size() && taken.get(queue.get(first))) {
                first++;
            }
            firsts.put(kind, first);
            found[c] = queue == null ? -1 : earliest(queue, first, collectives[c]);
            operatorOf[c] = found[c] < 0 ? -1 : issues[found[c]];
            if (found[c] >= 0) {
                taken.set(found[c]);
            }
        }
        return operatorOf;
    }

    private int earliest(IntList queue, int first, int collective) {
        int earliest = -1;
        String wanted = dims(collective);
        for (int i = first; i < queue.size() && i < first + FARTHEST; i++) {
            int one = queue.get(i);
            if (slices.ts(issues[one]) > slices.ts(collective)) {
                break;
            }
            if (!taken.get(one)) {
                String all = wanted == null ? null : dims(issues[one]);
                if (all == null || wanted == null || all.contains(wanted.substring(1, wanted.length() - 1))) {
                    return one;
                }
                earliest = earliest < 0 ? one : earliest;
            }
        }
        return earliest;
    }

    private @Nullable String dims(int of) {
        int row = operators == null ? -1 : operators.of(of);
        String text = operators == null || row < 0 ? null : trace.strings().orNull(operators.inputDims(row));
        return text == null || text.length() < 2 ? null : text;
    }

    /** By collective, as asked for last: the record of its parameters, as a slice, -1 for none. */
    int[] records() {
        return Arrays.stream(found).map(i -> i < 0 ? -1 : recordOf[i]).toArray();
    }
}
