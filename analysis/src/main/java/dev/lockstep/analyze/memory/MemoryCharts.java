// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.report.Chart.Axis;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.Points;
import dev.lockstep.report.Chart.Polyline;
import dev.lockstep.report.Chart.Scatter;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineHead;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Section.ChartSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Pictures of what allocators allocated: the curve, who held the peak, the largest blocks over time. */
public final class MemoryCharts {
    private static final double MEBI = 1 << 20;
    private static final double NS_PER_MS = 1e6;
    private static final int MOST_DEVICES = 8;
    private static final int MOST_OWNERS = 16;
    private static final int MOST_BLOCKS = 2000;
    private static final int MOST_LANES = 24;

    private MemoryCharts() {}

    /** The pictures of all devices but the host, up to eight of them; drawn where a writer asks for them. */
    public static List<ChartSection> of(MemoryUse.Result result) {
        List<DeviceMemory> devices = result.devices().stream()
                .filter(device -> device.log().device() != MemoryDetails.HOST)
                .limit(MOST_DEVICES)
                .toList();
        List<ChartSection> charts = new ArrayList<>();
        if (!devices.isEmpty()) {
            charts.add(new ChartSection(() -> curve(devices)));
        }
        for (DeviceMemory device : devices) {
            charts.add(new ChartSection(() -> owners(device, result.devices())));
            if (device.log().hasAddresses() && hasBlocks(device.log())) {
                charts.add(new ChartSection(() -> blocks(device)));
            }
        }
        return charts;
    }

    private static boolean hasBlocks(AllocatorLog log) {
        return IntStream.range(0, log.size()).anyMatch(i -> log.bytes(i) > 0);
    }

    private static Scatter curve(List<DeviceMemory> devices) {
        long begin =
                devices.stream().mapToLong(device -> device.log().time(0)).min().orElse(0);
        List<Polyline> lines = new ArrayList<>();
        List<Points> peaks = new ArrayList<>();
        for (DeviceMemory device : devices) {
            List<MemoryCurve.Point> points = MemoryCurve.of(device.log());
            lines.add(line("allocated on device " + device.device(), points, begin, false));
            if (points.stream().allMatch(point -> point.reserved() >= 0)) {
                lines.add(line("held on device " + device.device(), points, begin, true));
            }
            peaks.add(new Points(
                    "peak of device " + device.device(),
                    false,
                    new double[] {(device.whole().peakAt() - begin) / NS_PER_MS},
                    new double[] {device.whole().peak() / MEBI},
                    new double[] {1},
                    List.of("peak of device " + device.device()),
                    List.of(Evidence.place(
                            "peak", device.whole().peakAt(), device.whole().peakAt() + 1, 1))));
        }
        return new Scatter(
                "Memory over time",
                "What the allocator allocated of each device, and what it held. Where there are many events, a point is"
                        + " the most of a part of them; memory_timeline has the least, too.",
                new Axis("ms since the first event", false),
                new Axis("MiB", false),
                peaks,
                lines);
    }

    private static Polyline line(String name, List<MemoryCurve.Point> points, long begin, boolean reserved) {
        double[] x = new double[points.size()];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = (points.get(i).to() - begin) / NS_PER_MS;
            y[i] = (reserved ? points.get(i).reserved() : points.get(i).most()) / MEBI;
        }
        return new Polyline(name, x, y);
    }

    private static StackedBars owners(DeviceMemory device, List<DeviceMemory> all) {
        Map<String, double[]> bars = new LinkedHashMap<>();
        Lifetime[] classes = Lifetime.values();
        List<LiveSet.Row> rows = device.peakRows();
        for (LiveSet.Row row : rows) {
            bars.computeIfAbsent(row.owner().name(), owner -> new double[classes.length])[
                            row.lifetime().ordinal()] +=
                    row.bytes() / MEBI;
        }
        int[] present = IntStream.range(0, classes.length)
                .filter(c -> bars.values().stream().anyMatch(bar -> bar[c] != 0))
                .toArray();
        int first = all.subList(0, all.indexOf(device)).stream()
                .mapToInt(before -> before.peakRows().size())
                .sum();
        List<Bar> shown = bars.entrySet().stream()
                .sorted(Comparator.comparingDouble(
                        bar -> -Arrays.stream(bar.getValue()).sum()))
                .limit(MOST_OWNERS)
                .map(bar -> new Bar(
                        bar.getKey(),
                        Arrays.stream(present)
                                .mapToDouble(c -> bar.getValue()[c])
                                .toArray(),
                        new Evidence.Rows(
                                TableNames.MEMORY_PEAK,
                                IntStream.range(0, rows.size())
                                        .filter(row ->
                                                rows.get(row).owner().name().equals(bar.getKey()))
                                        .mapToObj(row -> first + row)
                                        .toList())))
                .toList();
        return new StackedBars(
                "Owners of the peak of device " + device.device(),
                "Owners of the memory at the peak, by how long their blocks live"
                        + (bars.size() > shown.size()
                                ? "; the " + shown.size() + " largest of " + bars.size() + "."
                                : "."),
                "MiB",
                Arrays.stream(present).mapToObj(c -> classes[c].word()).toList(),
                shown,
                true);
    }

    /** The largest blocks, each on the first lane that is free. */
    private static Timeline blocks(DeviceMemory device) {
        AllocatorLog log = device.log();
        int[] largest = IntStream.range(0, log.size())
                .filter(i -> log.bytes(i) > 0)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> -log.bytes(i)).thenComparing(i -> i))
                .limit(MOST_BLOCKS)
                .mapToInt(Integer::intValue)
                .toArray();
        List<List<Integer>> lanes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        int shown = 0;
        long[] free = new long[MOST_LANES];
        Arrays.fill(free, Long.MIN_VALUE);
        Arrays.sort(largest);
        for (int block : largest) {
            int lane = 0;
            while (lane < MOST_LANES && free[lane] > log.time(block)) {
                lane++;
            }
            if (lane == MOST_LANES) {
                continue;
            }
            if (lane == lanes.size()) {
                lanes.add(new ArrayList<>());
            }
            lanes.get(lane).add(block);
            free[lane] = takenBack(log, block);
            shown++;
        }
        List<TimelineRow> rows = new ArrayList<>();
        for (List<Integer> lane : lanes) {
            rows.add(row("blocks " + (rows.size() + 1), lane, device, names));
        }
        return new Timeline(
                "Blocks of device " + device.device() + " over time",
                "Each bar is a block, from allocation to free, coloured by its lifetime class: the " + shown
                        + " largest that fit. Rows only avoid overlap.",
                log.time(0),
                end(log),
                Arrays.stream(Lifetime.values()).map(Lifetime::word).toList(),
                names,
                rows);
    }

    private static long end(AllocatorLog log) {
        return log.time(log.size() - 1) + 1;
    }

    private static long takenBack(AllocatorLog log, int block) {
        return log.end(block) == AllocatorLog.NEVER ? end(log) : log.time(log.end(block));
    }

    /** Names of the blocks are added. */
    private static TimelineRow row(String label, List<Integer> lane, DeviceMemory device, List<String> names) {
        AllocatorLog log = device.log();
        int n = lane.size();
        long[] start = new long[n];
        long[] duration = new long[n];
        int[] kind = new int[n];
        int[] name = new int[n];
        for (int i = 0; i < n; i++) {
            int block = lane.get(i);
            start[i] = log.time(block) - log.time(0);
            duration[i] = takenBack(log, block) - log.time(block);
            kind[i] = device.lifetime(block).ordinal();
            name[i] = names.size();
            names.add(String.format(Locale.ROOT, "%s, %.1f MiB", device.owner(block), log.bytes(block) / MEBI));
        }
        return new TimelineRow(new TimelineHead(label, "", false), start, duration, kind, name, null, null);
    }
}
