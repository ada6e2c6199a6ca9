// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.table.Table;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The matrix multiplications of one rank: all that analyses across ranks keep of a trace once it has been read. A row for
 * each shape on each stream, whatever the number of kernels. Immutable.
 */
public final class RankGemms implements AnalysisResult {
    /** A row, and what it takes to add it to others. */
    record Entry(Gemm gemm, Contrast during, Contrast atStart, Communication communication) {}

    /** What costs most time by varying first. */
    private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::gemm, byLostTime())
            .thenComparing(e -> e.gemm.shape(), GemmShape.ORDER)
            .thenComparing(e -> e.gemm.stream())
            .thenComparingLong(e -> e.gemm.shortest().start());

    private static Comparator<Gemm> byLostTime() {
        Comparator<Gemm> byLost =
                Comparator.comparingDouble(gemm -> gemm.spread().lost());
        Comparator<Gemm> byRange =
                Comparator.comparingLong(gemm -> gemm.spread().range());
        return byLost.reversed().thenComparing(byRange.reversed());
    }

    private final TraceInfo info;
    private final List<Entry> entries;
    private final int warmSteps;

    RankGemms(TraceInfo info, List<Entry> entries, int warmSteps) {
        this.info = info;
        this.entries = entries.stream().sorted(ORDER).toList();
        this.warmSteps = warmSteps;
    }

    /** The rows, what loses most time by varying first. */
    public List<Gemm> gemms() {
        return entries.stream().map(Entry::gemm).toList();
    }

    /** Number of steps at the beginning that were left out because things were still warming up. */
    public int warmSteps() {
        return warmSteps;
    }

    /**
     * The communication on the device of a row.
     *
     * @param row place in {@link #gemms}
     */
    public Communication communication(int row) {
        return entries.get(row).communication;
    }

    List<Entry> entries() {
        return entries;
    }

    @Override
    public List<Table> tables() {
        int rank = info.rank().index();
        List<PlacedGemm> rows = gemms().stream()
                .map(gemm -> new PlacedGemm("", -1, -1, rank, gemm))
                .toList();
        return rows.isEmpty() ? List.of() : List.of(GemmTables.variance(rows), GemmTables.overlap(rows));
    }

    @Override
    public @Nullable String notApplicable() {
        return entries.isEmpty() ? "the trace holds no kernel of a matrix multiplication" : null;
    }
}
