// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.compat.aorta.sweep.AllTimelines;
import dev.lockstep.compat.aorta.sweep.NcclMaster;
import dev.lockstep.compat.aorta.sweep.SweepSheet;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.sweep.summary.SweepFiles;
import dev.lockstep.sweep.summary.SweepSummary;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files as AORTA's scripts write them.
 *
 * @param configurations the reports
 * @param geometric whether ranks are averaged geometrically
 */
record AortaSummary(List<ReportedConfiguration> configurations, boolean geometric) implements SweepSummary {
    public AortaSummary {
        configurations = List.copyOf(configurations);
    }

    @Override
    public List<Path> write(Session session, SweepReports places, Output output) throws IOException {
        List<Path> written = new ArrayList<>();
        StyledWorkbook timelines = AllTimelines.of(timelines(), geometric);
        if (timelines != null) {
            Path target = places.timelines(geometric);
            session.registry().styledWorkbooks().write(timelines, output.file(target));
            written.add(target);
        }
        Table collectives = NcclMaster.of(collectives());
        if (collectives != null) {
            Path workbook = places.collectives(".xlsx");
            StyledWorkbook sheet = new StyledWorkbook(List.of(StyledSheet.of(collectives, Look.FRAME)));
            session.registry().styledWorkbooks().write(sheet, output.file(workbook));
            written.add(workbook);
            written.add(SweepFiles.csv(
                    session,
                    new Report("", "", List.of(new TableSection(collectives))),
                    places.collectives(".csv"),
                    CellStyle.PYTHON,
                    output));
        }
        return written;
    }

    private List<SweepSheet> timelines() {
        List<SweepSheet> sheets = new ArrayList<>();
        for (ReportedConfiguration one : numbered()) {
            one.performance()
                    .forEach((rank, tables) -> sheets.add(sheet(
                            one,
                            String.valueOf(one.configuration()
                                    .reports()
                                    .performanceReport(rank)
                                    .getFileName()),
                            tables,
                            "gpu_timeline")));
        }
        return sheets;
    }

    private List<SweepSheet> collectives() {
        return numbered().stream()
                .filter(one -> one.collectives() != null)
                .map(one -> sheet(
                        one,
                        one.configuration().reports().collectiveName(),
                        one.collectives(),
                        "nccl_summary_implicit_sync"))
                .toList();
    }

    /** Folders whose names are no numbers stop the scripts; here they are left to the default mode. */
    private List<ReportedConfiguration> numbered() {
        return configurations.stream()
                .filter(one -> one.configuration().settings().threads() >= 0
                        && one.configuration().settings().channels() >= 0)
                .toList();
    }

    private static SweepSheet sheet(ReportedConfiguration one, String file, @Nullable List<Table> tables, String name) {
        return new SweepSheet(
                one.configuration().settings().threads(),
                one.configuration().settings().channels(),
                file,
                sheet(tables, name));
    }

    /** The sheet of this name among these, null for none or one without columns. */
    private static @Nullable Table sheet(@Nullable List<Table> sheets, String name) {
        if (sheets != null) {
            for (Table table : sheets) {
                if (table.name().equals(name) && table.schema().size() > 0) {
                    return table;
                }
            }
        }
        return null;
    }
}
