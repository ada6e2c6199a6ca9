// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.sweep;

import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.Fields;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sheets of {@code gpu_timeline_all_configs_mean.xlsx} and {@code ..._geomean.xlsx}: the timelines of all ranks,
 * averaged for each configuration.
 *
 * <p>Quirks: a geometric mean takes 0 for 1e-10, so that one rank without a part takes the average of all down by orders
 * of magnitude; ranks whose reports cannot be read are counted; configurations stand in order of their texts in all sheets
 * but the first.
 */
public final class AllTimelines {
    private static final double INSTEAD_OF_ZERO = 1e-10;
    private static final List<String> KEY_PARTS =
            List.of("computation_time", "exposed_comm_time", "busy_time", "idle_time", "total_time");

    private record Row(SweepSheet config, int ranks, String type, double time, double percent) {}

    private record Series(DoubleList times, DoubleList percents) {
        Series() {
            this(new DoubleList(8), new DoubleList(8));
        }
    }

    private final boolean geometric;
    private final List<Row> rows = new ArrayList<>();

    private AllTimelines(boolean geometric) {
        this.geometric = geometric;
    }

    /**
     * The workbook.
     *
     * @param timelines the sheet {@code gpu_timeline} of every rank of every configuration
     * @param geometric whether averages are geometric
     * @return null when nothing could be read
     */
    public static @Nullable StyledWorkbook of(List<SweepSheet> timelines, boolean geometric) {
        AllTimelines all = new AllTimelines(geometric);
        Map<String, List<SweepSheet>> configurations = new LinkedHashMap<>();
        for (SweepSheet sheet : timelines) {
            configurations
                    .computeIfAbsent(sheet.fullConfig(), c -> new ArrayList<>())
                    .add(sheet);
        }
        configurations.values().forEach(all::add);
        all.rows.sort(Comparator.comparingLong((Row r) -> r.config.threads())
                .thenComparingLong(r -> r.config.channels())
                .thenComparing(Row::type));
        return all.rows.isEmpty()
                ? null
                : new StyledWorkbook(List.of(
                        StyledSheet.of(all.data(), Look.FRAME),
                        StyledSheet.of(all.pivot("Pivot_Time_ms", Row::time), Look.INDEXED_FRAME),
                        StyledSheet.of(all.pivot("Pivot_Percent", Row::percent), Look.INDEXED_FRAME),
                        StyledSheet.of(all.summary(), Look.FRAME)));
    }

    private void add(List<SweepSheet> ranks) {
        Map<String, Series> types = new TreeMap<>();
        for (SweepSheet rank : ranks) {
            if (rank.table() != null) {
                collect(rank.table(), types);
            }
        }
        types.forEach((type, series) -> rows.add(
                new Row(ranks.getFirst(), ranks.size(), type, average(series.times), average(series.percents))));
    }

    private static void collect(Table table, Map<String, Series> types) {
        int type = table.schema().indexOf("type");
        int time = table.schema().indexOf("time ms");
        int percent = table.schema().indexOf("percent");
        if (type < 0 || time < 0 || percent < 0 || !(table.columns().get(type) instanceof StringColumn names)) {
            return;
        }
        for (int row = 0; row < table.rows(); row++) {
            if (!names.isMissing(row)) {
                Series series = types.computeIfAbsent(String.valueOf(names.get(row)), t -> new Series());
                series.times.add(table.shown(time, row));
                series.percents.add(table.shown(percent, row));
            }
        }
    }

    private double average(DoubleList values) {
        double sum = 0;
        int count = 0;
        for (double value : values.toArray()) {
            if (geometric) {
                sum += Math.log(value == 0 ? INSTEAD_OF_ZERO : value);
                count++;
            } else if (!Double.isNaN(value)) {
                sum += value;
                count++;
            }
        }
        return geometric ? Math.exp(sum / count) : sum / count;
    }

    private Table data() {
        return new Fields<Row>()
                .add(ColumnSpec.text("full_config", "Configuration."), r -> r.config.fullConfig())
                .add(ColumnSpec.id("threads_num", "Threads per block."), r -> r.config.threads())
                .add(ColumnSpec.text("thread_config", "The same as text."), r -> r.config.threadConfig())
                .add(ColumnSpec.id("channels_num", "Channels."), r -> r.config.channels())
                .add(ColumnSpec.text("channel_config", "The same as text."), r -> r.config.channelConfig())
                .add(ColumnSpec.count("num_ranks", "Reports of ranks."), Row::ranks)
                .add(ColumnSpec.text("type", "Part of the timeline."), Row::type)
                .add(milliseconds("time ms"), Row::time)
                .add(ColumnSpec.percent("percent", "Share of the total, averaged over ranks."), Row::percent)
                .table("All_Data", "All_Data", rows);
    }

    private Table pivot(String name, ToDoubleFunction<Row> value) {
        Map<String, Map<String, Double>> cells = new TreeMap<>();
        TreeSet<String> configurations = new TreeSet<>();
        for (Row row : rows) {
            double cell = value.applyAsDouble(row);
            if (!Double.isNaN(cell)) {
                configurations.add(row.config.fullConfig());
                cells.computeIfAbsent(row.type, t -> new TreeMap<>()).put(row.config.fullConfig(), cell);
            }
        }
        Fields<Map.Entry<String, Map<String, Double>>> fields = new Fields<Map.Entry<String, Map<String, Double>>>()
                .add(ColumnSpec.text("type", "Part of the timeline."), Map.Entry::getKey);
        for (String configuration : configurations) {
            fields.add(
                    ColumnSpec.real(configuration, Unit.NONE, Unit.NONE, "Average over ranks."),
                    e -> e.getValue().get(configuration));
        }
        return fields.table(name, name, List.copyOf(cells.entrySet()));
    }

    private Table summary() {
        Map<String, Map<String, Row>> configurations = new TreeMap<>();
        for (Row row : rows) {
            configurations
                    .computeIfAbsent(row.config.fullConfig(), c -> new LinkedHashMap<>())
                    .put(row.type, row);
        }
        Fields<Map<String, Row>> fields = new Fields<Map<String, Row>>()
                .add(
                        ColumnSpec.text("full_config", "Configuration."),
                        c -> any(c).config.fullConfig())
                .add(
                        ColumnSpec.id("threads_num", "Threads per block."),
                        c -> any(c).config.threads())
                .add(
                        ColumnSpec.id("channels_num", "Channels."),
                        c -> any(c).config.channels())
                .add(ColumnSpec.count("num_ranks", "Reports of ranks."), c -> any(c).ranks);
        for (String part : KEY_PARTS) {
            fields.add(milliseconds(part + "_ms"), c -> time(c.get(part)));
        }
        return fields.table("Summary_By_Config", "Summary_By_Config", List.copyOf(configurations.values()));
    }

    private static Row any(Map<String, Row> configuration) {
        return configuration.values().iterator().next();
    }

    private static @Nullable Double time(@Nullable Row row) {
        return row == null ? null : (Double) row.time;
    }

    private static ColumnSpec milliseconds(String header) {
        return ColumnSpec.real(header, Unit.MILLISECONDS, Unit.MILLISECONDS, "Time of the part, averaged over ranks.");
    }
}
