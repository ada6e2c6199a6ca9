// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The finished reports of a configuration, as far as they can be read.
 *
 * @param configuration whose they are
 * @param label what it is called
 * @param timelines the sheet {@code gpu_timeline} of each rank
 * @param steps number of steps that each rank recorded; ranks without marks of steps are not in it
 * @param files how many reports of ranks there are, with those that cannot be read
 * @param collectives the report on collectives; null when there is none or it cannot be read
 * @param coverage what was expected and found; ranks that only the report on collectives names are missing
 */
public record StoredReports(
        Configuration configuration,
        String label,
        SortedMap<Integer, Table> timelines,
        SortedMap<Integer, Integer> steps,
        int files,
        @Nullable SheetSet collectives,
        Coverage coverage) {
    private static final String TIMELINE = "gpu_timeline";
    private static final String BY_STEP = "gpu_timeline_by_step";
    private static final String LEFT_OUT = "; its timeline is left out of comparisons";
    private static final String SUMMARY = "nccl_summary_long";
    private static final String GROUP_RANKS = "Process Group Ranks";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,7}");

    public StoredReports {
        timelines = Collections.unmodifiableSortedMap(new TreeMap<>(timelines));
        steps = Collections.unmodifiableSortedMap(new TreeMap<>(steps));
    }

    /**
     * Reads what there is.
     *
     * @param wantTimelines whether ranks' reports are needed
     * @param wantCollectives whether the report on collectives is needed
     * @param sheets which sheets of the report on collectives are needed
     * @throws IOException when the file system refuses
     */
    public static StoredReports read(
            Configuration configuration,
            String label,
            SheetTable cells,
            boolean wantTimelines,
            boolean wantCollectives,
            Predicate<String> sheets)
            throws IOException {
        SortedMap<Integer, Part> recorded = recorded(configuration, label, cells);
        List<Part> parts = new ArrayList<>();
        SortedMap<Integer, Table> timelines = new TreeMap<>();
        SortedMap<Integer, Integer> steps = new TreeMap<>();
        SortedMap<Integer, Path> files = wantTimelines ? configuration.reports().performanceReports() : new TreeMap<>();
        for (Map.Entry<Integer, Path> file : files.entrySet()) {
            Part part = timeline(label, file.getKey(), file.getValue(), cells, timelines, steps);
            Part before = recorded.get(file.getKey());
            parts.add(
                    part.state() == State.COMPLETE && before != null && before.state() == State.PARTIAL
                            ? before
                            : part);
        }
        SheetSet collectives = null;
        Path path = configuration.reports().existingCollectiveReport();
        if (path == null && wantCollectives) {
            parts.add(new Part(
                    label,
                    -1,
                    State.MISSING,
                    configuration.reports().collectiveReport().toString(),
                    "no report on collectives"));
        } else if (path != null) {
            try {
                collectives =
                        ReportFiles.read(path, label, cells, wantCollectives ? sheets : name -> name.equals(SUMMARY));
            } catch (TraceFormatException e) {
                parts.add(new Part(label, -1, State.UNREADABLE, path.toString(), String.valueOf(e.getMessage())));
            }
        }
        if (wantTimelines && files.isEmpty()) {
            parts.add(new Part(
                    label,
                    -1,
                    State.MISSING,
                    configuration.reports().performance().toString(),
                    "no report of a rank"));
        } else if (wantTimelines) {
            TreeSet<Integer> expected = ranksOf(collectives);
            recorded.forEach((rank, part) -> {
                if (!files.containsKey(rank) && !part.state().isWhole()) {
                    parts.add(part);
                    expected.remove(rank);
                }
            });
            for (int rank : expected) {
                if (!files.containsKey(rank)) {
                    parts.add(
                            new Part(label, rank, State.MISSING, "", "it took part in collectives, but has no report"));
                }
            }
        }
        return new StoredReports(
                configuration,
                label,
                timelines,
                steps,
                files.size(),
                wantCollectives ? collectives : null,
                new Coverage(parts));
    }

    /** The same without the ranks of which a part is missing: their times are too short. */
    public StoredReports wholeRanks() {
        SortedMap<Integer, Table> whole = new TreeMap<>(timelines);
        SortedMap<Integer, Integer> wholeSteps = new TreeMap<>(steps);
        List<Part> parts = new ArrayList<>();
        for (Part part : coverage.parts()) {
            boolean cut = part.state() == State.PARTIAL && whole.remove(part.rank()) != null;
            wholeSteps.keySet().retainAll(whole.keySet());
            parts.add(cut ? new Part(label, part.rank(), part.state(), part.source(), part.note() + LEFT_OUT) : part);
        }
        return new StoredReports(configuration, label, whole, wholeSteps, files, collectives, new Coverage(parts));
    }

    /** What the coverage beside the reports says about the traces that they were made from, by rank. */
    private static SortedMap<Integer, Part> recorded(Configuration configuration, String label, SheetTable cells)
            throws IOException {
        SortedMap<Integer, Part> recorded = new TreeMap<>();
        Path file = Coverage.place(configuration.reports().analysis());
        if (!Files.isRegularFile(file)) {
            return recorded;
        }
        try {
            for (Table table :
                    ReportFiles.read(file, label, cells, sheet -> true).tables()) {
                parts(table, label, recorded);
            }
        } catch (TraceFormatException e) {
            recorded.clear();
        }
        return recorded;
    }

    private static void parts(Table table, String label, SortedMap<Integer, Part> into) {
        int rank = table.schema().indexOf("rank");
        int status = table.schema().indexOf("status");
        if (rank < 0 || status < 0 || !(table.columns().get(rank) instanceof LongColumn ranks)) {
            return;
        }
        for (int row = 0; row < table.rows(); row++) {
            String word = text(table, status, row);
            for (State state : State.values()) {
                if (!ranks.isMissing(row) && state.toString().equals(word)) {
                    String source = text(table, table.schema().indexOf("source"), row);
                    String note = text(table, table.schema().indexOf("note"), row);
                    into.put((int) ranks.get(row), new Part(label, (int) ranks.get(row), state, source, note));
                }
            }
        }
    }

    private static String text(Table table, int column, int row) {
        return column >= 0 && table.columns().get(column) instanceof StringColumn texts
                ? Objects.requireNonNullElse(texts.get(row), "")
                : "";
    }

    private static Part timeline(
            String label,
            int rank,
            Path file,
            SheetTable cells,
            SortedMap<Integer, Table> timelines,
            SortedMap<Integer, Integer> steps)
            throws IOException {
        try {
            SheetSet sheets =
                    ReportFiles.read(file, label, cells, name -> name.equals(TIMELINE) || name.equals(BY_STEP));
            Table sheet = sheets.sheet(TIMELINE);
            if (sheet == null || !hasTimes(sheet)) {
                String note =
                        sheet == null ? "it has no sheet " + TIMELINE : "its sheet " + TIMELINE + " lacks columns";
                return new Part(label, rank, State.UNREADABLE, file.toString(), note);
            }
            timelines.put(rank, sheet);
            Table bySteps = sheets.sheet(BY_STEP);
            if (bySteps != null && bySteps.rows() > 0) {
                steps.put(rank, bySteps.rows());
            }
            return new Part(label, rank, State.COMPLETE, file.toString(), "");
        } catch (TraceFormatException e) {
            return new Part(label, rank, State.UNREADABLE, file.toString(), String.valueOf(e.getMessage()));
        }
    }

    private static boolean hasTimes(Table sheet) {
        return List.of("type", "time ms", "percent").stream()
                .allMatch(head -> sheet.schema().indexOf(head) >= 0);
    }

    /** The ranks that collectives name. */
    private static TreeSet<Integer> ranksOf(@Nullable SheetSet collectives) {
        TreeSet<Integer> ranks = new TreeSet<>();
        if (collectives == null) {
            return ranks;
        }
        for (Table table : collectives.tables()) {
            int column = table.schema().indexOf(GROUP_RANKS);
            if (column >= 0 && table.columns().get(column) instanceof StringColumn texts) {
                TreeSet<String> seen = new TreeSet<>();
                for (int row = 0; row < table.rows(); row++) {
                    String text = texts.get(row);
                    if (text != null && seen.add(text)) {
                        Matcher number = NUMBER.matcher(text);
                        while (number.find()) {
                            ranks.add(Integer.parseInt(number.group()));
                        }
                    }
                }
            }
        }
        return ranks;
    }
}
