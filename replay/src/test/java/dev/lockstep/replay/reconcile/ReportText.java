// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** A report as text that a person can check. */
public final class ReportText {
    private ReportText() {}

    /** Facts: name, value and how, one a line. */
    public static String facts(Report report) {
        return report.sections().stream()
                .filter(FactsSection.class::isInstance)
                .flatMap(section -> ((FactsSection) section).facts().stream())
                .map(fact -> fact.label() + ": " + fact.value() + (fact.doc().isEmpty() ? "" : " (" + fact.doc() + ")"))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Findings: severity, code and text, one a line. */
    public static String findings(Report report) {
        return report.sections().stream()
                .filter(FindingsSection.class::isInstance)
                .flatMap(section -> ((FindingsSection) section).findings().stream())
                .map(finding -> finding.severity() + " " + finding.code() + ": " + finding.text())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** A sheet as the program writes it as CSV. */
    public static String sheet(Report report, String id, Path scratch) throws IOException {
        Path folder = Files.createTempDirectory(scratch, "sheets");
        try (Session session = new Session(1)) {
            session.registry().writer("csv").write(report, folder, CellStyle.PLAIN);
        }
        return Files.readString(folder.resolve(id + ".csv"));
    }

    /** Names of the sheets, in their order. */
    public static String sheets(Report report) {
        return report.sections().stream()
                .filter(TableSection.class::isInstance)
                .map(section -> ((TableSection) section).table().name())
                .collect(Collectors.joining(" "));
    }

    /** The sections of a kind. */
    public static long count(Report report, Class<? extends Section> kind) {
        return report.sections().stream().filter(kind::isInstance).count();
    }
}
