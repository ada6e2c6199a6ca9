// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.report.Report;
import java.io.IOException;
import java.nio.file.Path;

/** Turns a finished report into bytes. Stateless; one instance serves all reports. */
public interface ReportWriter {
    /** Short name: {@code csv}, {@code xlsx}, {@code html}, {@code json}. */
    String id();

    /**
     * Writes the report. Nothing appears at the target unless the whole of it was written; the caller sees to that by
     * handing in a place inside an {@link Output}.
     *
     * @param target a file, or for writers of many files a directory that exists
     * @throws IOException when the file system refuses
     */
    void write(Report report, Path target, CellStyle style) throws IOException;
}
