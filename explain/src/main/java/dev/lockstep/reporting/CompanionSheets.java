// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/**
 * Sheets that another tool gave its users and that their programs read: written beside the program's own CSV files, with that
 * tool's names and columns and right values.
 */
public interface CompanionSheets {
    /**
     * Finished sheets.
     *
     * @param tables one for each file
     * @param said what is worth saying about them, a sentence each
     */
    record Sheets(List<Table> tables, List<String> said) {
        /** Copies the lists. */
        public Sheets {
            tables = List.copyOf(tables);
            said = List.copyOf(said);
        }
    }

    /** The sheets of one rank. */
    Sheets of(Trace trace, ReportOptions options);

    /**
     * Writes the sheets of a run from those of its ranks.
     *
     * @param ranks folders with the {@linkplain #of sheets of a rank} as CSV files, by rank
     * @param folder takes the sheets of the run as CSV files
     * @throws IOException when reading or writing fails
     */
    void writeRun(SortedMap<Integer, Path> ranks, Path folder) throws IOException;

    /** The sheets that compare two traces. */
    Sheets difference(Trace baseline, Trace candidate);
}
