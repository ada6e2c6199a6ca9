// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.report.SheetSet;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Whose reports are made: the program's own, or those of a tool that it stands in for. */
public interface ReportStyle {
    /** The report of one rank. */
    Report performance(DerivedCache trace);

    /** What reports across ranks need of a trace. */
    KeptRank keep(DerivedCache trace);

    /** Whether there is anything to report across the ranks of a configuration. */
    boolean hasCollectives(MatchedRanks ranks);

    /** The report across the ranks of a configuration that {@link #hasCollectives has} anything to report. */
    Report collectives(MatchedRanks ranks);

    /** How they are compared. */
    CollectiveOptions options();

    /**
     * The timelines of all ranks of a configuration in one workbook.
     *
     * @param reported a configuration with the timeline of a rank
     * @param geometric whether ranks are averaged geometrically
     */
    Writing timelines(ReportedConfiguration reported, boolean geometric);

    /** The reports of a rank under several thread counts, the baseline first. */
    Report acrossThreads(List<SheetSet> reports);

    /** The thread counts of a sweep in the order in which they are compared. */
    List<String> baselineFirst(List<String> rows);

    /** Whether ranks of which a part is missing are compared with whole ones. */
    boolean comparesPartial();

    /** How cells are spelt. */
    CellStyle cells();

    /** A table of a report as later steps want it. */
    Table kept(Table table);

    /** How cells of finished reports are read. */
    SheetTable readBack();

    /** Writes a file. */
    @FunctionalInterface
    interface Writing {
        void write(Session session, Path staged) throws IOException;
    }
}
