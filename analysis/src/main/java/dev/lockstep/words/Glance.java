// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.report.Report;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What the tables of one rank say at a glance.
 *
 * @param busy the part of its span in which the device is busy, in percent; 0 where no device was recorded
 * @param parts what the span consists of; empty where no device was recorded
 * @param top the operators that take most time of the device, the largest first
 */
public record Glance(double busy, List<Part> parts, List<Operator> top) {
    private static final int SHOWN = 3;

    /** Parts of less, in percent, are not said. */
    private static final double LEAST = 0.5;

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

    /** Copies the lists. */
    public Glance {
        parts = List.copyOf(parts);
        top = List.copyOf(top);
    }

    /** What the tables of a report say. */
    public static Glance of(Report report) {
        double busy = 0;
        List<Part> parts = List.of();
        List<Operator> top = List.of();
        for (Table table : report.tables()) {
            if (isCompared(table)) {
                continue;
            }
            if (table.name().equals(TableNames.GPU_TIMELINE) && table.schema().indexOf(ColumnNames.IS_RECOMPUTE) < 0) {
                busy = percent(table, TimelinePartNames.BUSY_TIME);
                parts = parts(table);
            } else if (table.name().equals(TableNames.OPS_SUMMARY)) {
                top = top(table);
            }
        }
        return new Glance(busy, parts, top);
    }

    /** How busy the device is, and what its span consists of: {@code busy 53 %}, {@code compute 40 %}. */
    public List<String> words() {
        return Stream.concat(Stream.of(new Part("busy", busy)), parts.stream().filter(part -> part.percent() >= LEAST))
                .map(part -> String.format(Locale.ROOT, "%s %.0f %%", part.label(), part.percent()))
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

    private static List<Operator> top(Table operators) {
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

    private static double percent(Table timeline, String row) {
        for (int i = 0; i < timeline.rows(); i++) {
            if (row.equals(timeline.strings(0).get(i))) {
                return timeline.shown(2, i);
            }
        }
        return 0;
    }
}
