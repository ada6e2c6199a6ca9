// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.report.Report;
import java.io.IOException;
import java.nio.file.Path;

/** Turns a finished report into bytes. Stateless; one instance serves all reports. */
public interface ReportWriter {
    /** Short name, and with two dashes the option that asks for it: {@code csv}, {@code xlsx}, {@code html}, {@code json}. */
    String id();

    /** What the option does, a sentence for its help. */
    String help();

    /** The ending of the file's name with its dot; empty if a folder of files is written. */
    String ending();

    /** Whether it writes a folder of files. */
    default boolean isFolder() {
        return ending().isEmpty();
    }

    /** Whether it is among what is written where no option asks for anything. */
    default boolean isStandard() {
        return false;
    }

    /** What it writes into such a folder, named after the report: {@code report.html}, {@code csv}. */
    default String fileName() {
        return isFolder() ? id() : "report" + ending();
    }

    /**
     * Writes the report. Nothing appears at the target unless the whole of it was written; the caller sees to that by
     * handing in a place inside an {@link Output}.
     *
     * @param target a file, or for writers of many files a directory that exists
     * @throws IOException when the file system refuses
     */
    void write(Report report, Path target, CellStyle style) throws IOException;
}
