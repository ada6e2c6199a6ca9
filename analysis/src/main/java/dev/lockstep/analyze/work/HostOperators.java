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
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operators by name and shapes, with the time of the host: for traces without a device, where this is the time they take.
 * Self time is the duration without the operators and calls inside. Of a call inside of one of the same name and shapes the
 * total counts once.
 *
 * @param rules definitions
 */
public record HostOperators(AnalysisRules rules) implements Analysis<HostOperators.Result> {
    /** Calls of one name with equal shapes and types, which are null where they were not recorded; times in ns. */
    public record Row(
            String name,
            @Nullable String dims,
            @Nullable String types,
            long count,
            long self,
            long total,
            long longest) {}

    /** By self time, longest first. */
    public record Result(List<Row> rows) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        /** Whether any shape was recorded. */
        public boolean shapes() {
            return rows.stream().anyMatch(row -> row.dims != null);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no operators" : null;
        }
    }

    private record Key(int name, int dims, int types) {}

    private static final class Sum {
        private long count;
        private long self;
        private long total;
        private long longest;
        private final int number;

        private Sum(int number) {
            this.number = number;
        }
    }

    @Override
    public String id() {
        return "host_ops_unique_args";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        Slices slices = trace.slices();
        OpDetails details = trace.view(OpDetails.KEY);
        CallTree tree = cache.get(rules.withPython(false).tree());
        long[] inner = HostSummary.inner(slices, tree);
        Map<Key, Sum> sums = new HashMap<>();
        OutermostCalls outermost = new OutermostCalls(tree);
        for (int i = 0; i < tree.size(); i++) {
            int op = tree.node(i);
            if (slices.kind(op) != SliceKind.CPU_OP) {
                continue;
            }
            Key key = key(slices.name(op), details, op);
            Sum sum = sums.computeIfAbsent(key, k -> new Sum(sums.size()));
            sum.count++;
            sum.self += Math.max(0, slices.dur(op) - inner[op]);
            sum.total += outermost.isOne(op, sum.number) ? slices.dur(op) : 0;
            sum.longest = Math.max(sum.longest, slices.dur(op));
        }
        return new Result(rows(trace, sums));
    }

    private static Key key(int name, @Nullable OpDetails details, int op) {
        int row = details == null ? -1 : details.of(op);
        return details == null || row < 0
                ? new Key(name, -1, -1)
                : new Key(name, details.inputDims(row), details.inputTypes(row));
    }

    private static List<Row> rows(Trace trace, Map<Key, Sum> sums) {
        List<Row> rows = new ArrayList<>();
        sums.forEach((key, sum) -> rows.add(new Row(
                trace.strings().get(key.name),
                text(trace, key.dims),
                text(trace, key.types),
                sum.count,
                sum.self,
                sum.total,
                sum.longest)));
        Comparator<@Nullable String> texts = Comparator.nullsFirst(Comparator.naturalOrder());
        rows.sort(Comparator.comparingLong(Row::self)
                .reversed()
                .thenComparing(Row::name)
                .thenComparing(Row::dims, texts)
                .thenComparing(Row::types, texts));
        return rows;
    }

    private static @Nullable String text(Trace trace, int id) {
        return id < 0 ? null : trace.strings().get(id);
    }

    private static Table sheet(List<Row> rows) {
        long all = rows.stream().mapToLong(Row::self).sum();
        return new Fields<Row>()
                .add(ColumnSpec.text("name", "Name of the operator."), Row::name)
                .add(
                        ColumnSpec.arguments(
                                ColumnNames.INPUT_DIMS, "Shapes of the inputs; missing when not recorded."),
                        r -> r.dims)
                .add(
                        ColumnSpec.arguments(
                                ColumnNames.INPUT_TYPE, "Element types of the inputs; missing when not recorded."),
                        r -> r.types)
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
                                        + " same name and shapes."),
                        Row::total)
                .add(micros(ColumnNames.LONGEST_US, "Longest single duration."), Row::longest)
                .add(
                        ColumnSpec.percent("percent", "Share of the self times of all operators."),
                        r -> all == 0 ? 0.0 : 100.0 * r.self / all)
                .table("host_ops_unique_args", "CPU operators by name and shapes", rows);
    }
}
