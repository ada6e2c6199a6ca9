// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.metrics;

import dev.lockstep.derive.KernelRules;
import dev.lockstep.publish.metrics.MetricFigure.Kind;
import dev.lockstep.report.Report;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The registry of figures: {@code metrics.txt} says in which cells of which tables they stand. */
public final class MetricRegistry {
    /** A step is a number in the column of this head. */
    private static final String STEP = "step";

    private static final String RANK = "rank";

    private record Place(String how, NamedRows rows, String head) {}

    private record Metric(String name, String meaning, boolean moreIsBetter, List<Place> places) {}

    private static final class Known {
        static final List<Metric> ALL = read();
    }

    private MetricRegistry() {}

    /** The names of all figures. */
    public static List<String> names() {
        return Known.ALL.stream().map(Metric::name).toList();
    }

    /** The figures that a report has, in the order of the registry. */
    public static List<MetricFigure> of(Report report) {
        return Known.ALL.stream()
                .flatMap(metric -> metric.places.stream()
                        .map(place -> figure(metric, place, report))
                        .filter(Objects::nonNull)
                        .limit(1))
                .toList();
    }

    private static @Nullable MetricFigure figure(Metric metric, Place place, Report report) {
        Table table = place.rows.in(report);
        int column = table == null ? -1 : table.schema().indexOf(place.head);
        if (table == null || column < 0) {
            return null;
        }
        Unit shown = table.schema().get(column).shown();
        double factor = factor(shown);
        List<Integer> lines = place.rows.lines(table).stream()
                .filter(line -> Double.isFinite(table.shown(column, line)))
                .toList();
        Stream<Double> all = lines.stream().map(line -> table.shown(column, line) * factor);
        List<Double> values = switch (place.how) {
            case "value" -> all.limit(1).toList();
            case "max" -> all.max(Double::compare).stream().toList();
            case "mean" -> lines.isEmpty() ? List.of() : List.of(mean(all.toList()));
            case "steps" -> bySteps(table, lines, column, factor);
            default -> all.toList();
        };
        Kind kind = place.how.equals("steps") ? Kind.STEPS : place.how.equals("each") ? Kind.RANKS : Kind.VALUE;
        List<Long> ranks = kind != Kind.RANKS
                ? List.of()
                : lines.stream()
                        .map(line -> (long) table.shown(table.schema().indexOf(RANK), line))
                        .toList();
        return values.isEmpty()
                ? null
                : new MetricFigure(metric.name, metric.meaning, base(shown), metric.moreIsBetter, kind, ranks, values);
    }

    /** By step the mean over its rows, which are those of ranks. */
    private static List<Double> bySteps(Table table, List<Integer> lines, int column, double factor) {
        int step = table.schema().indexOf(STEP);
        Map<Double, List<Double>> steps = new LinkedHashMap<>();
        for (int line : lines) {
            steps.computeIfAbsent(table.shown(step, line), number -> new ArrayList<>())
                    .add(table.shown(column, line) * factor);
        }
        return steps.values().stream().map(MetricRegistry::mean).toList();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    private static String base(Unit shown) {
        return switch (shown) {
            case NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS -> "s";
            case BYTES, MEBIBYTES -> "B";
            case BYTES_PER_SECOND, GIGABYTES_PER_SECOND, TERABYTES_PER_SECOND -> "B/s";
            default -> "1";
        };
    }

    private static double factor(Unit shown) {
        return switch (shown) {
            case NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS -> shown.scale() / (double) Unit.SECONDS.scale();
            case BYTES, MEBIBYTES, BYTES_PER_SECOND, GIGABYTES_PER_SECOND, TERABYTES_PER_SECOND -> shown.scale();
            case PERCENT -> 1 / 100.0;
            default -> 1;
        };
    }

    private static List<Metric> read() {
        return KernelRules.resource(MetricRegistry.class.getResourceAsStream("metrics.txt"))
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(MetricRegistry::metric)
                .toList();
    }

    private static Metric metric(String line) {
        String[] parts = line.split(" \\| ");
        List<Place> places = new ArrayList<>();
        for (String part : Arrays.asList(parts).subList(3, parts.length)) {
            int blank = part.indexOf(' ');
            int colon = part.indexOf(": ", blank);
            places.add(new Place(
                    part.substring(0, blank),
                    NamedRows.of(part.substring(blank + 1, colon)),
                    part.substring(colon + 2)));
        }
        return new Metric(parts[0], parts[1], parts[2].equals("more"), places);
    }
}
