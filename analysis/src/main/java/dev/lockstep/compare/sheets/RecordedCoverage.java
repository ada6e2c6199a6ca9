// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.reporting.ReportFiles;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The coverage that lies beside reports: what was known of the traces when the reports were made. */
final class RecordedCoverage {
    private RecordedCoverage() {}

    /** By rank, what it says about a configuration; nothing where there is none or it cannot be read. */
    static SortedMap<Integer, Part> of(Configuration configuration) {
        SortedMap<Integer, Part> recorded = new TreeMap<>();
        Path file = Coverage.place(configuration.reports().analysis());
        if (!Files.isRegularFile(file)) {
            return recorded;
        }
        try {
            List<Table> sheets = ReportFiles.read(file, configuration.label(), SheetTable.PLAIN, sheet -> true)
                    .tables();
            sheets.forEach(sheet -> parts(sheet, configuration.label(), recorded));
        } catch (IOException e) {
            recorded.clear();
        }
        return recorded;
    }

    /** A sheet that speaks of one configuration alone is about this one, whatever its folder was called then. */
    private static void parts(Table sheet, String label, SortedMap<Integer, Part> into) {
        SheetCells cells = new SheetCells(sheet);
        Set<String> named = new HashSet<>();
        for (int row = 0; row < sheet.rows(); row++) {
            named.add(cells.text("configuration", row));
        }
        for (int row = 0; row < sheet.rows(); row++) {
            int rank = (int) cells.whole("rank", row);
            boolean own = named.size() < 2 || cells.text("configuration", row).equals(label);
            for (State state : State.values()) {
                if (own && rank >= 0 && state.toString().equals(cells.text("status", row))) {
                    into.put(rank, new Part(label, rank, state, cells.text("source", row), cells.text("note", row)));
                }
            }
        }
    }
}
