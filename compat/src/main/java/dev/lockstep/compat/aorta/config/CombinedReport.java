// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.SheetSet;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sheets of two reports, one below the other, with a column {@code source} that says whose a row is: the workbooks
 * {@code gpu_timeline_combined.xlsx} and {@code collective_combined.xlsx}. Sheets that the other report lacks are left out.
 */
final class CombinedReport {
    static final String SOURCE = "source";

    private final Labels labels;
    private final Map<String, Frame> sheets = new LinkedHashMap<>();

    private CombinedReport(Labels labels) {
        this.labels = labels;
    }

    /** The names of the sets are the labels. */
    static CombinedReport of(SheetSet baseline, SheetSet test) {
        CombinedReport combined = new CombinedReport(new Labels(baseline.name(), test.name()));
        for (Table sheet : baseline.tables()) {
            Table other = test.sheet(sheet.name());
            if (other != null) {
                combined.sheets.put(
                        sheet.name(),
                        Frame.concat(List.of(
                                Frame.of(sheet).with(SOURCE, baseline.name()),
                                Frame.of(other).with(SOURCE, test.name()))));
            }
        }
        return combined;
    }

    Labels labels() {
        return labels;
    }

    /** Names of the sheets, in order. */
    List<String> names() {
        return List.copyOf(sheets.keySet());
    }

    @Nullable
    Frame sheet(String name) {
        return sheets.get(name);
    }

    /** The rows of one run; none when there is no such sheet. */
    Frame rows(String name, String label) {
        Frame sheet = sheets.get(name);
        return sheet == null ? new Frame(List.of()) : sheet.where(row -> label.equals(sheet.cell(row, SOURCE)));
    }

    /** Some of the sheets as they stand in a workbook. */
    List<StyledSheet> styled(Predicate<String> wanted) {
        return sheets.entrySet().stream()
                .filter(e -> wanted.test(e.getKey()))
                .map(e -> StyledSheet.of(e.getValue().table(e.getKey()), Look.FRAME))
                .toList();
    }

    StyledWorkbook workbook() {
        return new StyledWorkbook(styled(name -> true));
    }
}
