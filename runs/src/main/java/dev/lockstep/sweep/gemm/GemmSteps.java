// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.gemm.Communication;
import dev.lockstep.analyze.gemm.Gemm;
import dev.lockstep.analyze.gemm.GemmPool;
import dev.lockstep.analyze.gemm.PlacedGemm;
import dev.lockstep.analyze.gemm.RankGemms;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.RunPass;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The three steps one by one, each with the file of the one before: what loses time by varying, when the shortest and longest
 * kernels ran, what communicated meanwhile and what that does.
 */
public final class GemmSteps {
    private final Session session;
    private final Sweep sweep;
    private final PassOptions options;
    private Coverage coverage = Coverage.none();
    private final List<String> remarks = new ArrayList<>();

    /** @param options how traces are read */
    public GemmSteps(Session session, Sweep sweep, PassOptions options) {
        this.session = session;
        this.sweep = sweep;
        this.options = options;
    }

    /**
     * The configurations of a sweep that are wanted.
     *
     * @throws UserException when there are none
     */
    public static List<Configuration> wanted(Sweep sweep, Selection selection) {
        List<Configuration> wanted =
                sweep.configurations().stream().filter(selection::wants).toList();
        if (wanted.isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    sweep.folder() + ": the sweep has none of the wanted configurations",
                    "It has "
                            + String.join(
                                    ", ",
                                    sweep.configurations().stream()
                                            .map(Configuration::label)
                                            .toList()) + ".");
        }
        return wanted;
    }

    /** A table as the text of a CSV file. */
    public static String csv(Table table) {
        return new ChainFile(table.name(), GemmCells.heads(table), GemmCells.rows(table)).text();
    }

    /** The first step; where a configuration has no traces, its reports serve. */
    public GemmFile variance(Selection selection, int topK) throws IOException {
        List<Configuration> configurations = wanted(sweep, selection);
        GemmStage stage = new GemmStage(topK, selection);
        int[] reports = new int[1];
        RunPass.over(session, configurations, options, List.of(stage.extract()), run -> {
            if (run.ranks() != null) {
                stage.add(run);
                cover(run.coverage(), selection, run.configuration());
            } else if (!addReports(stage, run.configuration(), selection)) {
                cover(run.coverage(), selection, run.configuration());
            } else {
                reports[0]++;
            }
        });
        coverMissing(selection);
        demandRows(stage.size());
        if (reports[0] > 0) {
            remarks.add(reports[0] + " of " + configurations.size()
                    + " configurations have no traces: their rows come from reports, are those of whole operators, and are"
                    + " ordered by their range");
        }
        stage.pooled().findings().forEach(finding -> remarks.add(finding.text()));
        return new GemmFile(stage.variance(), stage.size(), coverage, remarks);
    }

    /**
     * The second step.
     *
     * @param tolerance how far durations may be from those of the file before it is said, as a share of these
     */
    public GemmFile timestamps(Path csv, double tolerance) throws IOException {
        RowMatcher matcher = new RowMatcher(ChainFile.read(csv));
        List<List<String>> cells = matcher.blank(RankRows.TIMES.size());
        read(matcher, (configuration, rank, gemms) -> {
            for (int row : matcher.rowsOf(configuration, rank)) {
                List<Integer> found = matcher.match(row, gemms);
                if (!found.isEmpty()) {
                    List<Gemm> all = gemms.gemms();
                    cells.set(row, RankRows.times(found.stream().map(all::get).toList()));
                }
            }
        });
        ChainFile file = matcher.file().with(RankRows.TIMES, cells);
        long mismatches = 0;
        for (int row = 0; row < file.rows(); row++) {
            boolean far = isFar(file, row, ColumnNames.KERNEL_TIME_MIN_US, "min_duration_found_us", tolerance)
                    || isFar(file, row, ColumnNames.KERNEL_TIME_MAX_US, "max_duration_found_us", tolerance);
            mismatches += far ? 1 : 0;
        }
        remark(mismatches, file.rows(), remarks);
        return file(file, cells, "a time");
    }

    private static boolean isFar(ChainFile file, int row, String expected, String found, double tolerance) {
        long wanted = file.nanoseconds(expected, row, 3);
        long have = file.nanoseconds(found, row, 3);
        return wanted >= 0 && have >= 0 && Math.abs(have - wanted) > tolerance * wanted;
    }

    /** Says that rows mean other kernels than those that were found. */
    public static void remark(long mismatches, int rows, List<String> remarks) {
        if (mismatches > 0) {
            remarks.add(mismatches + " of " + rows
                    + " rows have kernels whose durations are not those of the file: was it made from these traces?");
        }
    }

    /** Takes a rank of a configuration. */
    private interface RankSink {
        void accept(Configuration configuration, int rank, RankGemms gemms);
    }

    /** The third step, and all ranks together. */
    public OverlapResult overlap(Path csv) throws IOException {
        RowMatcher matcher = new RowMatcher(ChainFile.read(csv));
        OverlapColumns columns = new OverlapColumns();
        List<List<String>> cells = matcher.blank(columns.heads().size());
        GemmPool pool = new GemmPool();
        Set<String> traced = new HashSet<>();
        read(matcher, (configuration, rank, gemms) -> {
            traced.add(configuration.label());
            pool.add(configuration.label(), gemms);
            for (int row : matcher.rowsOf(configuration, rank)) {
                Integer longest = longest(matcher.match(row, gemms), gemms);
                if (longest != null) {
                    PlacedGemm placed = new PlacedGemm(
                            configuration.label(),
                            configuration.settings().threads(),
                            configuration.settings().channels(),
                            rank,
                            gemms.gemms().get(longest));
                    cells.set(row, cells(matcher, row, placed, gemms.communication(longest), columns));
                }
            }
        });
        for (Configuration configuration : matcher.configurations(sweep)) {
            if (!traced.contains(configuration.label())) {
                fromReport(matcher, configuration, columns, cells);
            }
        }
        GemmPool.Result pooled = pool.result();
        pooled.findings().forEach(finding -> remarks.add(finding.text()));
        return new OverlapResult(file(matcher.file().with(columns.heads(), cells), cells, "communication"), pooled);
    }

    /**
     * What the third step yields.
     *
     * @param file its file
     * @param pooled all ranks and configurations together
     */
    public record OverlapResult(GemmFile file, GemmPool.Result pooled) {}

    private static @Nullable Integer longest(List<Integer> places, RankGemms gemms) {
        Integer longest = null;
        List<Gemm> all = gemms.gemms();
        for (int place : places) {
            if (longest == null
                    || all.get(place).longest().duration()
                            > all.get(longest).longest().duration()) {
                longest = place;
            }
        }
        return longest;
    }

    private static List<String> cells(
            RowMatcher matcher, int row, PlacedGemm placed, Communication communication, OverlapColumns columns) {
        long start = matcher.longestStart(row);
        long duration = matcher.longestDuration(row);
        return start < 0 || duration < 0
                ? columns.of(placed, communication)
                : columns.of(placed, communication, start, duration);
    }

    private void read(RowMatcher matcher, RankSink sink) throws IOException {
        List<Configuration> configurations = matcher.configurations(sweep);
        GemmStage stage = new GemmStage(0, Selection.ALL);
        RunPass.over(session, configurations, options, List.of(stage.extract()), run -> {
            coverage = coverage.and(run.coverage());
            run.all(stage.extract()).forEach((rank, gemms) -> sink.accept(run.configuration(), rank, gemms));
        });
        matcher.unknown(sweep)
                .forEach(label -> coverage = coverage.and(missing(label, -1, "the sweep has no such configuration")));
    }

    private void fromReport(
            RowMatcher matcher, Configuration configuration, OverlapColumns columns, List<List<String>> cells)
            throws IOException {
        Path report = configuration.reports().existingCollectiveReport();
        if (report == null) {
            return;
        }
        ReportedCollectives collectives = new ReportedCollectives();
        ReportFiles.rows(report, ReportedCollectives.SHEET, collectives::row);
        SortedMap<Integer, Communication> ranks = new TreeMap<>();
        for (int row : matcher.rowsOf(configuration)) {
            long start = matcher.longestStart(row);
            long duration = matcher.longestDuration(row);
            if (start >= 0 && duration >= 0) {
                Communication near = ranks.computeIfAbsent(matcher.rank(row), collectives::of);
                cells.set(row, columns.of(near, start, duration));
            }
        }
        remarks.add(configuration.label()
                + " has no traces: its collectives come from " + report.getFileName()
                + ", and whether communication slows a kernel cannot be told");
    }

    private boolean addReports(GemmStage stage, Configuration configuration, Selection selection) throws IOException {
        SortedMap<Integer, Path> reports = configuration.reports().performanceReports();
        List<Part> parts = new ArrayList<>();
        for (Map.Entry<Integer, Path> report : reports.entrySet()) {
            if (selection.wantsRank(report.getKey())) {
                ReportedGemm.Sheet sheet = new ReportedGemm.Sheet();
                ReportFiles.rows(report.getValue(), ReportedGemm.SHEET, sheet::row);
                int kept = stage.add(configuration, report.getKey(), sheet.rows());
                parts.add(new Part(
                        configuration.label(),
                        report.getKey(),
                        kept > 0 ? State.COMPLETE : State.UNREADABLE,
                        report.getValue().toString(),
                        kept > 0 ? "" : "the report has no usable sheet " + ReportedGemm.SHEET));
            }
        }
        cover(new Coverage(parts), selection, configuration);
        return !parts.isEmpty();
    }

    /** Only wanted ranks count; those that were named must be there. */
    private void cover(Coverage of, Selection selection, Configuration configuration) {
        List<Part> parts = new ArrayList<>(of.parts().stream()
                .filter(part -> part.rank() < 0 || selection.wantsRank(part.rank()))
                .toList());
        for (int rank : selection.ranks()) {
            if (of.parts().stream().noneMatch(part -> part.rank() == rank)) {
                parts.addAll(missing(configuration.label(), rank, "no trace of this rank")
                        .parts());
            }
        }
        coverage = coverage.and(new Coverage(parts));
    }

    /** Combinations that were named and that the sweep does not have. */
    private void coverMissing(Selection selection) {
        for (int threads : selection.threads()) {
            for (int channels : selection.channels()) {
                if (sweep.configuration(threads, channels).isEmpty()) {
                    coverage = coverage.and(
                            missing(threads + "thread_" + channels + "ch", -1, "the sweep has no such configuration"));
                }
            }
        }
    }

    private static Coverage missing(String label, int rank, String note) {
        return new Coverage(List.of(new Part(label, rank, State.MISSING, "", note)));
    }

    private void demandRows(int rows) {
        if (rows == 0) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    sweep.folder() + ": no matrix multiplication was found",
                    coverage.gaps().isEmpty()
                            ? "Were kernels recorded?"
                            : coverage.gaps().getFirst().note());
        }
    }

    private GemmFile file(ChainFile file, List<List<String>> cells, String what) {
        long blank = cells.stream()
                .filter(row -> row.stream().allMatch(String::isEmpty))
                .count();
        if (blank > 0) {
            remarks.addFirst(blank + " of " + cells.size() + " rows have no kernels in the traces, and so not " + what);
        }
        return new GemmFile(file.text(), file.rows(), coverage, remarks);
    }
}
