// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes the report of a rank while its trace is in memory, and keeps the sheets that later steps need. */
final class PerformanceFile implements Extract<PerformanceFile.Staged> {
    /**
     * A report that nobody sees yet.
     *
     * @param output shows it
     * @param target where
     * @param kept the sheets that later steps need
     */
    record Staged(Output output, Path target, List<Table> kept) {}

    private final Session session;
    private final ReportStyle style;

    PerformanceFile(Session session, ReportStyle style) {
        this.session = session;
        this.style = style;
    }

    @Override
    public Staged take(RankTrace trace) throws IOException {
        Report report = style.performance(trace.derived());
        Path target = trace.configuration().reports().performanceReport(trace.rank());
        Output output = new Output();
        try {
            session.registry().writer("xlsx").write(report, output.file(target), style.cells());
        } catch (IOException | RuntimeException e) {
            output.close();
            throw e;
        }
        return new Staged(output, target, ReportStage.kept(report, ReportStage.KEPT::contains, style));
    }

    @Override
    public void discard(Staged staged) {
        staged.output.close();
    }
}
