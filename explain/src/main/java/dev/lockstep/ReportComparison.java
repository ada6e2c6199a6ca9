// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.reports.ComparisonReport;
import dev.lockstep.compare.reports.RunComparison;
import dev.lockstep.compare.sheets.RankGaps;
import dev.lockstep.compare.sheets.SheetMeaning;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finished reports side by side, the first as the baseline. Immutable: what changes it gives another one.
 *
 * {@snippet :
 * lockstep.compare(List.of(Path.of("before"), Path.of("after"))).read().slowdown(1);
 * }
 */
public final class ReportComparison {
    private static final List<String> WORDS = List.of("all", "ops_all", "roofline");

    private final List<Path> reports;
    private final List<String> names;
    private final List<String> sheets;

    ReportComparison(List<Path> reports, List<String> names, List<String> sheets) {
        this.reports = List.copyOf(reports);
        this.names = List.copyOf(names);
        this.sheets = List.copyOf(sheets);
    }

    /**
     * {@return the same comparison with other names for the reports}
     *
     * @param called one for each report, in order; none for the names of the files
     */
    public ReportComparison named(List<String> called) {
        return new ReportComparison(reports, called, sheets);
    }

    /**
     * {@return the same comparison of some sheets alone}
     *
     * @param wanted names of sheets, {@code ops_all} for operators by arguments, {@code roofline} for families of operators;
     *     none, or {@code all}, for all that can be compared
     */
    public ReportComparison ofSheets(List<String> wanted) {
        return new ReportComparison(reports, names, wanted);
    }

    /**
     * Reads the reports and compares them.
     *
     * @return what came of it
     * @throws UserException when there are fewer than two reports, two of one name, or nothing that both have, and when a sheet
     *     that is asked for is none that can be compared
     * @throws IOException when a report cannot be read
     */
    public Compared read() throws IOException {
        List<SheetSet> read = ReportFiles.read(reports, names, SheetTable.PLAIN, ReportFiles::isTable);
        demandKnown(read);
        RunComparison.Result result = RunComparison.of(read, this::wanted);
        if (result.tables().isEmpty()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    String.join(", ", reports.stream().map(Path::toString).toList())
                            + ": these reports share no table that can be compared",
                    result.unread().isEmpty()
                            ? "Compare reports that lockstep report or TraceLens wrote."
                            : result.unread().getFirst().words() + ".");
        }
        List<Change> changes =
                IntStream.range(1, read.size()).mapToObj(result::change).toList();
        List<String> gaps =
                read.stream().flatMap(one -> RankGaps.lines(one).stream()).toList();
        return new Compared(ComparisonReport.of(read, result), result.names(), changes, gaps);
    }

    /**
     * Reports side by side.
     */
    public static final class Compared {
        private final Report report;
        private final List<String> names;
        private final List<Change> changes;
        private final List<String> gaps;

        private Compared(Report report, List<String> names, List<Change> changes, List<String> gaps) {
            this.report = report;
            this.names = List.copyOf(names);
            this.changes = changes;
            this.gaps = gaps;
        }

        /** {@return facts, findings in words, tables; not yet written} */
        public Report report() {
            return report;
        }

        /** {@return what the reports are called, the baseline first} */
        public List<String> names() {
            return names;
        }

        /** {@return whether none of the reports says that ranks of its run are missing, or parts of them} */
        public boolean isWhole() {
            return gaps.isEmpty();
        }

        /** {@return a line for each rank that a report lacks, whole or in part, with its file and what is wrong with that} */
        public List<String> gaps() {
            return gaps;
        }

        /**
         * {@return by how much the total time of a report is above that of the baseline, in percent of it; NaN when one of
         * them is unknown}
         *
         * @param place of the report, from 1
         */
        public double slowdown(int place) {
            return changes.get(place - 1).percent();
        }

        /**
         * {@return whether the total time of a report is above that of the baseline by more than this, and not by chance as
         * far as the reports tell}
         *
         * @param place of the report, from 1
         * @param percent of the baseline's total time
         */
        public boolean isSlowerBy(int place, double percent) {
            return changes.get(place - 1).exceeds(percent);
        }
    }

    private void demandKnown(List<SheetSet> read) {
        Set<String> known = new TreeSet<>(WORDS);
        for (SheetSet report : read) {
            report.tables().stream()
                    .flatMap(table -> Stream.ofNullable(SheetMeaning.of(table)))
                    .forEach(meaning -> known.add(meaning.id()));
        }
        for (String sheet : sheets) {
            if (!known.contains(sheet) && !SheetMeaning.isKnown(sheet)) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        "no report has a table " + sheet + " that can be compared",
                        "Known: " + String.join(", ", known) + ".");
            }
        }
    }

    private boolean wanted(String sheet) {
        return sheets.isEmpty()
                || sheets.stream().anyMatch(choice -> switch (choice) {
                    case "all" -> true;
                    case "ops_all" ->
                        sheet.equals(TableNames.OPS_UNIQUE_ARGS) || sheet.equals(TableNames.UNIFIED_PERF_SUMMARY);
                    case "roofline" -> RunComparison.isFamily(sheet);
                    default -> sheet.equals(choice);
                });
    }
}
