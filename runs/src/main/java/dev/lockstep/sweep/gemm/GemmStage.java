// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.gemm.Gemm;
import dev.lockstep.analyze.gemm.GemmPool;
import dev.lockstep.analyze.gemm.GemmTables;
import dev.lockstep.analyze.gemm.GemmVariance;
import dev.lockstep.analyze.gemm.PlacedGemm;
import dev.lockstep.analyze.gemm.RankGemms;
import dev.lockstep.runs.Configuration;
import dev.lockstep.sweep.ConfigurationRun;
import dev.lockstep.sweep.Extract;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The matrix multiplications of a sweep. Ask its {@link #extract} of every trace, hand over the configurations that
 * {@link dev.lockstep.sweep.RunPass} gives, then ask for the files. Of each rank the rows that lose most time by varying
 * are kept, of all others sums.
 */
public final class GemmStage {
    private static final List<String> FIRST = List.of(
            "threads",
            "channel",
            "rank",
            ColumnNames.GEMM_KERNEL_NAME,
            ColumnNames.KERNEL_TIME_MIN_US,
            ColumnNames.KERNEL_TIME_MAX_US,
            ColumnNames.TIME_DIFF_US);
    private static final String OPERATORS = "col_";

    private final GemmVariance analysis = GemmVariance.standard();
    private final Extract<RankGemms> extract = trace -> analysis.run(trace.derived());
    private final GemmPool pool = new GemmPool();
    private final List<VarianceRow> rows = new ArrayList<>();
    private final int topK;
    private final Selection selection;

    /**
     * @param topK how many rows to keep of each rank
     * @param selection which ranks count
     */
    public GemmStage(int topK, Selection selection) {
        this.topK = topK;
        this.selection = selection;
    }

    /** What is taken from every trace. */
    public Extract<RankGemms> extract() {
        return extract;
    }

    /** Adds the ranks of a configuration, those of which a part is missing too; returns how many rows were kept. */
    public int add(ConfigurationRun run) {
        int before = rows.size();
        run.all(extract).forEach((rank, gemms) -> {
            if (selection.wantsRank(rank)) {
                pool.add(run.configuration().label(), gemms);
                add(run.configuration(), rank, gemms);
            }
        });
        return rows.size() - before;
    }

    /** Adds the report of a rank whose trace is not at hand; its rows are ordered by their range. */
    int add(Configuration configuration, int rank, Collection<ReportedGemm> reported) {
        List<VarianceRow> kept = reported.stream()
                .map(gemm -> VarianceRow.of(
                        configuration.label(),
                        configuration.settings().threads(),
                        configuration.settings().channels(),
                        rank,
                        gemm))
                .sorted(VarianceRow.ORDER)
                .limit(topK)
                .toList();
        rows.addAll(kept);
        return kept.size();
    }

    private void add(Configuration configuration, int rank, RankGemms gemms) {
        List<Gemm> all = gemms.gemms();
        for (int place = 0; place < Math.min(topK, all.size()); place++) {
            PlacedGemm placed = new PlacedGemm(
                    configuration.label(),
                    configuration.settings().threads(),
                    configuration.settings().channels(),
                    rank,
                    all.get(place));
            Table table = GemmTables.variance(List.of(placed));
            Map<String, String> cells = VarianceRow.cells(
                    GemmCells.heads(table), GemmCells.rows(table).getFirst());
            cells.put("configuration", configuration.label());
            cells.put("source", "trace");
            rows.add(new VarianceRow(placed.gemm().spread().lost(), cells, placed, gemms, place));
        }
    }

    /** Number of rows so far. */
    public int size() {
        return rows.size();
    }

    /** All ranks together: what communication does to every shape. */
    public GemmPool.Result pooled() {
        return pool.result();
    }

    /** The first file: the rows, what loses most time first. */
    public String variance() {
        return varianceFile().text();
    }

    /** The second file: the first one, with the times of the shortest and longest kernels. */
    public String timestamps() {
        return timesFile().text();
    }

    /** The third file: the second one, with what communicated meanwhile and what that does. */
    public String overlap() {
        List<VarianceRow> sorted = sorted();
        OverlapColumns columns = new OverlapColumns();
        List<List<String>> cells = sorted.stream()
                .map(row -> row.placed() == null || row.rank() == null
                        ? columns.none()
                        : columns.of(row.placed(), row.rank().communication(row.place())))
                .toList();
        return timesFile().with(columns.heads(), cells).text();
    }

    private ChainFile timesFile() {
        List<List<String>> cells = new ArrayList<>();
        for (VarianceRow row : sorted()) {
            cells.add(
                    row.placed() == null
                            ? RankRows.TIMES.stream().map(head -> "").toList()
                            : RankRows.times(List.of(row.placed().gemm())));
        }
        return varianceFile().with(RankRows.TIMES, cells);
    }

    private ChainFile varianceFile() {
        List<String> heads = heads();
        return new ChainFile(
                "gemm variance",
                heads,
                sorted().stream()
                        .map(row -> heads.stream()
                                .map(head -> row.cells().getOrDefault(head, ""))
                                .toList())
                        .toList());
    }

    /** The heads of older files in their order, then those of this program. */
    private List<String> heads() {
        Set<String> operators = new TreeSet<>();
        Set<String> own = new LinkedHashSet<>(GemmCells.heads(GemmTables.variance(List.of())));
        own.add("configuration");
        own.add("source");
        rows.forEach(row -> operators.addAll(row.cells().keySet()));
        operators.addAll(own);
        operators.removeIf(head -> !head.startsWith(OPERATORS));
        own.removeIf(head -> head.startsWith(OPERATORS) || FIRST.contains(head));
        List<String> heads = new ArrayList<>(FIRST);
        heads.addAll(operators);
        heads.addAll(own);
        return heads;
    }

    private List<VarianceRow> sorted() {
        return rows.stream().sorted(VarianceRow.ORDER).toList();
    }
}
