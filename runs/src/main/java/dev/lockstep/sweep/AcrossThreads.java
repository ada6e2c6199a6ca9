// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.report.SheetSet;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Compares the reports of a rank under different thread counts, for every channel count. */
public final class AcrossThreads {
    private record Task(Path target, List<SheetSet> reports) {}

    private final Session session;
    private final ReportStyle style;

    public AcrossThreads(Session session, ReportStyle style) {
        this.session = session;
        this.style = style;
    }

    /**
     * Writes the comparisons of all ranks that were reported under two thread counts or more.
     *
     * @param output shows them
     * @return where they will be
     */
    public List<Path> write(Sweep sweep, List<ReportedConfiguration> reported, Output output) throws IOException {
        List<CompletableFuture<Path>> writing = new ArrayList<>();
        for (Task task : tasks(sweep, reported)) {
            Path staged = output.file(task.target);
            writing.add(CompletableFuture.supplyAsync(() -> write(task, staged), session.pool()));
        }
        List<Path> written = new ArrayList<>();
        writing.forEach(one -> one.handle((path, failure) -> true).join());
        for (CompletableFuture<Path> one : writing) {
            written.add(join(one));
        }
        return written;
    }

    private Path write(Task task, Path staged) {
        try {
            session.registry().writer("xlsx").write(style.acrossThreads(task.reports), staged, style.cells());
            return task.target;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private List<Task> tasks(Sweep sweep, List<ReportedConfiguration> reported) {
        Map<String, ReportedConfiguration> byLabel = new TreeMap<>();
        reported.forEach(one -> byLabel.put(one.configuration().label(), one));
        List<String> rows = style.baselineFirst(sweep.rows());
        List<Task> tasks = new ArrayList<>();
        for (String column : sweep.columns()) {
            List<ReportedConfiguration> ofColumn = rows.stream()
                    .map(row -> byLabel.get(sweep.cell(row, column).label()))
                    .filter(Objects::nonNull)
                    .toList();
            for (int rank : ranks(ofColumn)) {
                List<SheetSet> reports = reports(ofColumn, rank);
                if (reports.size() > 1) {
                    tasks.add(new Task(sweep.reports().acrossThreads(column, rank), reports));
                }
            }
        }
        return tasks;
    }

    private static SortedSet<Integer> ranks(List<ReportedConfiguration> configurations) {
        SortedSet<Integer> ranks = new TreeSet<>();
        configurations.forEach(one -> ranks.addAll(one.performance().keySet()));
        return ranks;
    }

    private List<SheetSet> reports(List<ReportedConfiguration> configurations, int rank) {
        List<SheetSet> reports = new ArrayList<>();
        for (ReportedConfiguration one : configurations) {
            List<Table> sheets = one.performance().get(rank);
            boolean counts = style.comparesPartial() || one.whole().contains(rank);
            if (sheets != null && counts && one.timelines().containsKey(rank)) {
                reports.add(new SheetSet(
                        one.configuration().row(),
                        one.configuration().reports().performanceReport(rank).toString(),
                        sheets));
            }
        }
        return reports;
    }

    private static Path join(CompletableFuture<Path> writing) throws IOException {
        try {
            return writing.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
