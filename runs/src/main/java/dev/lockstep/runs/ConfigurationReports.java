// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the reports of one configuration lie. Names to write are fixed; to read, all names are known that other programs
 * gave them.
 *
 * @param analysis the folder of all analyses, in the run's folder or in the sweep's
 * @param performance the folder of the ranks' reports
 * @param collectives the folder of the report on collectives
 * @param infix what stands in names before the rank: {@code 28ch_} in sweeps, else empty
 * @param collectiveName name of the report on collectives
 */
public record ConfigurationReports(
        Path analysis, Path performance, Path collectives, String infix, String collectiveName) {
    static final String PERFORMANCE = "individual_reports";
    static final String COLLECTIVES = "collective_reports";
    private static final Pattern BY_RANK = Pattern.compile("rank_?(\\d{1,7})_individual_report\\.xlsx");

    static ConfigurationReports ofRun(Path analysis) {
        return new ConfigurationReports(
                analysis,
                analysis.resolve(PERFORMANCE),
                analysis.resolve(COLLECTIVES),
                "",
                "collective_all_ranks.xlsx");
    }

    static ConfigurationReports ofSweep(Path analysis, SweepCell cell) {
        Path place = analysis.resolve(cell.threadFolder());
        return new ConfigurationReports(
                analysis,
                place.resolve(PERFORMANCE),
                place.resolve(COLLECTIVES),
                cell.column() + "_",
                "collective_" + cell.column() + ".xlsx");
    }

    /** Where to write a rank's report. */
    public Path performanceReport(int rank) {
        return performance.resolve("perf_" + infix + "rank" + rank + ".xlsx");
    }

    /** Where to write a rank's page: beside its report. */
    public Path performancePage(int rank) {
        return performance.resolve("perf_" + infix + "rank" + rank + ".html");
    }

    /** Where to write the report on collectives. */
    public Path collectiveReport() {
        return collectives.resolve(collectiveName);
    }

    /** Where to write the summary of the ranks' timelines: beside the folder of their reports. */
    public Path timelineSummary(boolean geometric) {
        Path home = performance.getParent();
        return (home == null ? analysis : home)
                .resolve("gpu_timeline_summary_" + (geometric ? "geomean" : "mean") + ".xlsx");
    }

    /** The ranks' reports that exist, by rank, under any of their names. */
    public SortedMap<Integer, Path> performanceReports() {
        SortedMap<Integer, Path> found = new TreeMap<>();
        Pattern own = Pattern.compile("perf_" + Pattern.quote(infix) + "rank_?(\\d{1,7})\\.xlsx");
        for (Path file : Folders.children(performance)) {
            String name = String.valueOf(file.getFileName());
            Matcher matcher = own.matcher(name);
            Matcher other = BY_RANK.matcher(name);
            if (matcher.matches()) {
                found.put(Integer.parseInt(matcher.group(1)), file);
            } else if (infix.isEmpty() && other.matches()) {
                found.putIfAbsent(Integer.parseInt(other.group(1)), file);
            }
        }
        return found;
    }

    /** The report on collectives if it exists, else null. */
    public @Nullable Path existingCollectiveReport() {
        for (Path candidate : List.of(collectiveReport(), collectives.resolve("collective_report.xlsx"))) {
            if (Files.isRegularFile(candidate)) {
                return candidate;
            }
        }
        return null;
    }
}
