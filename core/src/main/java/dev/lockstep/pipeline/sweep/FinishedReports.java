// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.pipeline.sweep;

import dev.lockstep.engine.ReportFiles;
import dev.lockstep.engine.Session;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.Sweep;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The reports of a sweep, read back.
 *
 * @param configurations every configuration, in order
 * @param coverage which reports are there
 */
public record FinishedReports(List<ConfigurationSheets> configurations, Coverage coverage) {
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
        List<ConfigurationSheets> configurations = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        List<Pending> pending = sweep.configurations().stream()
                .map(configuration -> new Pending(session, configuration, cells))
                .toList();
        int ranks = pending.stream().mapToInt(Pending::ranks).max().orElse(0);
        for (Pending one : pending) {
            configurations.add(one.finish(ranks, parts));
        }
        return new FinishedReports(configurations, new Coverage(parts));
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
            files.forEach((rank, file) ->
                    performance.put(rank, begin(session, file, cells, ConfigurationSheets.PERFORMANCE)));
            this.collectives = collectiveFile == null
                    ? null
                    : begin(session, collectiveFile, cells, ConfigurationSheets.COLLECTIVES);
        }

        private static CompletableFuture<Read> begin(
                Session session, Path file, SheetTable cells, List<String> sheets) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return new Read(
                                    ReportFiles.read(file, file.toString(), cells, sheets::contains)
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

        ConfigurationSheets finish(int expected, List<Part> parts) {
            if (files.isEmpty() && collectiveFile == null) {
                parts.addAll(Coverage.absent(configuration, "it has no reports").parts());
                return new ConfigurationSheets(configuration, 0, new TreeMap<>(), null);
            }
            SortedMap<Integer, List<Table>> sheets = new TreeMap<>();
            for (int rank = 0; rank < expected; rank++) {
                CompletableFuture<Read> future = performance.get(rank);
                Path file = files.get(rank);
                if (future == null || file == null) {
                    part(parts, rank, State.MISSING, "", "no report of this rank");
                    continue;
                }
                Read read = future.join();
                sheets.put(rank, read.sheets == null ? List.of() : read.sheets);
                part(parts, rank, state(read), file.toString(), read.problem);
            }
            Read read = collectives == null ? null : collectives.join();
            if (read == null) {
                part(parts, -1, State.MISSING, "", "no report on collectives");
            } else if (read.sheets == null) {
                part(parts, -1, State.UNREADABLE, String.valueOf(collectiveFile), read.problem);
            }
            return new ConfigurationSheets(configuration, expected, sheets, read == null ? null : read.sheets);
        }

        private static State state(Read read) {
            return read.sheets == null ? State.UNREADABLE : State.COMPLETE;
        }

        private void part(List<Part> parts, int rank, State state, String source, String note) {
            parts.add(new Part(configuration.label(), rank, state, source, note));
        }
    }
}
