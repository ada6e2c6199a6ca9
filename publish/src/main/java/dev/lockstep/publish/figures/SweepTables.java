// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.page.PageItem;
import dev.lockstep.publish.page.PageItem.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The numbers behind the pictures of two sweeps. */
final class SweepTables {
    private static final long CHANNEL_RANGE = 1L << 32;

    private final List<SweepSide> sides;

    SweepTables(SweepSide first, SweepSide second) {
        this.sides = List.of(first, second);
    }

    PageItem information() {
        List<Column> columns = List.of(
                Column.text("Sweep"),
                Column.text("Folder"),
                Column.text("Threads"),
                Column.text("Channels"),
                Column.number("Configurations"),
                Column.number("Ranks"),
                Column.number("GEMMs listed"),
                Column.text("Pictures"));
        List<List<String>> rows = new ArrayList<>();
        for (SweepSide side : sides) {
            List<GemmRange> list = rows(side);
            rows.add(List.of(
                    side.label(),
                    side.folder().toString(),
                    keys(list, GemmRange::threads),
                    keys(list, GemmRange::channels),
                    count(list, SweepTables::configuration),
                    count(list, GemmRange::rank),
                    list.isEmpty() ? "" : Integer.toString(list.size()),
                    pictures(side)));
        }
        return new PageItem.Grid("The sweeps", "From each sweep's list of GEMMs whose time varies.", columns, rows);
    }

    private static String pictures(SweepSide side) {
        int missing = VarianceFigures.FILES.size() - side.pictures().size();
        String drawn = side.drawn() == 0 ? "its own" : side.drawn() + " drawn for this page";
        return missing == 0 ? drawn : missing + " missing";
    }

    /** Which configurations of each sweep vary least and most, and which are fastest and slowest. */
    PageItem bestAndWorst() {
        List<Column> columns = List.of(
                Column.text("Sweep"),
                Column.text("What"),
                Column.text("Best configuration"),
                Column.number("Value"),
                Column.text("Worst configuration"),
                Column.number("Value"),
                Column.number("Worst over best"));
        List<List<String>> rows = new ArrayList<>();
        for (SweepSide side : sides) {
            Map<String, Double> medians = ValueGroup.by(rows(side), SweepTables::configuration).stream()
                    .collect(Collectors.toMap(group -> name(group.key()), group -> group.quantile(0.5)));
            extremes(side, "Median range of GEMM times, µs", medians).ifPresent(rows::add);
            extremes(side, "Total time, mean over ranks, ms", side.totals()).ifPresent(rows::add);
        }
        String doc = "The smallest and the largest value among the configurations of each sweep.";
        return new PageItem.Grid("Best and worst", doc, columns, rows);
    }

    private static Optional<List<String>> extremes(SweepSide side, String what, Map<String, Double> values) {
        List<Map.Entry<String, Double>> sorted = values.entrySet().stream()
                .filter(entry -> Double.isFinite(entry.getValue()))
                .sorted(Map.Entry.<String, Double>comparingByValue().thenComparing(Map.Entry::getKey))
                .toList();
        if (sorted.isEmpty()) {
            return Optional.empty();
        }
        double best = sorted.getFirst().getValue();
        double worst = sorted.getLast().getValue();
        return Optional.of(List.of(
                side.label(),
                what,
                sorted.getFirst().getKey(),
                number(best),
                sorted.getLast().getKey(),
                number(worst),
                best > 0 ? String.format(Locale.ROOT, "%.2f", worst / best) : ""));
    }

    /** Every configuration of either sweep. */
    PageItem configurations() {
        return groups("Configuration", SweepTables::configuration);
    }

    /** The values of each group in both sweeps. */
    PageItem groups(String head, ToLongFunction<GemmRange> key) {
        boolean named = head.equals("Configuration");
        List<Column> columns = new ArrayList<>(List.of(named ? Column.text(head) : Column.number(head)));
        for (SweepSide side : sides) {
            for (String what : List.of("n", "median, µs", "mean, µs", "σ, µs", "max, µs")) {
                columns.add(Column.number(side.label() + ": " + what));
            }
        }
        columns.add(Column.number("Change of median, %"));
        List<List<ValueGroup>> groups =
                sides.stream().map(side -> ValueGroup.by(rows(side), key)).toList();
        TreeSet<Long> keys = new TreeSet<>();
        groups.forEach(side -> side.forEach(group -> keys.add(group.key())));
        List<List<String>> rows = new ArrayList<>();
        for (long each : keys) {
            List<String> cells = new ArrayList<>(List.of(named ? name(each) : Long.toString(each)));
            List<Optional<ValueGroup>> pair = groups.stream()
                    .map(side -> side.stream().filter(g -> g.key() == each).findFirst())
                    .toList();
            pair.forEach(group -> cells.addAll(cells(group)));
            cells.add(change(pair.getFirst(), pair.getLast()));
            rows.add(cells);
        }
        String doc = "Ranges by " + head.toLowerCase(Locale.ROOT)
                + "; negative changes: the second sweep varies less. Empty: not in this sweep.";
        return new PageItem.Grid("In numbers", doc, columns, rows);
    }

    private static List<String> cells(Optional<ValueGroup> group) {
        return group.map(g -> List.of(
                        Integer.toString(g.count()),
                        number(g.quantile(0.5)),
                        number(g.mean()),
                        Double.isNaN(g.deviation()) ? "" : number(g.deviation()),
                        number(g.quantile(1))))
                .orElse(List.of("", "", "", "", ""));
    }

    private static String change(Optional<ValueGroup> first, Optional<ValueGroup> second) {
        if (first.isEmpty() || second.isEmpty() || first.get().quantile(0.5) <= 0) {
            return "";
        }
        double base = first.get().quantile(0.5);
        double change = (second.get().quantile(0.5) - base) / base * 100;
        return Math.abs(change) < 0.05 ? "0.0" : String.format(Locale.ROOT, "%+.1f", change);
    }

    private static List<GemmRange> rows(SweepSide side) {
        VarianceFile variance = side.variance();
        return variance == null ? List.of() : variance.rows();
    }

    /** One number for threads and channels, in the order of both. */
    private static long configuration(GemmRange row) {
        return row.threads() * CHANNEL_RANGE + row.channels();
    }

    private static String name(long configuration) {
        return configuration / CHANNEL_RANGE + "thread_" + configuration % CHANNEL_RANGE + "ch";
    }

    private static String keys(List<GemmRange> rows, ToLongFunction<GemmRange> key) {
        return rows.stream()
                .mapToLong(key)
                .sorted()
                .distinct()
                .mapToObj(Long::toString)
                .collect(Collectors.joining(", "));
    }

    private static String count(List<GemmRange> rows, ToLongFunction<GemmRange> key) {
        return rows.isEmpty()
                ? ""
                : Long.toString(rows.stream().mapToLong(key).distinct().count());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.3f", value);
    }
}
