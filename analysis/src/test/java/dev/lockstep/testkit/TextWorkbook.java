// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.tabular.CsvFolder;
import dev.lockstep.tabular.RowSink;
import dev.lockstep.tabular.SheetFormat;
import dev.lockstep.tabular.Sheets;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CsvWriter;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands in for workbooks where no module writes them: the sheets one below the other as text, each under its name, and
 * between them what the report says in words. {@link TextWorkbooks} puts it in their place.
 */
public final class TextWorkbook implements ReportWriter, SheetFormat {
    private static final String SHEET = "## ";
    private static final String WORDS = "# ";

    @Override
    public String id() {
        return "xlsx";
    }

    @Override
    public String help() {
        return "Write a text.";
    }

    @Override
    public String ending() {
        return ".xlsx";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        StringBuilder text = new StringBuilder(WORDS + report.title() + "; " + report.subtitle() + "\n");
        Path folder = Files.createTempDirectory("sheets");
        for (Section section : report.sections()) {
            switch (section) {
                case TableSection sheet -> {
                    Path csv = folder.resolve(sheet.table().name() + ".csv");
                    new CsvWriter().write(new Report("", "", List.of(section)), folder, style);
                    text.append(SHEET).append(sheet.table().name()).append('\n').append(Files.readString(csv));
                    Files.delete(csv);
                }
                case FactsSection facts ->
                    facts.facts().forEach(fact -> text.append(WORDS + fact.label() + ": " + fact.value() + "\n"));
                case FindingsSection findings ->
                    findings.findings()
                            .forEach(finding -> text.append(
                                    WORDS + finding.severity() + " " + finding.code() + ": " + finding.text() + "\n"));
                case NotApplicable absent -> text.append(WORDS + absent.name() + ": " + absent.reason() + "\n");
                default -> {}
            }
        }
        Files.delete(folder);
        Files.writeString(target, text);
    }

    @Override
    public String name() {
        return "text workbooks";
    }

    @Override
    public boolean recognises(Path path) throws IOException {
        return Files.isRegularFile(path)
                && new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1).startsWith(WORDS);
    }

    @Override
    public Sheets open(Path path) throws IOException {
        Path folder = Files.createTempDirectory("sheets");
        List<String> names = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(path)) {
            if (line.startsWith(SHEET)) {
                names.add(line.substring(SHEET.length()));
                lines.clear();
            } else if (!line.startsWith(WORDS)) {
                lines.add(line);
                Files.write(folder.resolve(names.getLast() + ".csv"), lines);
            }
        }
        return new Unpacked(List.copyOf(names), folder, new CsvFolder().open(folder));
    }

    private record Unpacked(List<String> names, Path folder, Sheets sheets) implements Sheets {
        @Override
        public void rows(String sheet, RowSink sink) throws IOException {
            sheets.rows(sheet, sink);
        }

        @Override
        public void close() throws IOException {
            sheets.close();
            for (String name : names) {
                Files.delete(folder.resolve(name + ".csv"));
            }
            Files.delete(folder);
        }
    }
}
