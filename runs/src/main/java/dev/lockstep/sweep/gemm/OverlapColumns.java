// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.analyze.gemm.Communication;
import dev.lockstep.analyze.gemm.Gemm;
import dev.lockstep.analyze.gemm.GemmTables;
import dev.lockstep.analyze.gemm.PlacedGemm;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;

/** The columns that the third file adds: those of older files, then what communication does to all kernels of the row. */
final class OverlapColumns {
    /** Where the columns begin that the first file does not have. */
    private static final String FIRST_OWN = "comm_covered_pct";

    private final List<String> own;

    OverlapColumns() {
        List<String> all = GemmCells.heads(GemmTables.overlap(List.of()));
        own = all.subList(all.indexOf(FIRST_OWN), all.size());
    }

    List<String> heads() {
        List<String> heads = new ArrayList<>(RankRows.COLLECTIVES);
        heads.addAll(own);
        return heads;
    }

    /** The cells of a row of which nothing is known. */
    List<String> none() {
        return heads().stream().map(head -> "").toList();
    }

    /** The cells of a row of which only the interval of its longest kernel is known. */
    List<String> of(Communication communication, long start, long duration) {
        List<String> cells = new ArrayList<>(RankRows.collectives(communication, start, duration));
        own.forEach(head -> cells.add(""));
        return cells;
    }

    List<String> of(PlacedGemm row, Communication communication) {
        Gemm.Instance longest = row.gemm().longest();
        return of(row, communication, longest.start(), longest.duration());
    }

    /** The cells of a row whose longest kernel ran at this time. */
    List<String> of(PlacedGemm row, Communication communication, long start, long duration) {
        List<String> cells = new ArrayList<>(RankRows.collectives(communication, start, duration));
        Table table = GemmTables.overlap(List.of(row));
        List<String> all = GemmCells.rows(table).getFirst();
        cells.addAll(all.subList(all.size() - own.size(), all.size()));
        return cells;
    }
}
