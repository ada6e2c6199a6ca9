// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Report;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of one rank say at a glance.
 *
 * @param spanNs from the first activity of the device to the last, in ns; 0 where no device was recorded
 * @param busy the part of its span in which the device is busy, in percent; 0 where no device was recorded
 * @param parts what the span consists of; empty where no device was recorded
 * @param operators those whose kernels take most time, the largest first
 * @param kernels those that take most time, by their labels, the largest first
 */
public record Glance(long spanNs, double busy, List<Part> parts, List<Operator> operators, List<Kernel> kernels) {
    private static final int SHOWN = 3;
    private static final int PERCENT = 100;

    /** Parts of less, in percent, are not said. */
    private static final double LEAST = 0.5;

    /** Spans that differ by less are taken for one. */
    private static final double SHORTER = 0.9;

    /** The parts, by their names in {@code gpu_timeline} and in words. */
    private static final List<List<String>> PARTS = List.of(
            List.of(TimelinePartNames.COMPUTATION_TIME, "compute"),
            List.of(TimelinePartNames.EXPOSED_COMM_TIME, "communication"),
            List.of(TimelinePartNames.EXPOSED_MEMCPY_TIME, "copies"),
            List.of(TimelinePartNames.IDLE_TIME, "idle"));

    /**
     * A part of a span.
     *
     * @param label what it is, in a word
     * @param percent of the span
     */
    public record Part(String label, double percent) {}

    /**
     * An operator.
     *
     * @param name as it was recorded
     * @param ns the time of its kernels
     */
    public record Operator(String name, long ns) {}

    /**
     * Kernels of one label.
     *
     * @param label as {@link KernelLabels} makes it
     * @param ns the sum of their durations
     * @param allNs the same of all kernels of the trace
     */
    public record Kernel(String label, long ns, long allNs) {
        /** The label and the part of the time of all kernels: {@code gemm 128x64 bf16 tn 31 %}. */
        public String words() {
            return label + " " + Words.share(ns, allNs);
        }
    }

    /** Copies the lists. */
    public Glance {
        parts = List.copyOf(parts);
        operators = List.copyOf(operators);
        kernels = List.copyOf(kernels);
    }

    /** What the tables of a report say. */
    public static Glance of(Report report) {
        long spanNs = 0;
        double busy = 0;
        List<Part> parts = List.of();
        List<Operator> operators = List.of();
        List<Kernel> kernels = List.of();
        for (Table table : report.tables()) {
            if (isCompared(table)) {
                continue;
            }
            if (table.name().equals(TableNames.GPU_TIMELINE) && table.schema().indexOf(ColumnNames.IS_RECOMPUTE) < 0) {
                spanNs = nanoseconds(table, TimelinePartNames.TOTAL_TIME);
                busy = percent(table, TimelinePartNames.BUSY_TIME);
                parts = parts(table);
            } else if (table.name().equals(TableNames.OPS_SUMMARY)) {
                operators = operators(table);
            } else if (table.name().equals(TableNames.KERNEL_SUMMARY)) {
                kernels = kernels(table);
            }
        }
        return new Glance(spanNs, busy, parts, operators, kernels);
    }

    /**
     * How busy the device is, and what its span consists of: {@code busy 53 %}, {@code compute 40 %}. Where that span is clearly shorter
     * than what the verdict speaks of, the last words say how long it is.
     */
    public List<String> words(@Nullable Answer answer) {
        Stream<String> percents = Stream.concat(
                        Stream.of(new Part("busy", busy)), parts.stream().filter(part -> part.percent() >= LEAST))
                .map(part -> String.format(Locale.ROOT, "%s %.0f %%", part.label(), part.percent()));
        boolean shorter = answer != null && spanNs < SHORTER * answer.verdict().ofNs();
        return Stream.concat(
                        percents,
                        shorter ? Stream.of("of " + Words.time(spanNs) + " of device activity") : Stream.empty())
                .toList();
    }

    /** Whether a table is one of a comparison: these have the same names, and columns of each side. */
    public static boolean isCompared(Table table) {
        return table.schema().columns().stream()
                .anyMatch(column -> column.header().contains("::"));
    }

    /** The parts in a table {@code gpu_timeline}, all of them. */
    public static List<Part> parts(Table timeline) {
        return PARTS.stream()
                .map(part -> new Part(part.get(1), percent(timeline, part.get(0))))
                .toList();
    }

    private static List<Kernel> kernels(Table table) {
        int name = table.schema().indexOf(ColumnNames.KERNEL_NAME);
        int time = table.schema().indexOf(ColumnNames.KERNEL_DURATION_US_SUM);
        Map<String, Long> times = new TreeMap<>();
        for (int row = 0; name >= 0 && time >= 0 && row < table.rows(); row++) {
            String kernel = Objects.requireNonNullElse(table.strings(name).get(row), "");
            times.merge(KernelLabels.of(kernel), table.nanoseconds(time, row), Long::sum);
        }
        long all = times.values().stream().mapToLong(Long::longValue).sum();
        return times.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .filter(one -> one.getValue() * PERCENT >= all)
                .limit(SHOWN)
                .map(one -> new Kernel(one.getKey(), one.getValue(), all))
                .toList();
    }

    private static List<Operator> operators(Table operators) {
        int name = operators.schema().indexOf("name");
        int time = operators.schema().indexOf(ColumnNames.TOTAL_DIRECT_KERNEL_TIME_MS);
        List<Operator> top = new ArrayList<>();
        if (name >= 0 && time >= 0) {
            for (int row = 0; row < Math.min(SHOWN, operators.rows()); row++) {
                top.add(new Operator(
                        Objects.requireNonNullElse(operators.strings(name).get(row), ""),
                        operators.nanoseconds(time, row)));
            }
        }
        return top;
    }

    private static double percent(Table timeline, String part) {
        int row = row(timeline, part);
        return row < 0 ? 0 : timeline.shown(2, row);
    }

    private static long nanoseconds(Table timeline, String part) {
        int row = row(timeline, part);
        return row < 0 ? 0 : timeline.nanoseconds(1, row);
    }

    private static int row(Table timeline, String part) {
        for (int i = 0; i < timeline.rows(); i++) {
            if (part.equals(timeline.strings(0).get(i))) {
                return i;
            }
        }
        return -1;
    }
}
