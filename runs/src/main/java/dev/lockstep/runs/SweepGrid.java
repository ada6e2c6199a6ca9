// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.read.TraceNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which threads were combined with which channels: every combination of those that have folders or reports. */
final class SweepGrid {
    private static final Pattern THREAD_FOLDER = Pattern.compile(".*thread");
    private static final Pattern CHANNEL_FOLDER = Pattern.compile("nccl_(.+)channels");
    private static final Pattern PERFORMANCE = Pattern.compile("perf_(.+)ch_rank_?\\d+\\.xlsx");
    private static final Pattern COLLECTIVES = Pattern.compile("collective_(.+)ch\\.xlsx");
    private static final Comparator<String> NATURAL = Comparator.comparing(TraceNames::natural);

    private final SortedSet<String> rows = new TreeSet<>(NATURAL);
    private final SortedSet<String> columns = new TreeSet<>(NATURAL);

    private SweepGrid() {}

    /** The cells by row and column; none if there is no sweep. */
    static List<SweepCell> of(Path folder, Path analysis) {
        SweepGrid grid = new SweepGrid();
        for (Path row : threadFolders(folder)) {
            grid.add(row, row, CHANNEL_FOLDER);
        }
        for (Path row : threadFolders(analysis)) {
            grid.add(row, row.resolve(ConfigurationReports.PERFORMANCE), PERFORMANCE);
            grid.add(row, row.resolve(ConfigurationReports.COLLECTIVES), COLLECTIVES);
        }
        return grid.cells();
    }

    private static List<Path> threadFolders(Path folder) {
        return Folders.children(folder).stream()
                .filter(Files::isDirectory)
                .filter(child -> THREAD_FOLDER.matcher(nameOf(child)).matches())
                .toList();
    }

    private void add(Path row, Path place, Pattern names) {
        for (Path child : Folders.children(place)) {
            Matcher matcher = names.matcher(nameOf(child));
            if (matcher.matches()) {
                columns.add(matcher.group(1));
            }
        }
        if (Files.isDirectory(place)) {
            rows.add(nameOf(row));
        }
    }

    private List<SweepCell> cells() {
        List<SweepCell> cells = new ArrayList<>();
        for (String row : rows) {
            for (String column : columns) {
                cells.add(new SweepCell(row, column));
            }
        }
        return cells;
    }

    private static String nameOf(Path path) {
        return String.valueOf(path.getFileName());
    }
}
