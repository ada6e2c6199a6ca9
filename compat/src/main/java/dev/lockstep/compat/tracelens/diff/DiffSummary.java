// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Activities of {@link DiffStats} that agree in everything but their duration and place. */
final class DiffSummary {
    /**
     * A group.
     *
     * @param first stands for all of them
     * @param opName as it is shown: operators that the two traces call differently may share a name
     * @param module the innermost module, as it is shown
     */
    record Group(DiffStats.Row first, int count, long sumNs, String opName, String module) {
        Group renamed(String name, String shownModule) {
            return new Group(first, count, sumNs, name, shownModule);
        }

        double meanNs() {
            return (double) sumNs / count;
        }
    }

    private record Key(
            String name,
            int op,
            boolean second,
            long busy,
            @Nullable String sharedName) {}

    private static final Comparator<Group> ORDER = Comparator.comparingLong(Group::sumNs)
            .reversed()
            .thenComparing(g -> g.first.name())
            .thenComparing(g -> Integer.toString(g.count))
            .thenComparing(Group::opName)
            .thenComparing(g -> Integer.toString(g.first.opIndex()))
            .thenComparing(g -> g.first.second())
            .thenComparing(g -> decimal(g.first.busyNs()))
            .thenComparing(g -> Objects.requireNonNullElse(g.first.sharedName(), "None"));

    private DiffSummary() {}

    /** The groups, longest sum first; ties are broken by the texts of the columns. */
    static List<Group> of(List<DiffStats.Row> rows) {
        Map<Key, List<DiffStats.Row>> groups = new LinkedHashMap<>();
        for (DiffStats.Row row : rows) {
            groups.computeIfAbsent(
                            new Key(row.name(), row.op(), row.second(), row.busyNs(), row.sharedName()),
                            k -> new ArrayList<>())
                    .add(row);
        }
        List<Group> summary = new ArrayList<>(groups.size());
        for (List<DiffStats.Row> group : groups.values()) {
            DiffStats.Row first = group.getFirst();
            long sum = 0;
            for (DiffStats.Row row : group) {
                sum += row.durationNs();
            }
            summary.add(new Group(first, group.size(), sum, first.opName(), first.innermostModule()));
        }
        summary.sort(ORDER);
        return summary;
    }

    private static String decimal(long ns) {
        BigDecimal us = BigDecimal.valueOf(ns, 3).stripTrailingZeros();
        return us.scale() <= 0 ? us.toPlainString() + ".0" : us.toPlainString();
    }
}
