// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.ReportFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A list of GEMMs whose time varies, as {@code gemm variance} and the tools before it write it. Columns are found by their
 * heads, older spellings among them; {@code time_diff} and {@code time_diff_ms} hold microseconds too, whatever they say.
 *
 * @param rows in the order of the file
 * @param skipped number of rows that lack a number, or hold one that cannot be
 */
public record VarianceFile(List<GemmRange> rows, int skipped) {
    private static final Map<String, List<String>> HEADS = Map.of(
            "threads", List.of("threads", "thread", "threads_num"),
            "channels", List.of("channel", "channels", "channels_num"),
            "rank", List.of("rank"),
            "range", List.of("time_diff_us", "range_us", "time_diff", "time_diff_ms"),
            "kernel", List.of("kernel_name", "kernel"));

    public VarianceFile {
        rows = List.copyOf(rows);
    }

    /**
     * Reads a CSV file.
     *
     * @throws UserException when a column is missing
     */
    public static VarianceFile read(Path csv) throws IOException {
        Reading reading = new Reading(csv);
        String name = String.valueOf(csv.getFileName());
        int dot = name.lastIndexOf('.');
        ReportFiles.rows(csv, dot < 0 ? name : name.substring(0, dot), reading::row);
        reading.demandHead();
        return new VarianceFile(reading.rows, reading.skipped);
    }

    /** No difference of two times is as long: there are that many microseconds in all nanoseconds that traces can tell apart. */
    private static final double LONGEST_US = Long.MAX_VALUE / 1000.0;

    private static final class Reading {
        private final Path csv;
        private final List<GemmRange> rows = new ArrayList<>();
        private List<String> head = List.of();
        private int skipped;

        private Reading(Path csv) {
            this.csv = csv;
        }

        private void row(List<String> cells) {
            if (head.isEmpty()) {
                head = cells.stream()
                        .map(cell -> cell.strip().toLowerCase(Locale.ROOT))
                        .toList();
                return;
            }
            double threads = number(cells, "threads");
            double channels = number(cells, "channels");
            double rank = number(cells, "rank");
            double range = number(cells, "range");
            if (!isWhole(threads) || !isWhole(channels) || !isWhole(rank) || !(range >= 0 && range < LONGEST_US)) {
                skipped++;
            } else {
                int kernel = place("kernel");
                String name = kernel < 0 || kernel >= cells.size() ? "" : cells.get(kernel);
                rows.add(new GemmRange((long) threads, (long) channels, (long) rank, name, range));
            }
        }

        private static boolean isWhole(double number) {
            return number == Math.rint(number) && Math.abs(number) <= Integer.MAX_VALUE;
        }

        private double number(List<String> cells, String column) {
            int place = place(column);
            try {
                return place < 0 || place >= cells.size()
                        ? Double.NaN
                        : Double.parseDouble(cells.get(place).strip());
            } catch (NumberFormatException e) {
                return Double.NaN;
            }
        }

        private int place(String column) {
            return HEADS.getOrDefault(column, List.of()).stream()
                    .mapToInt(head::indexOf)
                    .filter(i -> i >= 0)
                    .findFirst()
                    .orElse(-1);
        }

        private void demandHead() {
            for (String column : List.of("threads", "channels", "rank", "range")) {
                if (place(column) < 0) {
                    throw new UserException(
                            ErrorCode.DATA_MISSING,
                            csv + " has no column " + String.join(" or ", HEADS.getOrDefault(column, List.of())),
                            "Expected a table of the variance of matrix multiplications.");
                }
            }
        }
    }
}
