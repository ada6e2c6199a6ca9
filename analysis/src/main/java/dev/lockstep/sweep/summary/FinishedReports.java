// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.reporting.ReportFiles;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportStage;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The reports of a sweep, read back.
 *
 * @param configurations every configuration, in order
 * @param coverage which reports are there
 */
public record FinishedReports(List<ReportedConfiguration> configurations, Coverage coverage) {
    private record Read(@Nullable List<Table> sheets, String problem) {}

    public FinishedReports {
        configurations = List.copyOf(configurations);
    }

    /**
     * Reads the sheets that matter, several reports at a time.
     *
     * @param cells how cells are read
     */
    public static FinishedReports read(Session session, Sweep sweep, SheetTable cells) {
        List<Pending> pending = sweep.configurations().stream()
                .map(configuration -> new Pending(session, configuration, cells))
                .toList();
        int ranks = pending.stream().mapToInt(Pending::ranks).max().orElse(0);
        List<ReportedConfiguration> configurations = new ArrayList<>();
        for (Pending one : pending) {
            configurations.add(one.finish(ranks));
        }
        return new FinishedReports(configurations, ReportedConfiguration.coverage(configurations));
    }

    /** Reports of a configuration that are being read. */
    private static final class Pending {
        private final Configuration configuration;
        private final SortedMap<Integer, Path> files;
        private final @Nullable Path collectiveFile;
        private final SortedMap<Integer, CompletableFuture<Read>> performance = new TreeMap<>();
        private final @Nullable CompletableFuture<Read> collectives;

        Pending(Session session, Configuration configuration, SheetTable cells) {
            this.configuration = configuration;
            this.files = configuration.reports().performanceReports();
            this.collectiveFile = configuration.reports().existingCollectiveReport();
            files.forEach(
                    (rank, file) -> performance.put(rank, begin(session, file, cells, ReportStage.KEPT::contains)));
            this.collectives = collectiveFile == null
                    ? null
                    : begin(session, collectiveFile, cells, name -> name.contains("summary"));
        }

        private static CompletableFuture<Read> begin(
                Session session, Path file, SheetTable cells, Predicate<String> sheets) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return new Read(
                                    ReportFiles.read(file, file.toString(), cells, sheets)
                                            .tables(),
                                    "");
                        } catch (IOException e) {
                            return new Read(null, String.valueOf(e.getMessage()));
                        }
                    },
                    session.pool());
        }

        int ranks() {
            return files.isEmpty() ? 0 : files.lastKey() + 1;
        }

        ReportedConfiguration finish(int expected) {
            List<Part> parts = new ArrayList<>();
            SortedMap<Integer, List<Table>> sheets = new TreeMap<>();
            if (files.isEmpty() && collectiveFile == null) {
                return reported(Coverage.absent(configuration, "it has no reports"), sheets, null);
            }
            for (int rank = 0; rank < expected; rank++) {
                CompletableFuture<Read> future = performance.get(rank);
                if (future == null) {
                    part(parts, rank, State.MISSING, "", "no report of this rank");
                } else {
                    Read read = future.join();
                    sheets.put(rank, read.sheets == null ? List.of() : read.sheets);
                    part(parts, rank, state(read), String.valueOf(files.get(rank)), read.problem);
                }
            }
            Read read = collectives == null ? null : collectives.join();
            if (read == null) {
                part(parts, -1, State.MISSING, "", "no report on collectives");
            } else if (read.sheets == null) {
                part(parts, -1, State.UNREADABLE, String.valueOf(collectiveFile), read.problem);
            }
            return reported(new Coverage(parts), sheets, read == null ? null : read.sheets);
        }

        private ReportedConfiguration reported(
                Coverage coverage, SortedMap<Integer, List<Table>> sheets, @Nullable List<Table> across) {
            Set<Integer> whole = sheets.keySet();
            return new ReportedConfiguration(
                    configuration, coverage, true, sheets, whole, across, List.of(), List.of());
        }

        private static State state(Read read) {
            return read.sheets == null ? State.UNREADABLE : State.COMPLETE;
        }

        private void part(List<Part> parts, int rank, State state, String source, String note) {
            parts.add(new Part(configuration.label(), rank, state, source, note));
        }
    }
}
