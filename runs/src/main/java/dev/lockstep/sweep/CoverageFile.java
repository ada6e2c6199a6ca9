// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.runs.Coverage;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes what was expected and found beside the results: {@code coverage.csv}, {@code coverage_by_configuration.csv}. */
public final class CoverageFile {
    private CoverageFile() {}

    /**
     * Stages the two files.
     *
     * @param analysis the folder of analyses
     * @return where the first will be
     */
    public static Path write(Session session, Coverage coverage, Path analysis, Output output) throws IOException {
        Report report = new Report(
                "Coverage",
                "",
                List.of(new TableSection(coverage.table()), new TableSection(coverage.byConfiguration())));
        session.registry().writer("csv").write(report, output.directory(analysis), CellStyle.PLAIN);
        return Coverage.place(analysis);
    }
}
