// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.write.StyledWorkbookWriter;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Workbooks whose looks matter. Those with colours or tables of spreadsheets are made by a library that keeps them whole in
 * memory; all others by one that writes row by row.
 */
public final class StyledWorkbookFile implements StyledWorkbookWriter {
    @Override
    public void write(StyledWorkbook workbook, Path target) throws IOException {
        if (workbook.sheets().stream().anyMatch(StyledWorkbookFile::isDecorated)) {
            DecoratedWorkbook.write(workbook, target);
        } else {
            FlatWorkbook.write(workbook, target);
        }
    }

    private static boolean isDecorated(StyledSheet sheet) {
        return sheet.excelTable() != null || !sheet.colors().isEmpty();
    }
}
