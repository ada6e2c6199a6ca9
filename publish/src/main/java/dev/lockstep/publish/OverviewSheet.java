// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.Answer;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.words.AnswerWords;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The first sheet: what the report says, which sheets there are, and what their columns mean. */
final class OverviewSheet {
    private static final double[] WIDTHS = {26, 90, 12, 60};

    private final Worksheet sheet;
    private int row;

    private OverviewSheet(Worksheet sheet) {
        this.sheet = sheet;
    }

    static void write(Report report, List<TableSheet> tables, String pictures, Worksheet sheet) throws IOException {
        OverviewSheet overview = new OverviewSheet(sheet);
        for (int column = 0; column < WIDTHS.length; column++) {
            sheet.width(column, WIDTHS[column]);
        }
        overview.line(report.title());
        sheet.look(0, 0, CellLook.TITLE);
        overview.line(report.subtitle());
        overview.answer(report);
        overview.sections(report);
        overview.sheets(report, tables, pictures);
        overview.columns(tables);
        sheet.extent(overview.row, WIDTHS.length);
        sheet.finish();
    }

    /** What bounds the trace, whether it can be believed, what to change: a sentence in the second column. */
    private void answer(Report report) {
        Answer answer = report.answer();
        if (answer != null) {
            sentence("verdict", answer.verdict().text(), "");
        }
        report.trust().lines().forEach(line -> sentence("trust", line, ""));
        if (answer != null) {
            for (AnswerWords.Line line : AnswerWords.lines(answer)) {
                sentence(
                        line.number().isEmpty() ? "" : "action " + line.number(),
                        line.text() + ": " + line.gain() + " (" + line.share() + ")"
                                + (line.snippet().isEmpty() ? "" : ", " + line.snippet()),
                        line.assumption());
            }
        }
    }

    private void sentence(String mark, String text, String rest) {
        line(mark, text, "", rest);
        sheet.look(row - 1, 1, CellLook.WRAPPED);
        sheet.look(row - 1, 3, CellLook.WRAPPED);
    }

    private void sections(Report report) {
        for (Section section : report.sections()) {
            if (section instanceof Section.FactsSection facts) {
                heading(facts.title());
                for (Section.Fact fact : facts.facts()) {
                    line(fact.label(), fact.value(), "", fact.doc());
                }
            } else if (section instanceof Section.FindingsSection findings) {
                heading(findings.title());
                for (Finding finding : findings.findings()) {
                    sentence(finding.severity().name().toLowerCase(Locale.ROOT), finding.text(), finding.basis());
                }
            } else if (section instanceof Section.NotApplicable missing) {
                row++;
                line(missing.name(), missing.reason(), "", "not applicable");
            }
        }
    }

    private void sheets(Report report, List<TableSheet> tables, String pictures) {
        heading("Sheets");
        if (!pictures.isEmpty()) {
            line("", "Pictures of what the sheets hold");
            link(pictures);
        }
        for (TableSheet table : tables) {
            line("", report.titleOf(table.table()), "", table.extent());
            link(table.name());
        }
    }

    /** Makes the first cell of the last line lead to a sheet. */
    private void link(String name) {
        sheet.value(row - 1, 0, SheetText.cell(name));
        sheet.link(row - 1, 0, name);
        sheet.look(row - 1, 0, CellLook.LINK);
    }

    private void columns(List<TableSheet> tables) {
        heading("Columns");
        Set<String> seen = new HashSet<>();
        for (TableSheet table : tables) {
            if (seen.add(table.table().name())) {
                for (ColumnSpec column : table.table().schema().columns()) {
                    line(table.name(), column.header(), column.shown().symbol(), column.doc());
                }
            }
        }
    }

    private void heading(String title) {
        row++;
        line(title);
        for (int column = 0; column < WIDTHS.length; column++) {
            sheet.look(row - 1, column, CellLook.HEADING);
        }
    }

    private void line(String... cells) {
        for (int column = 0; column < cells.length; column++) {
            if (!cells[column].isEmpty()) {
                sheet.value(row, column, SheetText.cell(cells[column]));
            }
        }
        row++;
    }
}
