// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.configurations;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** What only some of the runs have, so that it is beside nothing. */
final class UnmatchedSheet {
    private record Row(String kind, String what, String in, String notIn) {}

    private UnmatchedSheet() {}

    static Table of(List<String> labels, TimelineComparison timelines, CollectiveComparison collectives) {
        List<Row> rows = new ArrayList<>();
        SortedSet<Integer> ranks = new TreeSet<>();
        for (int run = 0; run < labels.size(); run++) {
            ranks.addAll(timelines.ranks(run));
        }
        for (int rank : ranks) {
            add(
                    rows,
                    labels,
                    "rank",
                    Integer.toString(rank),
                    run -> timelines.ranks(run).contains(rank));
        }
        for (String type : timelines.types()) {
            add(rows, labels, "type", type, run -> timelines.has(run, type));
        }
        for (CallKey key : collectives.keys()) {
            add(
                    rows,
                    labels,
                    "collective",
                    key.text(),
                    run -> collectives.samples(run).containsKey(key));
        }
        return new Fields<Row>()
                .add(ColumnSpec.text("kind", "rank, type (part of the timeline) or collective."), Row::kind)
                .add(ColumnSpec.text("what", "Which."), Row::what)
                .add(ColumnSpec.text("in", "Configurations that have it."), Row::in)
                .add(ColumnSpec.text("not in", "Configurations that lack it."), Row::notIn)
                .table("unmatched", "What only some of the configurations have", rows);
    }

    private static void add(List<Row> rows, List<String> labels, String kind, String what, IntPredicate has) {
        List<String> in = new ArrayList<>();
        List<String> notIn = new ArrayList<>();
        for (int run = 0; run < labels.size(); run++) {
            (has.test(run) ? in : notIn).add(labels.get(run));
        }
        if (!notIn.isEmpty()) {
            rows.add(new Row(kind, what, String.join(", ", in), String.join(", ", notIn)));
        }
    }
}
