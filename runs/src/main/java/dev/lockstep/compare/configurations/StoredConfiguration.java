// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.sheets.FinishedReports;
import dev.lockstep.compare.sheets.FinishedReports.Reading;
import dev.lockstep.compare.sheets.FinishedReports.Wanted;
import dev.lockstep.compare.sheets.RecordedCoverage;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A configuration to compare, from its finished reports as far as they can be read.
 *
 * @param reports the reports
 * @param label what it is called
 * @param ranks the ranks that count
 * @param collectives the report on collectives; null when it is not wanted, not there or cannot be read
 * @param coverage what was expected and found; ranks that only the report on collectives names are missing
 */
public record StoredConfiguration(
        FinishedReports reports,
        String label,
        List<Integer> ranks,
        @Nullable SheetSet collectives,
        Coverage coverage) {
    private static final String LEFT_OUT = "; its timeline is left out of comparisons";

    /**
     * What to read of it.
     *
     * @param timelines whether ranks' reports are needed
     * @param collectives whether the report on collectives is needed
     * @param sheets which sheets of the report on collectives are needed
     * @param wholeOnly whether ranks of which a part is missing are left out: their times are too short
     */
    public record Scope(boolean timelines, boolean collectives, Predicate<String> sheets, boolean wholeOnly) {}

    public StoredConfiguration {
        ranks = List.copyOf(ranks);
    }

    /** Reads what there is. */
    public static StoredConfiguration read(Configuration configuration, String label, SheetTable cells, Scope scope) {
        Predicate<String> ofRanks = name -> name.equals(SummarySheets.TIMELINE) || name.equals(SummarySheets.STEPS);
        Wanted wanted = new Wanted(
                scope.timelines() ? ofRanks : null,
                scope.collectives() ? scope.sheets() : name -> name.equals(SummarySheets.KERNELS));
        RecordedCoverage recorded = RecordedCoverage.in(configuration.reports().analysis());
        FinishedReports reports = FinishedReports.begin(configuration, recorded, wanted, cells, Runnable::run)
                .get();
        List<Part> parts = new ArrayList<>();
        List<Integer> ranks = new ArrayList<>();
        for (int rank : reports.ranks().keySet()) {
            Part part = part(reports, label, rank);
            boolean cut = scope.wholeOnly() && part.state() == State.PARTIAL;
            parts.add(cut ? new Part(label, rank, part.state(), part.source(), part.note() + LEFT_OUT) : part);
            if (part.state().isUsable() && !cut) {
                ranks.add(rank);
            }
        }
        across(reports, label, scope, parts);
        if (scope.timelines()) {
            missing(reports, label, parts);
        }
        return new StoredConfiguration(
                reports, label, ranks, scope.collectives() ? reports.across() : null, new Coverage(parts));
    }

    /** Whether a rank has a report, usable or not. */
    public boolean hasReports() {
        return !reports.ranks().isEmpty();
    }

    /** What comparisons know of it. */
    public RunSummary summary() {
        RunSummary all = reports.summary(label, ranks.size(), ranks);
        return collectives == null ? all.withoutCollectives() : all;
    }

    /** The sheets of the timelines of the ranks that count. */
    public SortedMap<Integer, Table> timelines() {
        SortedMap<Integer, Table> timelines = new TreeMap<>();
        for (int rank : ranks) {
            Table sheet = timeline(reports, rank);
            if (sheet != null) {
                timelines.put(rank, sheet);
            }
        }
        return timelines;
    }

    private static @Nullable Table timeline(FinishedReports reports, int rank) {
        Reading one = reports.ranks().get(rank);
        return one == null || one.sheets() == null ? null : one.sheets().sheet(SummarySheets.TIMELINE);
    }

    private static Part part(FinishedReports reports, String label, int rank) {
        Part part = reports.part(label, rank);
        Table sheet = timeline(reports, rank);
        if (part.state() == State.UNREADABLE || (sheet != null && SummarySheets.isTimeline(sheet))) {
            return part;
        }
        String what = "its sheet " + SummarySheets.TIMELINE + " lacks columns";
        String note = sheet == null ? "it has no sheet " + SummarySheets.TIMELINE : what;
        return new Part(label, rank, State.UNREADABLE, reports.file(rank).toString(), note);
    }

    private static void across(FinishedReports reports, String label, Scope scope, List<Part> parts) {
        Reading read = reports.collectives();
        if (read == null && scope.collectives()) {
            String place = reports.configuration().reports().collectiveReport().toString();
            parts.add(new Part(label, -1, State.MISSING, place, "no report on collectives"));
        } else if (read != null && read.sheets() == null) {
            parts.add(new Part(label, -1, State.UNREADABLE, read.file().toString(), read.problem()));
        }
    }

    private static void missing(FinishedReports reports, String label, List<Part> parts) {
        if (reports.ranks().isEmpty()) {
            String place = reports.configuration().reports().performance().toString();
            parts.add(new Part(label, -1, State.MISSING, place, "no report of a rank"));
            return;
        }
        SheetSet across = reports.across();
        SortedSet<Integer> expected = SummarySheets.ranksOf(across == null ? List.of() : across.tables());
        expected.removeAll(reports.ranks().keySet());
        reports.recorded().forEach((rank, part) -> {
            if (!reports.ranks().containsKey(rank) && !part.state().isWhole()) {
                parts.add(new Part(label, part.rank(), part.state(), part.source(), part.note()));
                expected.remove(rank);
            }
        });
        for (int rank : expected) {
            parts.add(new Part(label, rank, State.MISSING, "", "it took part in collectives, but has no report"));
        }
    }
}
