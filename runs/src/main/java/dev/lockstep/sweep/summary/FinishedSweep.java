// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.compare.sheets.FinishedReports;
import dev.lockstep.compare.sheets.FinishedReports.Wanted;
import dev.lockstep.compare.sheets.RecordedCoverage;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportStage;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;

/** The reports of a sweep, read back. */
final class FinishedSweep {
    private FinishedSweep() {}

    /**
     * Reads the sheets that matter, several reports at a time. A rank that another configuration has is expected of all.
     *
     * @param cells how cells are read
     * @return every configuration, in order
     */
    static List<ReportedConfiguration> read(Session session, Sweep sweep, SheetTable cells) {
        Wanted wanted = new Wanted(
                ReportStage.KEPT::contains, name -> name.contains("summary") || SummarySheets.isOfCollectives(name));
        RecordedCoverage recorded = RecordedCoverage.in(sweep.reports().analysis());
        List<Supplier<FinishedReports>> begun = sweep.configurations().stream()
                .map(configuration -> FinishedReports.begin(configuration, recorded, wanted, cells, session.pool()))
                .toList();
        List<FinishedReports> read = begun.stream().map(Supplier::get).toList();
        int ranks = read.stream()
                .filter(one -> !one.ranks().isEmpty())
                .mapToInt(one -> one.ranks().lastKey() + 1)
                .max()
                .orElse(0);
        return read.stream().map(one -> reported(one, ranks)).toList();
    }

    private static ReportedConfiguration reported(FinishedReports one, int ranks) {
        SortedMap<Integer, List<Table>> sheets = one.sheets();
        SheetSet across = one.across();
        return new ReportedConfiguration(
                one.configuration(),
                coverage(one, ranks),
                true,
                sheets,
                one.whole(),
                across == null ? null : across.tables(),
                List.of(),
                List.of());
    }

    private static Coverage coverage(FinishedReports one, int ranks) {
        Configuration configuration = one.configuration();
        if (one.ranks().isEmpty() && one.collectives() == null) {
            return Coverage.absent(configuration, "it has no reports");
        }
        String label = configuration.label();
        List<Part> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            parts.add(
                    one.ranks().containsKey(rank)
                            ? one.part(label, rank)
                            : new Part(label, rank, State.MISSING, "", "no report of this rank"));
        }
        if (one.collectives() == null) {
            parts.add(new Part(label, -1, State.MISSING, "", "no report on collectives"));
        } else if (one.across() == null) {
            FinishedReports.Reading read = one.collectives();
            parts.add(new Part(label, -1, State.UNREADABLE, read.file().toString(), read.problem()));
        }
        return new Coverage(parts);
    }
}
