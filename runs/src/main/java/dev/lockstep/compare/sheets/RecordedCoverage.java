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

    /** By rank, what it says about a configuration. A sheet that speaks of one alone is about this one, whatever its folder was called then. */
    SortedMap<Integer, Part> of(Configuration configuration) {
        SortedMap<Integer, Part> recorded = new TreeMap<>();
        String label = configuration.label();
        for (Map<String, SortedMap<Integer, Part>> sheet : sheets) {
            SortedMap<Integer, Part> own =
                    sheet.size() == 1 ? sheet.values().iterator().next() : sheet.getOrDefault(label, new TreeMap<>());
            own.forEach((rank, part) ->
                    recorded.put(rank, new Part(label, rank, part.state(), part.source(), part.note())));
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
                if (rank >= 0 && state.toString().equals(cells.text("status", row))) {
                    own.put(rank, new Part(label, rank, state, cells.text("source", row), cells.text("note", row)));
                }
            }
        }
        return parts;
    }
}
