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

    /** A rank that is not whole, by its number, or -1. */
    private record Gap(int rank, String status, String file, String note) {
        private String words() {
            return (rank < 0 ? "one of unknown number" : Integer.toString(rank)) + " (" + status + ")";
        }

        private String line(String report) {
            String place = file.isEmpty() || note.startsWith(file) ? "" : file + ": ";
            return report + ": " + (rank < 0 ? "" : "rank " + rank + ": ") + place + (note.isEmpty() ? status : note);
        }
    }

    private static List<Gap> gaps(SheetSet report) {
        Table sheet = report.sheet(COVERAGE);
        List<Gap> gaps = new ArrayList<>();
        if (sheet != null) {
            SheetCells cells = new SheetCells(sheet);
            String file = cells.has("file") ? "file" : "source";
            for (int row = 0; row < sheet.rows() && cells.has("rank"); row++) {
                String status = cells.text("status", row);
                if (GAPS.contains(status)) {
                    int rank = (int) Math.max(-1, cells.whole("rank", row));
                    gaps.add(new Gap(rank, status, cells.text(file, row), cells.text("note", row)));
                }
            }
        }
        return gaps;
    }

    /** {@return a line for each rank that a report lacks, whole or in part: the report, the rank, its file and what is wrong} */
    public static List<String> lines(SheetSet report) {
        return gaps(report).stream().map(gap -> gap.line(report.name())).toList();
    }

    /** {@return what is to be said of a report that lacks ranks, or parts of them; nothing for others} */
    public static Optional<Finding> in(SheetSet report) {
        List<String> gaps = gaps(report).stream().map(Gap::words).toList();
        if (gaps.isEmpty()) {
            return Optional.empty();
        }
        String more = gaps.size() > MOST_NAMED ? " and " + Words.count(gaps.size() - MOST_NAMED) + " more" : "";
        return Optional.of(new Finding(
                Severity.NOTICE,
                "compared_partial",
                report.name() + " lacks ranks of its run, or parts of them: "
                        + String.join(", ", gaps.subList(0, Math.min(MOST_NAMED, gaps.size()))) + more
                        + ". What it says of all ranks holds for the others.",
                COVERAGE));
    }
}
