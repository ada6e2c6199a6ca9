// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A sweep over threads and channels: {@code <T>thread/nccl_<C>channels/torch_profiler}. It is a grid: a cell without a
 * folder is a configuration that was not run.
 *
 * @param folder the sweep's folder
 * @param reports where reports about the whole sweep lie
 * @param configurations every cell of the grid, by threads and channels
 */
public record Sweep(Path folder, SweepReports reports, List<Configuration> configurations) {
    public Sweep {
        configurations = List.copyOf(configurations);
    }

    /** The sweep in a folder, whose reports have the program's own names. */
    public static Sweep at(Path given) {
        return at(given, ReportNames.OWN);
    }

    /**
     * The sweep in a folder, which may also be that of its analyses. Configurations are those that have a folder for
     * their traces, or reports.
     *
     * @param names what its reports are called or shall be called
     * @throws UserException when the folder does not exist or holds no sweep
     */
    public static Sweep at(Path given, ReportNames names) {
        return at(given, names, names.in(given));
    }

    /** The sweep in a folder of which only finished reports may exist, under any of their names; these come first. */
    public static Sweep finished(Path given, ReportNames names) {
        return at(given, names, names.existingIn(given));
    }

    private static Sweep at(Path given, ReportNames names, Path inside) {
        if (!Files.exists(given)) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, given + ": there is no such folder", null);
        }
        if (!Files.isDirectory(given)) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND, given + ": expected the folder of a sweep, found a file", null);
        }
        return ReportNames.areOf(given)
                ? of(above(given), new SweepReports(given, names), given)
                : of(given, new SweepReports(inside, names), given);
    }

    /**
     * The sweep whose analyses lie, or shall lie, in a folder, whatever that is called; its runs lie in the folder above it.
     *
     * @throws UserException when there are neither runs nor reports
     */
    public static Sweep ofAnalyses(Path analysis) {
        boolean nothing = !Files.isDirectory(analysis)
                && SweepGrid.of(above(analysis), analysis).isEmpty();
        if (nothing) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    analysis
                            + (Files.exists(analysis)
                                    ? ": expected a folder, found a file"
                                    : ": there is no such folder"),
                    "The folder above it holds no runs either.");
        }
        return of(above(analysis), new SweepReports(analysis, ReportNames.OWN), analysis);
    }

    private static Sweep of(Path folder, SweepReports reports, Path given) {
        List<SweepCell> grid = SweepGrid.of(folder, reports.analysis());
        if (grid.isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    given + ": no sweep here",
                    "A sweep holds folders like 256thread/nccl_28channels/torch_profiler.");
        }
        Map<String, SweepCell> labels = new HashMap<>();
        for (SweepCell cell : grid) {
            SweepCell other = labels.putIfAbsent(cell.label(), cell);
            if (other != null) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        folder + ": " + other.threadFolder() + "/" + other.channelFolder() + " and "
                                + cell.threadFolder() + "/" + cell.channelFolder() + " are both called " + cell.label(),
                        "Rename one of the folders.");
            }
        }
        return new Sweep(
                folder,
                reports,
                grid.stream()
                        .map(cell -> Configuration.ofSweep(folder, reports.analysis(), cell))
                        .toList());
    }

    /** Names of the folders of thread counts, each once, in order of their numbers. */
    public List<String> rows() {
        return configurations.stream().map(Configuration::row).distinct().toList();
    }

    /** The channel counts as names of reports spell them, {@code 28ch}, in order of their numbers. */
    public List<String> columns() {
        return configurations.stream().map(Configuration::column).distinct().toList();
    }

    /** The configuration of a row and a column. */
    public Configuration cell(String row, String column) {
        return configurations.stream()
                .filter(c -> c.row().equals(row) && c.column().equals(column))
                .findFirst()
                .orElseThrow();
    }

    /** The configuration with these numbers. */
    public Optional<Configuration> configuration(int threads, int channels) {
        return configurations.stream()
                .filter(c -> c.settings().threads() == threads && c.settings().channels() == channels)
                .findFirst();
    }

    private static Path above(Path analysis) {
        Path parent = analysis.toAbsolutePath().normalize().getParent();
        return parent == null ? analysis : parent;
    }
}
