// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.report.Report;
import dev.lockstep.session.Registry;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that is to be said of a run: a report of each rank and, where several ranks communicate, one of what they did
 * together.
 */
public final class RunReport {
    private final Lockstep lockstep;
    private final Run run;

    RunReport(Lockstep lockstep, Run run) {
        this.lockstep = lockstep;
        this.run = run;
    }

    /**
     * The reports, by the folder that they are written to: for a run of one rank a single one under the empty name; else
     * {@code rank0}, {@code rank1} and so on, and {@code collectives}.
     *
     * @return the reports by folder, in the order in which they are written
     * @throws IOException when no file can be read
     */
    public Map<String, Report> reports() throws IOException {
        List<RankResult> ranks = run.ranks();
        if (ranks.size() == 1) {
            return Map.of("", ranks.getFirst().report());
        }
        Map<String, Report> reports = new LinkedHashMap<>();
        ranks.forEach(rank -> reports.put("rank" + rank.rank(), rank.report()));
        try {
            reports.put("collectives", lockstep.collectives(run, CollectiveOptions.standard()));
        } catch (UserException e) {
            if (e.code() != ErrorCode.NOTHING_TO_DO) {
                throw e;
            }
        }
        return reports;
    }

    /**
     * Writes the reports. All files appear together at the end, or none; none takes the place of a trace.
     *
     * @param folder where {@code report.html}, {@code report.xlsx} and the folder {@code csv} of a run of one rank go; those of
     *     several ranks go into the folders below it that {@link #reports} names. It is made if need be
     * @param formats {@code csv}, {@code html}, {@code json}, {@code xlsx} if the module {@code dev.lockstep.publish} is
     *     there, and the names of other writers that modules bring
     * @return the files and folders that were written
     * @throws UserException when nothing writes one of the formats, or a place cannot be written
     * @throws IOException when no trace can be read
     */
    public List<Path> writeTo(Path folder, String... formats) throws IOException {
        List<Path> written = new ArrayList<>();
        try (Output output = new Output()) {
            for (Map.Entry<String, Report> report : reports().entrySet()) {
                for (String format : formats) {
                    written.add(write(report.getValue(), folder.resolve(report.getKey()), format, output));
                }
            }
            output.commit();
        }
        return written;
    }

    private Path write(Report report, Path folder, String format, Output output) throws IOException {
        Registry registry = lockstep.session().registry();
        ReportWriter writer = registry.writer(format);
        Path target = folder.resolve(writer.fileName());
        Output.demandNoInput(target, run.files());
        writer.write(report, writer.isFolder() ? output.directory(target) : output.file(target), CellStyle.PLAIN);
        return target;
    }
}
