// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.tabular.CsvFolder;
import dev.lockstep.tabular.Sheets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Logs of power as CSV: our own and that of piep ({@code timestamp,gpu,power_w}, ours with {@code energy_j}), of wall meters
 * ({@code time,id,power} and {@code time,id,pm1[,pm2],sum}), and of {@code nvidia-smi --query-gpu=timestamp,index,power.draw}.
 *
 * @param series one for each domain, in order of names
 * @param skipped lines without a usable number, such as {@code N/A}; they count for nothing, not for 0 W
 */
public record PowerLog(List<PowerSeries> series, long skipped) {
    private static final List<String> TIMES = List.of("timestamp", "time", "time_ns");
    private static final List<String> DOMAINS = List.of("gpu", "index", "domain", "uuid");
    private static final List<String> POWERS = List.of("power_w", "sum", "power", "power.draw", "power.draw.instant");
    private static final List<String> ENERGIES = List.of("energy_j");

    public PowerLog {
        series = List.copyOf(series);
    }

    private static final class Rows {
        private final LongList ns = new LongList(1024);
        private final DoubleList watts = new DoubleList(1024);
        private final DoubleList joules = new DoubleList(16);
    }

    /**
     * Reads a log.
     *
     * @throws TraceFormatException naming file and line when it cannot be read
     */
    public static PowerLog read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new TraceFormatException(
                    ErrorCode.INPUT_NOT_FOUND, file.toString(), -1, "there is no such file", null);
        }
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".csv")) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN, file.toString(), -1, "expected a log of power as .csv", null);
        }
        Reading reading = new Reading(file);
        try (Sheets sheets = new CsvFolder().open(file)) {
            sheets.rows(sheets.names().getFirst(), reading::row);
        }
        return reading.finish();
    }

    /** The series of one domain, or of all added up when {@code domain} is empty. */
    public List<PowerSeries> of(String domain) {
        if (domain.isEmpty()) {
            return series;
        }
        return series.stream()
                .filter(s -> s.domain().equals(domain) || s.domain().equals("gpu" + domain))
                .toList();
    }

    private static final class Reading {
        private final Path file;
        private final Map<String, Rows> domains = new TreeMap<>();
        private int time = -1;
        private int domain = -1;
        private int power = -1;
        private int energy = -1;
        private long line;
        private long skipped;

        private Reading(Path file) {
            this.file = file;
        }

        private void row(List<String> cells) throws IOException {
            line++;
            if (time < 0) {
                header(cells);
                return;
            }
            double watts = number(at(cells, power));
            double joules = number(at(cells, energy));
            if (Double.isNaN(watts) && Double.isNaN(joules)) {
                skipped++;
                return;
            }
            long moment;
            try {
                moment = PowerTimes.parse(at(cells, time));
            } catch (DateTimeException e) {
                throw damaged("'" + at(cells, time) + "' is no time");
            }
            Rows rows = domains.computeIfAbsent(at(cells, domain).strip(), d -> new Rows());
            rows.ns.add(moment);
            rows.watts.add(watts);
            rows.joules.add(joules);
        }

        private void header(List<String> cells) throws TraceFormatException {
            List<String> names = cells.stream()
                    .map(cell -> cell.replaceAll("\\[.*?\\]", "").strip().toLowerCase(Locale.ROOT))
                    .toList();
            time = place(names, TIMES);
            domain = place(names, DOMAINS);
            power = place(names, POWERS);
            energy = place(names, ENERGIES);
            if (time < 0 || power < 0 && energy < 0) {
                throw damaged("expected columns for time and power, such as timestamp,gpu,power_w or time,id,sum");
            }
        }

        private static int place(List<String> names, List<String> wanted) {
            return wanted.stream()
                    .mapToInt(names::indexOf)
                    .filter(i -> i >= 0)
                    .findFirst()
                    .orElse(-1);
        }

        private static String at(List<String> cells, int place) {
            return place < 0 || place >= cells.size() ? "" : cells.get(place);
        }

        private static double number(String cell) {
            String plain = cell.strip().replaceFirst("\\s*[Ww]$", "");
            try {
                double value = plain.isEmpty() ? Double.NaN : Double.parseDouble(plain);
                return Double.isFinite(value) && value >= 0 ? value : Double.NaN;
            } catch (NumberFormatException e) {
                return Double.NaN;
            }
        }

        private PowerLog finish() throws TraceFormatException {
            if (time < 0) {
                throw damaged("the file is empty");
            }
            List<PowerSeries> series = new ArrayList<>();
            domains.forEach((name, rows) -> series.add(sorted(name, rows)));
            return new PowerLog(series, skipped);
        }

        private static PowerSeries sorted(String name, Rows rows) {
            long[] ns = rows.ns.toArray();
            IntList places = new IntList(ns.length);
            for (int i = 0; i < ns.length; i++) {
                places.add(i);
            }
            int[] order = places.toArray();
            LongOrder.sort(ns, order);
            double[] watts = new double[ns.length];
            double[] joules = new double[ns.length];
            boolean counts = false;
            for (int i = 0; i < ns.length; i++) {
                watts[i] = rows.watts.get(order[i]);
                joules[i] = rows.joules.get(order[i]);
                counts |= !Double.isNaN(joules[i]);
            }
            return new PowerSeries(name, ns, watts, counts ? joules : new double[0]);
        }

        private TraceFormatException damaged(String problem) {
            return new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT, file.toString(), -1, "line " + line + ": " + problem, null);
        }
    }
}
