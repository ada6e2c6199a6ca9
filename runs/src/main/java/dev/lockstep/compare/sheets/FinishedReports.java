// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.compare.RunCollectives;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The finished reports of a configuration, read back.
 *
 * @param configuration whose they are
 * @param ranks the reports of ranks, also those that cannot be read
 * @param collectives the report on collectives; null when there is none
 * @param recorded by rank, what the coverage beside the reports says about the traces that they were made from
 */
public record FinishedReports(
        Configuration configuration,
        SortedMap<Integer, Reading> ranks,
        @Nullable Reading collectives,
        SortedMap<Integer, Part> recorded) {
    /**
     * What came of reading a report.
     *
     * @param file where it lies
     * @param sheets what it holds; null when it cannot be read
     * @param problem why; empty when it was read
     */
    public record Reading(Path file, @Nullable SheetSet sheets, String problem) {}

    /**
     * Which sheets to read, by name.
     *
     * @param ofRanks of the ranks' reports; null not to read these
     * @param ofCollectives of the report on collectives
     */
    public record Wanted(@Nullable Predicate<String> ofRanks, Predicate<String> ofCollectives) {}

    public FinishedReports {
        ranks = Collections.unmodifiableSortedMap(new TreeMap<>(ranks));
        recorded = Collections.unmodifiableSortedMap(new TreeMap<>(recorded));
    }

    /**
     * Begins to read several reports at a time; ask what it gives for the result.
     *
     * @param recorded what lies beside them about the traces
     * @param cells how cells are read
     * @param executor reads
     */
    public static Supplier<FinishedReports> begin(
            Configuration configuration,
            RecordedCoverage recorded,
            Wanted wanted,
            SheetTable cells,
            Executor executor) {
        SortedMap<Integer, CompletableFuture<Reading>> ranks = new TreeMap<>();
        Predicate<String> ofRanks = wanted.ofRanks();
        if (ofRanks != null) {
            configuration
                    .reports()
                    .performanceReports()
                    .forEach((rank, file) -> ranks.put(rank, begin(file, cells, ofRanks, executor)));
        }
        Path across = configuration.reports().existingCollectiveReport();
        CompletableFuture<Reading> collectives =
                across == null ? null : begin(across, cells, wanted.ofCollectives(), executor);
        return () -> {
            SortedMap<Integer, Reading> read = new TreeMap<>();
            ranks.forEach((rank, one) -> read.put(rank, one.join()));
            return new FinishedReports(
                    configuration, read, collectives == null ? null : collectives.join(), recorded.of(configuration));
        };
    }

    private static CompletableFuture<Reading> begin(
            Path file, SheetTable cells, Predicate<String> wanted, Executor executor) {
        return CompletableFuture.supplyAsync(() -> read(file, cells, wanted), executor);
    }

    private static Reading read(Path file, SheetTable cells, Predicate<String> wanted) {
        try {
            return new Reading(file, ReportFiles.read(file, file.toString(), cells, wanted), "");
        } catch (IOException e) {
            return new Reading(file, null, String.valueOf(e.getMessage()));
        }
    }

    /** The sheets of the ranks whose reports could be read. */
    public SortedMap<Integer, List<Table>> sheets() {
        SortedMap<Integer, List<Table>> sheets = new TreeMap<>();
        ranks.forEach((rank, one) -> {
            if (one.sheets() != null) {
                sheets.put(rank, one.sheets().tables());
            }
        });
        return sheets;
    }

    /** The sheets of the report on collectives; null when there is none or it cannot be read. */
    public @Nullable SheetSet across() {
        return collectives == null ? null : collectives.sheets();
    }

    /**
     * The state of a rank's report: that of the trace that it was made from, where a part of that is known to be missing; partial
     * where its timeline lacks something.
     *
     * @param label what the configuration is called
     */
    public Part part(String label, int rank) {
        Reading one = reading(rank);
        Part before = recorded.get(rank);
        if (one.sheets() == null) {
            return new Part(label, rank, State.UNREADABLE, one.file().toString(), one.problem());
        }
        Table timeline = one.sheets().sheet(SummarySheets.TIMELINE);
        String lacks = timeline == null || !SummarySheets.isTimeline(timeline) ? "" : SummarySheets.lacks(timeline);
        if (!lacks.isEmpty()) {
            return new Part(label, rank, State.PARTIAL, one.file().toString(), lacks);
        }
        return before != null && before.state() == State.PARTIAL
                ? new Part(label, rank, before.state(), before.source(), before.note())
                : new Part(label, rank, State.COMPLETE, one.file().toString(), "");
    }

    /** Where the report of a rank lies. */
    public Path file(int rank) {
        return reading(rank).file();
    }

    private Reading reading(int rank) {
        Reading one = ranks.get(rank);
        if (one == null) {
            throw new IllegalArgumentException("no report of rank " + rank);
        }
        return one;
    }

    /** The ranks whose reports can be read and were made from whole traces, as far as known. */
    public SortedSet<Integer> whole() {
        SortedSet<Integer> whole = new TreeSet<>(sheets().keySet());
        whole.removeIf(rank -> part("", rank).state() == State.PARTIAL);
        return whole;
    }

    /**
     * What comparisons know of the run.
     *
     * @param label what it is called
     * @param expectedRanks how many ranks it has, as far as known
     * @param ranks those whose times are wanted
     */
    public RunSummary summary(String label, int expectedRanks, Collection<Integer> ranks) {
        SortedMap<Integer, List<Table>> wanted = sheets();
        wanted.keySet().retainAll(ranks);
        SheetSet across = across();
        return new RunSummary(
                label,
                configuration.settings(),
                expectedRanks,
                SummarySheets.times(wanted),
                across == null ? RunCollectives.NONE : SummarySheets.collectives(across.tables()));
    }
}
