// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.work.PerfSummary.Row;
import dev.lockstep.options.Device;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.report.Chart.Axis;
import dev.lockstep.report.Chart.Points;
import dev.lockstep.report.Chart.Polyline;
import dev.lockstep.report.Chart.Scatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Operators by intensity and rate, beneath the roofs of a device. */
public final class RooflineChart {
    private static final int MOST_POINTS = 400;

    /** Operators below this share of the device time of all only stretch the axes. */
    private static final double WORTH = 0.0005;

    private static final double TERA = 1e12;
    private static final double NS_PER_US = 1000;

    private RooflineChart() {}

    /** The chart, null when there is no operator to show. */
    public static @Nullable Scatter of(PerfSummary.Result result, @Nullable Device device) {
        double all = result.rows().stream().mapToLong(Row::time).sum();
        List<Row> rows = result.rows().stream()
                .filter(row -> canShow(row) && row.time() >= all * WORTH)
                .limit(MOST_POINTS)
                .toList();
        if (rows.isEmpty()) {
            return null;
        }
        Map<String, List<Row>> byCategory = new TreeMap<>();
        for (Row row : rows) {
            byCategory
                    .computeIfAbsent(row.signature().category(), c -> new ArrayList<>())
                    .add(row);
        }
        List<Points> series = new ArrayList<>();
        byCategory.forEach((category, members) -> series.add(points(category, members)));
        return new Scatter(
                "Roofline",
                "Each point is an operator with its arguments; its area is the device time. The further a point lies"
                        + " beneath the roof of its precision, the more time could be won. Operators of less than 0.05 %"
                        + " of the device time are left out. "
                        + (device == null
                                ? "The device is not known, so there are no roofs."
                                : "Roofs of " + device.name() + "."),
                new Axis("FLOP per byte", true),
                new Axis("TFLOP/s", true),
                series,
                device == null ? List.of() : roofs(rows, device));
    }

    private static boolean canShow(Row row) {
        Work work = row.figures().work();
        return work != null
                && work.intensity() > 0
                && row.figures().flopsPerSecond().mean() > 0;
    }

    private static double intensity(Row row) {
        Work work = row.figures().work();
        return work == null ? Double.NaN : work.intensity();
    }

    private static Points points(String category, List<Row> rows) {
        int n = rows.size();
        double[] x = new double[n];
        double[] y = new double[n];
        double[] weight = new double[n];
        List<String> labels = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            Row row = rows.get(i);
            x[i] = intensity(row);
            y[i] = row.figures().flopsPerSecond().mean() / TERA;
            weight[i] = row.time() / NS_PER_US;
            labels.add(label(row));
        }
        return new Points(category, false, x, y, weight, labels);
    }

    private static String label(Row row) {
        double percent = row.figures().percentOfRoofline().mean();
        String reached = Double.isNaN(percent) ? "" : String.format(Locale.ROOT, ", %.1f %% of the roofline", percent);
        int calls = row.figures().kernelTime().count();
        return String.format(
                Locale.ROOT,
                "%s %s: %,.1f µs in %,d %s%s",
                row.signature().name(),
                row.signature().inputDims() == null ? "" : row.signature().inputDims(),
                row.time() / NS_PER_US,
                calls,
                calls == 1 ? "call" : "calls",
                reached);
    }

    /** The bandwidth up to the ridge, then the peak, for each precision that occurs. */
    private static List<Polyline> roofs(List<Row> rows, Device device) {
        double least = rows.stream().mapToDouble(RooflineChart::intensity).min().orElse(1);
        double most = rows.stream().mapToDouble(RooflineChart::intensity).max().orElse(1);
        Map<String, Polyline> roofs = new TreeMap<>();
        for (Row row : rows) {
            Work work = row.figures().work();
            String spec = work == null ? "" : work.computeSpec();
            double peak = device.flopsPerSecond(spec);
            if (peak > 0 && device.bytesPerSecond() > 0) {
                double ridge = peak / device.bytesPerSecond();
                double from = Math.min(least, ridge / 2);
                double to = Math.max(most, ridge * 2);
                double[] x = {from, ridge, to};
                double[] y = {from * device.bytesPerSecond() / TERA, peak / TERA, peak / TERA};
                roofs.putIfAbsent(
                        spec, new Polyline(String.format(Locale.ROOT, "%s: %.4g TFLOP/s", spec, peak / TERA), x, y));
            }
        }
        return List.copyOf(roofs.values());
    }
}
