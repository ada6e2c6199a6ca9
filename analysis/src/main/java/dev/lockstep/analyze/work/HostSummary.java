// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the host spends its time on: operators and library calls by name. Self time is the duration without the operators
 * and calls inside; self times of one thread never overlap. Of a call inside of one of the same name the total counts once.
 *
 * @param rules definitions
 */
public record HostSummary(AnalysisRules rules) implements Analysis<HostSummary.Result> {
    /** All slices of one name and kind; times in ns. */
    public record Row(String name, SliceKind kind, long count, long total, long self, long longest) {}

    /** By self time, longest first. */
    public record Result(List<Row> rows) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no operators and no library calls on the host" : null;
        }
    }

    @Override
    public String id() {
        return "host_summary";
    }

    @Override
    public Result run(DerivedCache cache) {
        Slices slices = cache.trace().slices();
        CallTree tree = cache.get(rules.withPython(false).tree());
        long[] inner = inner(slices, tree);
        int names = cache.trace().strings().size();
        int kinds = SliceKind.values().length;
        long[][] sums = new long[names * kinds][];
        OutermostCalls outermost = new OutermostCalls(tree);
        for (int i = 0; i < tree.size(); i++) {
            int node = tree.node(i);
            int group = slices.name(node) * kinds + slices.kind(node).ordinal();
            long[] sum = sums[group];
            if (sum == null) {
                sum = new long[4];
                sums[group] = sum;
            }
            sum[0]++;
            sum[1] += outermost.isOne(node, group) ? slices.dur(node) : 0;
            sum[2] += Math.max(0, slices.dur(node) - inner[node]);
            sum[3] = Math.max(sum[3], slices.dur(node));
        }
        List<Row> rows = new ArrayList<>();
        for (int group = 0; group < sums.length; group++) {
            long[] sum = sums[group];
            if (sum != null) {
                rows.add(new Row(
                        cache.trace().strings().get(group / kinds),
                        SliceKind.values()[group % kinds],
                        sum[0],
                        sum[1],
                        sum[2],
                        sum[3]));
            }
        }
        rows.sort(Comparator.comparingLong(Row::self)
                .reversed()
                .thenComparing(Row::name)
                .thenComparing(Row::kind));
        return new Result(rows);
    }

    /** How long each node's children last together, in ns. */
    static long[] inner(Slices slices, CallTree tree) {
        long[] inner = new long[slices.size()];
        for (int i = 0; i < tree.size(); i++) {
            int node = tree.node(i);
            int parent = tree.parent(node);
            if (parent >= 0) {
                inner[parent] += slices.dur(node);
            }
        }
        return inner;
    }

    private static Table sheet(List<Row> rows) {
        long all = rows.stream().mapToLong(Row::self).sum();
        return new Fields<Row>()
                .add(ColumnSpec.text("name", "Name of the operator or call."), Row::name)
                .add(
                        ColumnSpec.text(
                                "kind",
                                "cpu_op: operator of the framework; runtime_call, driver_call: call of the vendor's"
                                        + " library."),
                        r -> r.kind.name().toLowerCase(Locale.ROOT))
                .add(ColumnSpec.count("count", "Number of calls."), Row::count)
                .add(
                        millis(
                                ColumnNames.SELF_TIME_MS,
                                "Duration without the operators and calls inside, summed over the calls."),
                        Row::self)
                .add(
                        millis(
                                ColumnNames.TOTAL_TIME_MS,
                                "Duration with everything inside, summed over the calls that lie in no other of the"
                                        + " same name."),
                        Row::total)
                .add(micros(ColumnNames.LONGEST_US, "Longest single duration."), Row::longest)
                .add(
                        ColumnSpec.percent("percent", "Share of all self time."),
                        r -> all == 0 ? 0.0 : 100.0 * r.self / all)
                .table("host_summary", "CPU operators and calls", rows);
    }
}
