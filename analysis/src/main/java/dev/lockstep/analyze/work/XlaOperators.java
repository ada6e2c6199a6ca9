// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.XlaDetails;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instructions of compiled programs of XLA: what they work on, what the device took for them, and how fast that was. Times
 * are those of all activity that the trace assigns to an instruction. Work is what the program states, or the products in
 * matrix multiplications and convolutions of the instruction and what it calls.
 *
 * @param rules definitions
 */
public record XlaOperators(AnalysisRules rules) implements Analysis<XlaOperators.Result> {
    private static final double NS_PER_S = 1e9;

    /** An instruction; pool ids are those of the trace. */
    private record Key(int module, long program, int instruction, int operands) {}

    private static final class Sum {
        private final int row;
        private final Map<Integer, Integer> kernels = new HashMap<>();
        private long count;
        private long ns;

        private Sum(int row) {
            this.row = row;
        }
    }

    /**
     * An instruction.
     *
     * @param runs how often it ran: as often as its kernel that ran most
     * @param count of kernels and copies
     * @param ns time of these
     * @param share of all device activity, in percent
     * @param flops of a run, -1 where not known
     * @param bytes of a run, -1 where not known
     */
    public record Row(
            @Nullable String module,
            String instruction,
            @Nullable String category,
            @Nullable String operator,
            @Nullable String source,
            @Nullable String operands,
            @Nullable String result,
            long runs,
            long count,
            long ns,
            double share,
            long flops,
            long bytes) {
        private @Nullable Double perSecond(long work) {
            return work < 0 || ns == 0 ? null : work * (double) runs / (ns / NS_PER_S);
        }
    }

    /** The instructions, the longest first. */
    public record Result(List<Row> rows) implements AnalysisResult {
        /** Copies the list. */
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(table(rows));
        }
    }

    @Override
    public String id() {
        return "xla_operators";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        XlaDetails xla = trace.view(XlaDetails.KEY);
        if (xla == null) {
            return new Result(List.of());
        }
        Slices slices = trace.slices();
        DeviceActivity activity = cache.get(rules.activity());
        Map<Key, Sum> sums = new LinkedHashMap<>();
        long whole = 0;
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            int row = xla.of(slice);
            whole += slices.dur(slice);
            if (row >= 0 && xla.instruction(row) >= 0) {
                Key key = new Key(xla.module(row), xla.program(row), xla.instruction(row), xla.operands(row));
                Sum sum = sums.computeIfAbsent(key, k -> new Sum(row));
                sum.kernels.merge(slices.name(slice), 1, Integer::sum);
                sum.count++;
                sum.ns += slices.dur(slice);
            }
        }
        List<Row> rows = new ArrayList<>();
        for (Sum sum : sums.values()) {
            rows.add(row(trace, xla, sum, whole));
        }
        rows.sort(Comparator.comparingLong((Row row) -> -row.ns)
                .thenComparing(row -> String.valueOf(row.module))
                .thenComparing(Row::instruction)
                .thenComparing(row -> String.valueOf(row.operands)));
        return new Result(rows);
    }

    private static Row row(Trace trace, XlaDetails xla, Sum sum, long whole) {
        int row = sum.row;
        return new Row(
                trace.strings().orNull(xla.module(row)),
                trace.strings().get(xla.instruction(row)),
                trace.strings().orNull(xla.category(row)),
                trace.strings().orNull(xla.operator(row)),
                trace.strings().orNull(xla.source(row)),
                trace.strings().orNull(xla.operands(row)),
                trace.strings().orNull(xla.shape(row)),
                sum.kernels.values().stream().mapToInt(Integer::intValue).max().orElse(0),
                sum.count,
                sum.ns,
                whole == 0 ? 0 : 100.0 * sum.ns / whole,
                xla.flops(row),
                xla.bytes(row));
    }

    private static Table table(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.text("instruction", "Name of the instruction in its program."), Row::instruction)
                .add(ColumnSpec.text("category", "Kind of instruction, as XLA calls it."), Row::category)
                .add(ColumnSpec.text("module", "Program that it belongs to."), Row::module)
                .add(ColumnSpec.text("operator", "Operator of the user's program that it was made of."), Row::operator)
                .add(ColumnSpec.text("source", "File and line of the user's program."), Row::source)
                .add(ColumnSpec.json("operands", "Types of what it works on, with their layouts."), Row::operands)
                .add(ColumnSpec.text("result", "Type of what comes out."), Row::result)
                .add(ColumnSpec.count("runs", "How often it ran: as often as its kernel that ran most."), Row::runs)
                .add(ColumnSpec.count("kernels", "Kernels, copies and fills that ran for it."), Row::count)
                .add(millis("time ms", "Time of these, added up."), Row::ns)
                .add(ColumnSpec.percent("device time %", "Share of the durations of all device activity."), Row::share)
                .add(
                        ColumnSpec.real("time of a run us", Unit.NANOSECONDS, Unit.MICROSECONDS, "Time over runs."),
                        row -> (double) row.ns / row.runs)
                .add(
                        ColumnSpec.real(
                                "work GFLOP",
                                Unit.FLOPS,
                                Unit.GIGAFLOPS,
                                "Floating-point operations of a run; missing where none are known."),
                        row -> row.flops < 0 ? null : (double) row.flops)
                .add(
                        ColumnSpec.real(
                                "data MiB",
                                Unit.BYTES,
                                Unit.MEBIBYTES,
                                "Bytes that a run reads and writes at least; missing where they are not known."),
                        row -> row.bytes < 0 ? null : (double) row.bytes)
                .add(
                        ColumnSpec.real(
                                "speed TFLOP/s", Unit.FLOPS_PER_SECOND, Unit.TERAFLOPS_PER_SECOND, "Work over time."),
                        row -> row.perSecond(row.flops))
                .add(
                        ColumnSpec.real(
                                "speed TB/s", Unit.BYTES_PER_SECOND, Unit.TERABYTES_PER_SECOND, "Data over time."),
                        row -> row.perSecond(row.bytes))
                .table("xla_operators", "Instructions of XLA", rows);
    }
}
