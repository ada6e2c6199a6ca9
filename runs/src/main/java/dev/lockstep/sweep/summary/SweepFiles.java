// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes single files through the writers of reports. */
public final class SweepFiles {
    private SweepFiles() {}

    /** The tables of a report as CSV files in the target's folder, the first under the target's name. */
    public static Path csv(Session session, Report report, Path target, CellStyle style, Output output)
            throws IOException {
        String name = String.valueOf(target.getFileName());
        List<Table> tables = new ArrayList<>(report.tables());
        Table first = tables.removeFirst();
        tables.addFirst(new Table(
                name.substring(0, name.lastIndexOf('.')),
                first.title(),
                first.schema(),
                first.columns(),
                first.rows()));
        Path folder = target.toAbsolutePath().normalize().getParent();
        if (folder == null) {
            throw new IOException(target + " has no folder");
        }
        session.registry()
                .writer("csv")
                .write(
                        new Report(
                                report.title(),
                                report.subtitle(),
                                tables.stream()
                                        .map(TableSection::new)
                                        .map(s -> (Section) s)
                                        .toList()),
                        output.directory(folder),
                        style);
        return target;
    }

    public static Path workbook(Session session, Report report, Path target, CellStyle style, Output output)
            throws IOException {
        session.registry().writer("xlsx").write(report, output.file(target), style);
        return target;
    }
}
