// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the diff says about groups of device activities of trace 1, for sheets that show such groups. */
public final class LaunchComparison {
    /**
     * What the merged tree says about a group of activities.
     *
     * @param ids numbers of the shared nodes above them, ascending, as the tool prints them
     * @param names their names, in the same order
     * @param matched how many of these nodes have work of trace 2
     * @param firstNs time of trace 1 below these nodes
     * @param secondNs time of trace 2 below these nodes
     */
    public record Shared(List<String> ids, List<String> names, int matched, long firstNs, long secondNs) {
        /** Time of trace 2 over that of trace 1; NaN when trace 1 has none. */
        public double ratio() {
            return firstNs == 0 ? Double.NaN : (double) secondNs / firstNs;
        }
    }

    private static final class Node {
        private @Nullable String name;
        private long firstNs = -1;
        private long secondNs;
        private boolean hasSecond;
    }

    private final Map<Integer, IntList> nodesOf = new HashMap<>();
    private final Map<Integer, Node> nodes = new TreeMap<>();
    private boolean fractions;

    LaunchComparison(List<DiffStats.Row> rows) {
        for (DiffStats.Row row : rows) {
            if (row.shared() < 0) {
                fractions = true;
                continue;
            }
            Node node = nodes.computeIfAbsent(row.shared(), s -> new Node());
            if (row.second()) {
                node.secondNs = node.hasSecond ? node.secondNs : row.busyNs();
                node.hasSecond = true;
            } else {
                if (node.firstNs < 0) {
                    node.firstNs = row.busyNs();
                    node.name = row.sharedName();
                }
                nodesOf.computeIfAbsent(row.activity(), a -> new IntList(1)).add(row.shared());
            }
        }
    }

    /** Whether there is anything to say. */
    public boolean isEmpty() {
        return nodesOf.isEmpty();
    }

    /** What is said of these device slices of trace 1 together, or null when they stand below no difference. */
    public @Nullable Shared of(IntList deviceSlices) {
        Set<Integer> ids = new LinkedHashSet<>();
        for (int i = 0; i < deviceSlices.size(); i++) {
            IntList above = nodesOf.get(deviceSlices.get(i));
            for (int k = 0; above != null && k < above.size(); k++) {
                ids.add(above.get(k));
            }
        }
        if (ids.isEmpty()) {
            return null;
        }
        List<Integer> ascending = ids.stream().sorted().toList();
        List<String> names = new ArrayList<>();
        int matched = 0;
        long first = 0;
        long second = 0;
        for (int id : ascending) {
            Node node = nodes.get(id);
            if (node != null) {
                if (node.name != null && !node.name.isEmpty()) {
                    names.add(node.name);
                }
                matched += node.hasSecond ? 1 : 0;
                first += node.firstNs;
                second += node.secondNs;
            }
        }
        return new Shared(ascending.stream().map(this::text).toList(), names, matched, first, second);
    }

    /** Where some activity stands below no shared node, the tool's numbers have become floats. */
    private String text(int id) {
        return fractions ? id + ".0" : Integer.toString(id);
    }
}
