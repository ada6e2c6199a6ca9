// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Communication kernels of a rank by what they do: group, collective, type, sizes, stream. What was not recorded is
 * missing; nothing is left out.
 *
 * @param kernels tells which kernels communicate
 */
public record CallSummary(RankCollectives.Key kernels) implements Analysis<CallSummary.Result> {
    /**
     * Kernels of one rank that do the same.
     *
     * @param rank the rank's number
     * @param call what they do
     * @param stream number of the stream, -1 when not recorded
     * @param durations in ns
     */
    public record Row(int rank, CollectiveCall call, long stream, Distribution durations) {}

    /** @param rows longest sum first */
    public record Result(List<Row> rows) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(table("coll_analysis", rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no communication kernels" : null;
        }
    }

    private record Place(CollectiveCall call, long stream) {}

    /** By the rules of the program. */
    public static CallSummary standard() {
        return new CallSummary(RankCollectives.Key.standard());
    }

    @Override
    public String id() {
        return "coll_analysis";
    }

    @Override
    public Result run(DerivedCache trace) {
        return new Result(RankCollectives.isAny(trace, kernels) ? sorted(rows(trace.get(kernels))) : List.of());
    }

    /** {@code nccl_summary_long} of several ranks. */
    public static Table of(List<RankCollectives> ranks) {
        List<Row> rows = new ArrayList<>();
        ranks.forEach(rank -> rows.addAll(rows(rank)));
        return table(TableNames.NCCL_SUMMARY_LONG, sorted(rows));
    }

    private static List<Row> rows(RankCollectives kernels) {
        Map<Place, LongList> durations = new HashMap<>();
        List<CollectiveCall> calls =
                kernels.calls().stream().map(CollectiveCall::withoutKernel).toList();
        for (int i = 0; i < kernels.size(); i++) {
            durations
                    .computeIfAbsent(
                            new Place(calls.get(kernels.callIndex(i)), kernels.stream(i)), p -> new LongList(8))
                    .add(kernels.dur(i));
        }
        List<Row> rows = new ArrayList<>();
        durations.forEach((place, values) ->
                rows.add(new Row(kernels.rank(), place.call, place.stream, Distribution.of(values))));
        return rows;
    }

    private static List<Row> sorted(List<Row> rows) {
        return rows.stream()
                .sorted(Comparator.comparingLong((Row r) -> r.durations.sum())
                        .reversed()
                        .thenComparingInt(Row::rank)
                        .thenComparing(r -> r.call.toString())
                        .thenComparingLong(Row::stream))
                .toList();
    }

    private static Table table(String name, List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.id("rank", "Rank of the process."), Row::rank)
                .add(CollectiveSheets.group(), r -> r.call.group())
                .add(CollectiveSheets.groupRanks(), r -> r.call.groupRanks())
                .add(CollectiveSheets.kind(), r -> r.call.kind().word())
                .add(CollectiveSheets.collective(), r -> r.call.name())
                .add(CollectiveSheets.groupSize(), r -> CollectiveSheets.number(r.call.groupSize()))
                .add(CollectiveSheets.dtype(), r -> r.call.dtype())
                .add(CollectiveSheets.inElements(), r -> CollectiveSheets.number(r.call.inElements()))
                .add(CollectiveSheets.outElements(), r -> CollectiveSheets.number(r.call.outElements()))
                .add(CollectiveSheets.inSplit(), r -> r.call.inSplit())
                .add(CollectiveSheets.outSplit(), r -> r.call.outSplit())
                .add(CollectiveSheets.stream(), r -> CollectiveSheets.number(r.stream))
                .add(
                        CollectiveSheets.size("In msg size (MB)_first", "Put in by the rank each time."),
                        r -> CollectiveSheets.bytes(r.call, r.call.inElements()))
                .add(
                        CollectiveSheets.size("Out msg size (MB)_first", "Got out by the rank each time."),
                        r -> CollectiveSheets.bytes(r.call, r.call.outElements()))
                .add(micros("dur_sum", "Time of these kernels, waiting included."), r -> r.durations.sum())
                .add(real("dur_mean", "Mean duration."), r -> r.durations.mean())
                .add(real("dur_std", "Standard deviation (n - 1); missing for one kernel."), r -> r.durations.std())
                .add(micros("dur_min", "Shortest."), r -> r.durations.min())
                .add(micros("dur_max", "Longest."), r -> r.durations.max())
                .add(ColumnSpec.count(ColumnNames.OPERATION_COUNT, "Number of kernels."), r -> r.durations.count())
                .table(name, "Communication kernels by what they do", rows);
    }

    private static ColumnSpec real(String header, String doc) {
        return ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }
}
