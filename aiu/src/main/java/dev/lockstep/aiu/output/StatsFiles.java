// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.output.PageTables.ActivityRow;
import dev.lockstep.aiu.output.PageTables.KernelRow;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.Output;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tables of executions: by kernel, by process, and by kernel in cycles between counters. */
public final class StatsFiles {
    private static final String SUMMARY =
            "Time  \t Total Time\t Calls\t    Mean  \t  Median  \t    Min    \t   Max   \t   StDev  \t  pid\t Name \n";
    private static final String ACTIVE = "Total Kernel Time  \t  Elapsed Time\t  Start Time\t         End Time  \t"
            + " Active percentage  \t   pid \n";
    private static final String[] STEPS = {"TS2-1", "TS3-2", "TS4-3", "TS5-4"};

    private record Row(KernelGroup group, SampleStats durations) {}

    private final String target;
    private final Output output;
    private final AiuLog log;
    private final PageTables page;

    /** @param page takes the rows, too */
    public StatsFiles(String target, Output output, PageTables page, AiuLog log) {
        this.page = page;
        this.target = target;
        this.output = output;
        this.log = log;
    }

    /** @param groups in the order in which they appeared, which settles ties */
    public void write(Collection<KernelGroup> groups) throws IOException {
        Map<Long, List<Row>> processes = new TreeMap<>();
        for (KernelGroup group : groups) {
            processes
                    .computeIfAbsent(group.pid, pid -> new ArrayList<>())
                    .add(new Row(group, SampleStats.of(group.durations.toArray())));
        }
        StringBuilder summary = new StringBuilder(SUMMARY);
        StringBuilder active = new StringBuilder(ACTIVE);
        StringBuilder cycles = new StringBuilder(cyclesHead());
        processes.forEach((pid, rows) -> {
            double total = rows.stream().mapToDouble(r -> r.durations.total()).sum();
            rows.sort(Comparator.comparingDouble((Row r) -> r.durations.total()).reversed());
            for (Row row : rows) {
                summary(summary, row, total);
                cycles(cycles, row);
            }
            active(active, pid, rows);
        });
        file("summary", "summary", summary);
        file("active", "active", active);
        file("timestamp analysis", "ts_analysis", cycles);
    }

    private void file(String what, String purpose, StringBuilder text) throws IOException {
        String name = SideFiles.name(target, purpose, "csv");
        NamedFiles.write(output.file(Path.of(name)), text);
        log.info("SEC statistics " + what + " file created:  " + name);
    }

    private static String cyclesHead() {
        StringBuilder head = new StringBuilder("Calls  \t ");
        for (String step : STEPS) {
            head.append(step)
                    .append("_Mean   \t")
                    .append(step)
                    .append("_Median  \t")
                    .append(step);
            head.append("_Min    \t")
                    .append(step)
                    .append("_Max   \t")
                    .append(step)
                    .append("_StDev  \t");
        }
        return head.append("pid\t Name \n").toString();
    }

    private void summary(StringBuilder out, Row row, double total) {
        SampleStats s = row.durations;
        double share = Rounding.of(s.total() / total * 100, 2);
        page.kernels.add(new KernelRow(row.group.pid, row.group.name.strip(), decimals(share, 2), s.rounded()));
        out.append(fixed(share, 2, 5)).append("\t  ");
        out.append(fixed(s.total(), 3, 9))
                .append("\t ")
                .append(padded(s.count(), 5))
                .append('\t');
        values(out, s);
        kernel(out, row.group);
    }

    private static void cycles(StringBuilder out, Row row) {
        out.append(' ').append(padded(row.durations.count(), 5)).append('\t');
        for (var step : row.group.steps) {
            values(out, SampleStats.of(step.toArray()));
        }
        kernel(out, row.group);
    }

    private static void kernel(StringBuilder out, KernelGroup group) {
        out.append(' ')
                .append(padded(group.pid, 4))
                .append("\t ")
                .append(Unicode.cell(group.name))
                .append('\n');
    }

    private static void values(StringBuilder out, SampleStats s) {
        double[] values = {
            Rounding.of(s.mean(), 3), Rounding.of(s.median(), 3), s.min(), s.max(), Rounding.of(s.stdev(), 3)
        };
        for (double value : values) {
            out.append(' ').append(fixed(value, 3, 8)).append('\t');
        }
    }

    private void active(StringBuilder out, long pid, List<Row> rows) {
        double total = 0;
        double start = 1e30;
        double end = 0;
        for (Row row : rows) {
            total += row.durations.total();
            start = Math.min(start, row.group.start);
            end = Math.max(end, row.group.end);
        }
        double elapsed = end - start;
        double percent = total / elapsed * 100;
        page.activity.add(new ActivityRow(pid, decimals(total, 3), decimals(elapsed, 3), decimals(percent, 2)));
        out.append(fixed(total, 3, 9))
                .append("\t  ")
                .append(fixed(elapsed, 3, 9))
                .append("\t  ");
        out.append(fixed(start, 3, 9)).append("\t ").append(fixed(end, 3, 9)).append("\t ");
        out.append(fixed(percent, 2, 5)).append("\t ").append(padded(pid, 4)).append('\n');
    }

    /** Spelled as Python does, those that are no numbers included. */
    private static String fixed(double value, int decimals, int width) {
        String text = Double.isFinite(value)
                ? new BigDecimal(value)
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .toPlainString()
                : Numbers.python(value);
        return padded(text, width);
    }

    /** The number that a reader of the table finds. */
    static double decimals(double value, int decimals) {
        return Double.isFinite(value)
                ? new BigDecimal(value)
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .doubleValue()
                : value;
    }

    private static String padded(Object value, int width) {
        String text = value.toString();
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
