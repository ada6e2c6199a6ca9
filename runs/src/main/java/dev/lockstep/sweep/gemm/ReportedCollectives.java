// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.gemm.Communication;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The sheet {@code nccl_long} of a report on collectives, where no trace is at hand; columns are found by their heads. */
final class ReportedCollectives {
    static final String SHEET = TableNames.NCCL_LONG;

    private static final double NS_PER_US = 1e3;

    private record Row(double rank, String name, long start, long end) {}

    private final List<Row> rows = new ArrayList<>();
    private List<String> heads = List.of();

    /** Takes the next row; the first is the head. */
    void row(List<String> cells) {
        if (heads.isEmpty()) {
            heads = List.copyOf(cells);
            return;
        }
        double start = number(cells, "ts");
        double duration = number(cells, "dur");
        double rank = number(cells, "rank");
        if (duration > 0 && !Double.isNaN(start) && !Double.isNaN(rank)) {
            long from = Math.round(start * NS_PER_US);
            rows.add(new Row(
                    rank, text(cells, ColumnNames.COLLECTIVE_NAME), from, from + Math.round(duration * NS_PER_US)));
        }
    }

    /** When communication ran on a rank. */
    Communication of(int rank) {
        List<Row> own = rows.stream()
                .filter(row -> row.rank == rank)
                .sorted(Comparator.comparingLong(Row::start).thenComparingLong(Row::end))
                .toList();
        return Communication.of(
                own.stream().mapToLong(Row::start).toArray(),
                own.stream().mapToLong(Row::end).toArray(),
                own.stream().map(Row::name).toList());
    }

    private String text(List<String> cells, String head) {
        int place = heads.indexOf(head);
        return place < 0 || place >= cells.size() ? "" : cells.get(place);
    }

    private double number(List<String> cells, String head) {
        return GemmCells.number(text(cells, head));
    }
}
