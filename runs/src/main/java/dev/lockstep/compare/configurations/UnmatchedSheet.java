// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.CallKey;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What is compared with nothing: only some of the runs have it, or no sheet knows its times. */
final class UnmatchedSheet {
    private record Row(
            String kind, String what, String in, @Nullable String notIn) {}

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
            add(rows, labels, "type", type, timelines::has);
        }
        for (CallKey key : collectives.keys()) {
            add(
                    rows,
                    labels,
                    "collective",
                    key.text(),
                    run -> collectives.samples(run).containsKey(key));
        }
        SortedSet<String> uncompared = new TreeSet<>();
        for (int run = 0; run < labels.size(); run++) {
            uncompared.addAll(collectives.withoutLatency(run));
        }
        for (String name : uncompared) {
            rows.add(row(
                    labels,
                    "collective without latency",
                    name,
                    run -> collectives.withoutLatency(run).contains(name)));
        }
        return new Fields<Row>()
                .add(
                        ColumnSpec.text(
                                "kind",
                                "rank, type (part of the timeline), collective, or collective without latency: its kernels are"
                                        + " listed, but no sheet of the report says how long it takes without waiting."),
                        Row::kind)
                .add(ColumnSpec.text("what", "Which."), Row::what)
                .add(ColumnSpec.text("in", "Configurations that have it."), Row::in)
                .add(ColumnSpec.text("not in", "Configurations that lack it; missing for none."), Row::notIn)
                .table("unmatched", "Not compared", rows);
    }

    private static void add(List<Row> rows, List<String> labels, String kind, String what, IntPredicate has) {
        Row row = row(labels, kind, what, has);
        if (row.notIn() != null) {
            rows.add(row);
        }
    }

    private static Row row(List<String> labels, String kind, String what, IntPredicate has) {
        List<String> in = new ArrayList<>();
        List<String> notIn = new ArrayList<>();
        for (int run = 0; run < labels.size(); run++) {
            (has.test(run) ? in : notIn).add(labels.get(run));
        }
        return new Row(kind, what, String.join(", ", in), notIn.isEmpty() ? null : String.join(", ", notIn));
    }
}
