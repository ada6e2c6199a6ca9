// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.compare.Lateness;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.runs.Sweep;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One of the sweeps of a page: its pictures, and the numbers behind them as far as they are there.
 *
 * @param label what the page calls it
 * @param folder where it lies
 * @param reports where its reports lie
 * @param pictures content of PNG files by name; those that could neither be read nor drawn are absent
 * @param drawn how many of them were drawn for the page because the sweep had none
 * @param variance the GEMMs whose time varies; null where there is no such file
 * @param totals total time by configuration in ms, from the timelines of all configurations; empty where there are none
 * @param lateness by configuration, who keeps other ranks waiting; those of which nothing is known are absent
 * @param problems what could not be used, and why
 */
public record SweepSide(
        String label,
        Path folder,
        SweepReports reports,
        Map<String, byte[]> pictures,
        int drawn,
        @Nullable VarianceFile variance,
        Map<String, Double> totals,
        Map<String, Lateness> lateness,
        List<String> problems) {
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final byte[] END = {'I', 'E', 'N', 'D', (byte) 0xae, 'B', 0x60, (byte) 0x82};

    public SweepSide {
        problems = List.copyOf(problems);
    }

    /** Whether every picture is there. */
    public boolean isComplete() {
        return pictures.size() == VarianceFigures.FILES.size();
    }

    /** Reads what a sweep has; pictures that it lacks are drawn from its list of GEMMs. */
    public static SweepSide read(String label, Path folder, SweepReports reports, VarianceLook look)
            throws IOException {
        List<String> problems = new ArrayList<>();
        Map<String, byte[]> pictures = new LinkedHashMap<>();
        for (String name : VarianceFigures.FILES) {
            picture(reports.plots().resolve(name), problems).ifPresent(png -> pictures.put(name, png));
        }
        VarianceFile variance = variance(reports.variance(), problems);
        int found = pictures.size();
        if (variance != null) {
            List<Figure> absent = VarianceFigures.of(variance, look).stream()
                    .filter(figure -> !pictures.containsKey(figure.file()))
                    .toList();
            pictures.putAll(FigureFiles.drawn(absent));
        }
        return new SweepSide(
                label,
                folder,
                reports,
                pictures,
                pictures.size() - found,
                variance,
                totals(reports, problems),
                lateness(reports, problems),
                problems);
    }

    private static Optional<byte[]> picture(Path file, List<String> problems) throws IOException {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        byte[] content = NamedFiles.bytes(file);
        boolean whole = content.length > PNG.length + END.length
                && Arrays.equals(content, 0, PNG.length, PNG, 0, PNG.length)
                && Arrays.equals(content, content.length - END.length, content.length, END, 0, END.length);
        if (!whole) {
            problems.add(file + " is no whole PNG file");
        }
        return whole ? Optional.of(content) : Optional.empty();
    }

    private static @Nullable VarianceFile variance(Path csv, List<String> problems) throws IOException {
        if (!Files.isRegularFile(csv)) {
            return null;
        }
        try {
            return VarianceFile.read(csv);
        } catch (UserException | TraceFormatException e) {
            problems.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** From the sheet with a line for each configuration, whichever columns it has beside. */
    private static Map<String, Double> totals(SweepReports reports, List<String> problems) throws IOException {
        Path workbook = reports.timelines(false);
        Map<String, Double> totals = new TreeMap<>();
        if (!Files.isRegularFile(workbook)) {
            return totals;
        }
        List<String> head = new ArrayList<>();
        try {
            ReportFiles.rows(workbook, "Summary_By_Config", cells -> {
                if (head.isEmpty()) {
                    head.addAll(cells);
                    return;
                }
                int name = head.indexOf("full_config");
                int time = head.indexOf("total_time_ms");
                if (name >= 0 && time >= 0 && Math.max(name, time) < cells.size()) {
                    put(totals, cells.get(name), cells.get(time));
                }
            });
        } catch (UserException | TraceFormatException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        return totals;
    }

    private static Map<String, Lateness> lateness(SweepReports reports, List<String> problems) throws IOException {
        Map<String, Lateness> lateness = new TreeMap<>();
        for (Configuration one : configurations(reports)) {
            Path across = one.reports().existingCollectiveReport();
            if (across != null) {
                try {
                    lateness.put(
                            one.label(),
                            SummarySheets.lateness(ReportFiles.read(
                                            across, one.label(), SheetTable.PLAIN, SummarySheets.STRAGGLERS::equals)
                                    .tables()));
                } catch (UserException | TraceFormatException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
            }
        }
        lateness.values().removeIf(known -> !known.isKnown());
        return lateness;
    }

    /** None where there is nothing but lists and pictures. */
    private static List<Configuration> configurations(SweepReports reports) {
        try {
            return Sweep.ofAnalyses(reports.analysis()).configurations();
        } catch (UserException e) {
            return List.of();
        }
    }

    private static void put(Map<String, Double> totals, String configuration, String time) {
        try {
            totals.put(configuration, Double.valueOf(time));
        } catch (NumberFormatException e) {
            totals.put(configuration, Double.NaN);
        }
    }
}
