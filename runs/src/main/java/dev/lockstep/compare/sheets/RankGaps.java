// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.SheetSet;
import dev.lockstep.table.Table;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The ranks that a finished report of a run lacks, as its sheet of what was read says. */
public final class RankGaps {
    private static final String COVERAGE = "coverage";
    private static final Set<String> GAPS = Set.of("unreadable", "missing", "partial");
    private static final int MOST_NAMED = 6;

    private RankGaps() {}

    /** {@return what is to be said of a report that lacks ranks, or parts of them; nothing for others} */
    public static Optional<Finding> in(SheetSet report) {
        Table sheet = report.sheet(COVERAGE);
        List<String> gaps = new ArrayList<>();
        if (sheet != null) {
            SheetCells cells = new SheetCells(sheet);
            for (int row = 0; row < sheet.rows() && cells.has("rank"); row++) {
                String status = cells.text("status", row);
                if (GAPS.contains(status)) {
                    double rank = cells.number("rank", row);
                    gaps.add((Double.isNaN(rank) ? "one of unknown number" : Long.toString((long) rank)) + " (" + status
                            + ")");
                }
            }
        }
        if (gaps.isEmpty()) {
            return Optional.empty();
        }
        String more = gaps.size() > MOST_NAMED ? " and " + Words.count(gaps.size() - MOST_NAMED) + " more" : "";
        return Optional.of(new Finding(
                Severity.NOTICE,
                "compared_partial",
                report.name() + " lacks ranks of its run, or parts of them: "
                        + String.join(", ", gaps.subList(0, Math.min(MOST_NAMED, gaps.size()))) + more
                        + ". What it says of all ranks is of the others.",
                COVERAGE));
    }
}
