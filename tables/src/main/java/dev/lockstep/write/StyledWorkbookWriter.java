// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.report.StyledWorkbook;
import java.io.IOException;
import java.nio.file.Path;

/** Writes workbooks whose looks matter. Stateless; equal workbooks give equal bytes. */
public interface StyledWorkbookWriter {
    /**
     * Writes the workbook; the caller hands in a place inside an {@link Output}.
     *
     * @throws IOException when the file system refuses
     */
    void write(StyledWorkbook workbook, Path target) throws IOException;
}
