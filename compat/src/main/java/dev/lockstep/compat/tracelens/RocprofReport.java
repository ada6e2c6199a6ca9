// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.ShortNames;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The report of a rocprofv3 recording as TraceLens writes it. Durations of kernels are never converted there: what its heads
 * call microseconds are nanoseconds, and its milliseconds are microseconds, in all sheets but the timeline; so a threshold
 * of 10 µs for short kernels means 10 ns. Running percentages are added up in alphabetical order, before the sheet is sorted.
 */
final class RocprofReport {

    private static final double NS_PER_MS = 1e6;
    private static final double THOUSAND = 1000;

    /** A row of a sheet: kernels of a name or category. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Group(String name, long[] durations, long sum, double percent, double running) {
        double mean() {
            return (double) sum / durations.length;
        }

        double median() {
            return Quantiles.median(durations, durations.length);
        }

        /** Of a sample; null for a single one. */
        @Nullable
        Double deviation() {
            return durations.length < 2 ? null : Quantiles.deviation(durations, mean());
        }
    }

    private final Trace trace;
    private final Map<String, LongList> byName = new TreeMap<>();
    private final List<Section> sections = new ArrayList<>();

    private RocprofReport(Trace trace) {
        this.trace = trace;
    }

    /**
     * The report.
     *
     * @param shortKernels whether short kernels are studied
     * @param threshold below this many of what the sheets call microseconds a kernel is short
     * @param bins bars of the histogram
     */
    static Report of(Trace trace, boolean shortKernels, double threshold, int bins) {
        return new RocprofReport(trace).build(shortKernels, threshold, bins);
    }

    private Report build(boolean shortKernels, double threshold, int bins) {
        collect();
        add(timeline());
        add(kernels(groups(name -> name)));
        add(categories(groups(RocprofReport::category)));
        if (shortKernels) {
            add(shortKernels(threshold));
            add(histogram(threshold, bins));
        }
        return new Report("TraceLens report", trace.info().source(), sections);
    }

    private void add(Table table) {
        sections.add(new TableSection(table));
    }

    private void collect() {
        Slices slices = trace.slices();
        ShortNames names = trace.view(ShortNames.KEY);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.KERNEL) {
                int brief = names == null ? -1 : names.of(i);
                String name = trace.strings().get(brief < 0 ? slices.name(i) : brief);
                byName.computeIfAbsent(name, n -> new LongList(16)).add(slices.dur(i));
            }
        }
    }

    private Table timeline() {
        long total = stated("fini_time") - stated("init_time");
        IntervalSet kernels = busy(SliceKind.KERNEL);
        IntervalSet memory = busy(SliceKind.MEMCPY);
        long busy = kernels.union(memory).total();
        record Row(String type, long ns) {}
        List<Row> rows = byName.isEmpty()
                ? List.of()
                : List.of(
                        new Row("total_time", total),
                        new Row("kernel", kernels.total()),
                        new Row("memory", memory.total()),
                        new Row("busy_time", busy),
                        new Row("idle", Math.max(0, total - busy)));
        return new Fields<Row>()
                .add(ColumnSpec.text("type", "Part of the recording."), Row::type)
                .add(real("time ms", "Time of the part."), r -> r.ns / NS_PER_MS)
                .add(
                        real("percent", "Share of the total."),
                        r -> r.type.equals("total_time") ? 100.0 : total > 0 ? 100.0 * r.ns / total : 0.0)
                .table("gpu_timeline", "GPU timeline", rows);
    }

    private long stated(String key) {
        String text = trace.info().metadata().getOrDefault(key, "0");
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    private IntervalSet busy(SliceKind kind) {
        Slices slices = trace.slices();
        IntervalSet.Builder busy = new IntervalSet.Builder();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == kind) {
                busy.add(slices.ts(i), slices.end(i));
            }
        }
        return busy.build();
    }

    /** Kernels by what their names are mapped to, in alphabetical order, with running percentages in that order. */
    private List<Group> groups(Function<String, String> key) {
        Map<String, LongList> grouped = new TreeMap<>();
        byName.forEach((name, durations) ->
                grouped.computeIfAbsent(key.apply(name), k -> new LongList(16)).addAll(durations));
        long whole = 0;
        Map<String, long[]> sorted = new TreeMap<>();
        for (Map.Entry<String, LongList> entry : grouped.entrySet()) {
            long[] durations = entry.getValue().toArray();
            Arrays.sort(durations);
            sorted.put(entry.getKey(), durations);
            whole += sum(durations);
        }
        List<Group> groups = new ArrayList<>();
        double running = 0;
        for (Map.Entry<String, long[]> entry : sorted.entrySet()) {
            long sum = sum(entry.getValue());
            double percent = whole == 0 ? 0 : (double) sum / whole * 100.0;
            running += percent;
            groups.add(new Group(entry.getKey(), entry.getValue(), sum, percent, running));
        }
        groups.sort(Comparator.comparingLong((Group g) -> -g.sum));
        return groups;
    }

    private static Table kernels(List<Group> groups) {
        return new Fields<Group>()
                .add(ColumnSpec.text("name", "Short name of the kernel."), Group::name)
                .add(ColumnSpec.count("Count", "Launches."), g -> g.durations.length)
                .add(real("Mean Kernel Time (µs)", "Mean duration, in ns."), Group::mean)
                .add(real("Median Kernel Time (µs)", "Median duration, in ns."), Group::median)
                .add(real("Std Kernel Time (µs)", "Deviation of the sample, in ns."), Group::deviation)
                .add(ColumnSpec.count("Min Kernel Time (µs)", "Shortest, in ns."), g -> g.durations[0])
                .add(
                        ColumnSpec.count("Max Kernel Time (µs)", "Longest, in ns."),
                        g -> g.durations[g.durations.length - 1])
                .add(real("Percentage (%)", "Share of the time of all kernels."), Group::percent)
                .add(real("Cumulative Percentage (%)", "Share of all kernels up to this name."), Group::running)
                .add(real("Total Kernel Time (ms)", "Time of all launches, in µs."), g -> g.sum / THOUSAND)
                .add(ColumnSpec.text("Category", "By words in the name."), g -> category(g.name))
                .table("kernel_summary", "Kernels", groups);
    }

    private static Table categories(List<Group> groups) {
        return new Fields<Group>()
                .add(ColumnSpec.text("op category", "By words in the names of kernels."), Group::name)
                .add(ColumnSpec.count("Count", "Launches."), g -> g.durations.length)
                .add(real("total_direct_kernel_time_ms", "Time of all launches, in µs."), g -> g.sum / THOUSAND)
                .add(real("Percentage (%)", "Share of the time of all kernels."), Group::percent)
                .add(real("Cumulative Percentage (%)", "Share of all categories up to this one."), Group::running)
                .table("kernel_summary_by_category", "Kernels by category", groups);
    }

    private Table shortKernels(double threshold) {
        record Row(String name, long count, long sum) {}
        List<Row> rows = new ArrayList<>();
        long whole = 0;
        for (Map.Entry<String, LongList> entry : byName.entrySet()) {
            long count = 0;
            long sum = 0;
            for (long duration : entry.getValue().toArray()) {
                whole += duration;
                count += duration < threshold ? 1 : 0;
                sum += duration < threshold ? duration : 0;
            }
            if (count > 0) {
                rows.add(new Row(entry.getKey(), count, sum));
            }
        }
        rows.sort(Comparator.comparingLong((Row r) -> -r.sum));
        long all = whole;
        return new Fields<Row>()
                .add(ColumnSpec.text("name", "Short name of the kernel."), Row::name)
                .add(ColumnSpec.count("Short Kernel count", "Launches below the threshold."), Row::count)
                .add(ColumnSpec.count("Short Kernel duration (µs) sum", "Their time, in ns."), Row::sum)
                .add(real("Short Kernel duration (µs) mean", "Their mean, in ns."), r -> (double) r.sum / r.count)
                .add(
                        real("Short Kernel duration (µs) percent of total time", "Share of the time of all kernels."),
                        r -> all == 0 ? 0.0 : (double) r.sum / all * 100.0)
                .table("short_kernels_summary", "Short kernels", rows);
    }

    private Table histogram(double threshold, int bins) {
        LongList durations = new LongList(64);
        byName.values().forEach(all -> {
            for (long duration : all.toArray()) {
                if (duration < threshold) {
                    durations.add(duration);
                }
            }
        });
        record Bin(double from, double to, long count) {}
        List<Bin> rows = new ArrayList<>();
        if (durations.size() > 0) {
            long[] sorted = durations.toArray();
            Arrays.sort(sorted);
            boolean flat = sorted[0] == sorted[sorted.length - 1];
            double first = flat ? sorted[0] - 0.5 : sorted[0];
            double last = flat ? sorted[0] + 0.5 : sorted[sorted.length - 1];
            double step = (last - first) / bins;
            long[] counts = new long[bins];
            for (long duration : sorted) {
                int bin = Math.min(bins - 1, (int) ((duration - first) * (bins / (last - first))));
                if (duration < bin * step + first) {
                    bin--;
                } else if (bin < bins - 1 && duration >= (bin + 1) * step + first) {
                    bin++;
                }
                counts[bin]++;
            }
            for (int bin = 0; bin < bins; bin++) {
                rows.add(new Bin(bin * step + first, bin == bins - 1 ? last : (bin + 1) * step + first, counts[bin]));
            }
        }
        return new Fields<Bin>()
                .add(real("bin_start", "Lower edge, in ns."), Bin::from)
                .add(real("bin_end", "Upper edge, in ns."), Bin::to)
                .add(ColumnSpec.count("count", "Launches."), Bin::count)
                .table("short_kernel_histogram", "Histogram of short kernels", rows);
    }

    /** By words in the name, the first that fits. */
    private static String category(String kernel) {
        String name = kernel.toLowerCase(Locale.ROOT);
        if (has(name, "gemm", "matmul", "cijk")) {
            return "GEMM";
        } else if (has(name, "elementwise")) {
            return "Elementwise";
        } else if (has(name, "reduce", "sum")) {
            return "Reduction";
        } else if (has(name, "conv")) {
            return "Convolution";
        } else if (has(name, "norm")) {
            return "Normalization";
        } else if (has(name, "flash", "attn", "fmha")) {
            return "Attention";
        } else if (has(name, "copy")) {
            return "Memory";
        } else if (has(name, "rccl", "nccl", "cross_device_reduce")) {
            return "COMM";
        }
        return "Other";
    }

    private static boolean has(String name, String... words) {
        for (String word : words) {
            if (name.contains(word)) {
                return true;
            }
        }
        return false;
    }

    private static long sum(long[] durations) {
        long sum = 0;
        for (long duration : durations) {
            sum += duration;
        }
        return sum;
    }

    private static ColumnSpec real(String header, String doc) {
        return ColumnSpec.real(header, Unit.NONE, Unit.NONE, doc);
    }
}
