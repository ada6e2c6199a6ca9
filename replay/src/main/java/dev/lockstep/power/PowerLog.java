// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.tabular.CsvFolder;
import dev.lockstep.tabular.Sheets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Logs of power as CSV: our own and that of piep ({@code timestamp,gpu,power_w}, ours with {@code energy_j}), of wall meters
 * ({@code time,id,power} and {@code time,id,pm1[,pm2],sum}), and of {@code nvidia-smi --query-gpu=timestamp,index,power.draw}.
 * Where they name devices by address on the bus or UUID ({@code bus_id}, {@code pci.bus_id}, {@code uuid}), these are kept.
 *
 * @param series one for each domain, in order of names
 * @param skipped lines without a usable number, such as {@code N/A}; they count for nothing, not for 0 W
 * @param passedOver readings of counters of energy that fell a little or stood out between two that rose; they count for
 *     nothing
 * @param restarts how often counters fell by more than half, and so began anew
 */
public record PowerLog(List<PowerSeries> series, long skipped, long passedOver, long restarts) {
    private static final List<String> TIMES = List.of("timestamp", "time", "time_ns");
    private static final List<String> DOMAINS = List.of("gpu", "index", "domain", "uuid");
    private static final List<String> POWERS =
            List.of("power", "sum", "power.draw", "power.draw.instant", "power.draw.average");
    private static final List<String> IDS = List.of("bus_id", "pci.bus_id", "gpu_bus_id", "bdf", "uuid", "gpu_uuid");
    private static final List<String> ENERGIES = List.of("energy");

    private static final Pattern AMOUNT = Pattern.compile("([-+.\\deE]+)\\s*(\\p{L}*)");
    private static final Pattern UNIT = Pattern.compile("(.*?)[_ ]*[\\[(]?(\\p{L}+)[])]?");

    /** Of a head or an amount. */
    private static final int LONGEST = 200;

    public PowerLog {
        series = List.copyOf(series);
    }

    /** A log without odd counters. */
    public PowerLog(List<PowerSeries> series, long skipped) {
        this(series, skipped, 0, 0);
    }

    private static final class Rows {
        private final Set<String> ids = new LinkedHashSet<>();
        private final LongList ns = new LongList(1024);
        private final DoubleList watts = new DoubleList(1024);
        private final DoubleList joules = new DoubleList(16);
    }

    /** Reads a log whose times are in UTC where they state no zone. */
    public static PowerLog read(Path file) throws IOException {
        return read(file, ZoneOffset.UTC);
    }

    /**
     * Reads a log. Units stand in the header ({@code power_mw}, {@code power.draw [W]}) or behind numbers; without one, they
     * are W and J.
     *
     * @param zone of times that state none
     * @throws TraceFormatException naming file and line when it cannot be read
     */
    public static PowerLog read(Path file, ZoneId zone) throws IOException {
        NamedFiles.demandFile(file.toString(), file, "A log of power is a file whose name ends in .csv.");
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".csv")) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN, file.toString(), -1, "expected a log of power as .csv", null);
        }
        Reading reading = new Reading(file, zone);
        try (Sheets sheets = new CsvFolder().open(file)) {
            sheets.rows(sheets.names().getFirst(), reading::row);
        }
        return reading.finish();
    }

    /** The series of one domain or device, or of all added up when {@code domain} is empty. */
    public List<PowerSeries> of(String domain) {
        if (domain.isEmpty()) {
            return series;
        }
        return series.stream().filter(s -> s.isOf(domain)).toList();
    }

    private static final class Reading {
        private final Path file;
        private final ZoneId zone;
        private final Map<String, Rows> domains = new TreeMap<>();
        private int time = -1;
        private int domain = -1;
        private int power = -1;
        private int energy = -1;
        private final IntList ids = new IntList(2);
        private double powerUnit = 1;
        private double energyUnit = 1;
        private final CounterReadings counters = new CounterReadings();
        private long line;
        private long skipped;

        private Reading(Path file, ZoneId zone) {
            this.file = file;
            this.zone = zone;
        }

        private void row(List<String> cells) throws IOException {
            line++;
            if (time < 0) {
                header(cells);
                return;
            }
            double watts = number(at(cells, power), powerUnit);
            double joules = number(at(cells, energy), energyUnit);
            if (Double.isNaN(watts) && Double.isNaN(joules)) {
                skipped++;
                return;
            }
            long moment;
            try {
                moment = PowerTimes.parse(at(cells, time), zone);
            } catch (DateTimeException e) {
                if (domains.isEmpty()) {
                    throw damaged("'" + at(cells, time) + "' is no time");
                }
                skipped++;
                return;
            }
            Rows rows = domains.computeIfAbsent(at(cells, domain).strip(), d -> new Rows());
            for (int i = 0; i < ids.size(); i++) {
                String id = at(cells, ids.get(i)).strip();
                if (!id.isEmpty()) {
                    rows.ids.add(id);
                }
            }
            rows.ns.add(moment);
            rows.watts.add(watts);
            rows.joules.add(joules);
        }

        private void header(List<String> cells) throws TraceFormatException {
            List<String> names = cells.stream()
                    .map(cell -> cell.strip().toLowerCase(Locale.ROOT))
                    .toList();
            time = place(names, TIMES);
            domain = place(names, DOMAINS);
            power = place(names, POWERS);
            energy = place(names, ENERGIES);
            for (int i = 0; i < names.size(); i++) {
                if (IDS.contains(names.get(i)) && i != domain) {
                    ids.add(i);
                }
            }
            powerUnit = power < 0 ? 1 : unit(cells.get(power).strip());
            energyUnit = energy < 0 ? 1 : unit(cells.get(energy).strip());
            if (time < 0 || power < 0 && energy < 0) {
                throw damaged("expected columns for time and power, such as timestamp,gpu,power_w or time,id,sum");
            }
        }

        private static int place(List<String> names, List<String> wanted) {
            List<String> plain = names.stream().map(Reading::withoutUnit).toList();
            return wanted.stream()
                    .mapToInt(name -> names.contains(name) ? names.indexOf(name) : plain.indexOf(name))
                    .filter(i -> i >= 0)
                    .findFirst()
                    .orElse(-1);
        }

        private static String withoutUnit(String name) {
            Matcher parts = UNIT.matcher(name);
            return name.length() <= LONGEST && parts.matches() && PowerUnits.isKnown(parts.group(2))
                    ? parts.group(1)
                    : name;
        }

        /** The unit of a column by its head. One in capitals alone does not tell M from m, and counters in MW are rare. */
        private static double unit(String name) {
            boolean capitals = name.equals(name.toUpperCase(Locale.ROOT));
            Matcher parts = UNIT.matcher(capitals ? name.toLowerCase(Locale.ROOT) : name);
            return name.length() <= LONGEST && parts.matches() ? PowerUnits.of(parts.group(2), 1.0) : 1;
        }

        private static String at(List<String> cells, int place) {
            return place < 0 || place >= cells.size() ? "" : cells.get(place);
        }

        /** An amount in W or J; NaN for what is none. */
        private static double number(String cell, double unit) {
            Matcher amount = AMOUNT.matcher(cell.strip());
            if (cell.length() > LONGEST || !amount.matches()) {
                return Double.NaN;
            }
            String stated = amount.group(2);
            try {
                double value = Double.parseDouble(amount.group(1))
                        * (stated.isEmpty() ? unit : PowerUnits.of(stated, Double.NaN));
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
            return new PowerLog(series, skipped, counters.passedOver(), counters.restarts());
        }

        /** Lines of one time keep their order, that of a log whose newest line is the first from its end. */
        private PowerSeries sorted(String name, Rows rows) {
            int n = rows.ns.size();
            boolean backwards = isBackwards(rows.ns);
            long[] ns = new long[n];
            int[] order = new int[n];
            for (int i = 0; i < n; i++) {
                order[i] = backwards ? n - 1 - i : i;
                ns[i] = rows.ns.get(order[i]);
            }
            LongOrder.sort(ns, order);
            double[] watts = new double[n];
            double[] read = new double[n];
            for (int i = 0; i < n; i++) {
                watts[i] = rows.watts.get(order[i]);
                read[i] = rows.joules.get(order[i]);
            }
            return new PowerSeries(name, List.copyOf(rows.ids), ns, watts, counters.joules(read));
        }

        /** Whether times fall from line to line more often than they rise. */
        private static boolean isBackwards(LongList ns) {
            int falls = 0;
            for (int i = 1; i < ns.size(); i++) {
                falls += Long.compare(ns.get(i - 1), ns.get(i));
            }
            return falls > 0;
        }

        private TraceFormatException damaged(String problem) {
            return new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT, file.toString(), -1, "line " + line + ": " + problem, null);
        }
    }
}
