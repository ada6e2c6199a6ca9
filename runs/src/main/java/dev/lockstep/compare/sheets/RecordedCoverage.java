// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The coverage that lies beside reports: what was known of the traces when the reports were made. */
public final class RecordedCoverage {
    /** Of each sheet, by configuration and rank, what it says. */
    private final List<Map<String, SortedMap<Integer, Part>>> sheets = new ArrayList<>();

    private RecordedCoverage() {}

    /**
     * {@return what lies in a folder of analyses; nothing where there is none or it cannot be read}
     *
     * @param analysis the folder
     */
    public static RecordedCoverage in(Path analysis) {
        RecordedCoverage recorded = new RecordedCoverage();
        Path file = Coverage.place(analysis);
        if (Files.isRegularFile(file)) {
            try {
                ReportFiles.read(file, file.toString(), SheetTable.PLAIN, sheet -> true)
                        .tables()
                        .forEach(sheet -> recorded.sheets.add(parts(sheet)));
            } catch (IOException e) {
                recorded.sheets.clear();
            }
        }
        return recorded;
    }

    /** By rank, what it says about a configuration; what has no number below 0. A sheet that speaks of one alone is about this one, whatever its folder was called then. */
    SortedMap<Integer, Part> of(Configuration configuration) {
        SortedMap<Integer, Part> recorded = new TreeMap<>();
        String label = configuration.label();
        for (Map<String, SortedMap<Integer, Part>> sheet : sheets) {
            SortedMap<Integer, Part> own =
                    sheet.size() == 1 ? sheet.values().iterator().next() : sheet.getOrDefault(label, new TreeMap<>());
            own.forEach((key, part) ->
                    recorded.put(key, new Part(label, part.rank(), part.state(), part.source(), part.note())));
        }
        return recorded;
    }

    private static Map<String, SortedMap<Integer, Part>> parts(Table sheet) {
        SheetCells cells = new SheetCells(sheet);
        Map<String, SortedMap<Integer, Part>> parts = new HashMap<>();
        for (int row = 0; row < sheet.rows(); row++) {
            int rank = (int) cells.whole("rank", row);
            String label = cells.text("configuration", row);
            SortedMap<Integer, Part> own = parts.computeIfAbsent(label, of -> new TreeMap<>());
            for (State state : State.values()) {
                if (state.toString().equals(cells.text("status", row))) {
                    int number = Math.max(-1, rank);
                    Part part = new Part(label, number, state, cells.text("source", row), cells.text("note", row));
                    own.put(number < 0 ? -1 - row : number, part);
                }
            }
        }
        return parts;
    }
}
