// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import static dev.lockstep.table.ColumnSpec.millis;
import static dev.lockstep.table.ColumnSpec.percent;
import static dev.lockstep.table.ColumnSpec.real;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.hardware.KernelOccupancy.Result;
import dev.lockstep.analyze.hardware.KernelOccupancy.Row;
import dev.lockstep.analyze.hardware.KernelOccupancy.Units;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The sheets and the picture of {@link KernelOccupancy}. */
public final class OccupancySheets {
    private static final double NS_PER_MS = 1e6;
    private static final int QUARTER = 25;

    private OccupancySheets() {}

    static List<Units> unitsOf(List<Row> rows) {
        Map<String, List<Row>> groups = new TreeMap<>();
        for (Row row : rows) {
            if (row.unit() != null) {
                groups.computeIfAbsent(row.unit() + " " + row.precision(), key -> new ArrayList<>())
                        .add(row);
            }
        }
        List<Units> units = new ArrayList<>();
        for (List<Row> group : groups.values()) {
            Set<String> names = new HashSet<>();
            group.forEach(row -> names.add(row.launch().kernel()));
            Row first = group.getFirst();
            units.add(new Units(
                    String.valueOf(first.unit()),
                    first.precision(),
                    names.size(),
                    group.stream().mapToInt(Row::count).sum(),
                    group.stream().mapToLong(Row::ns).sum()));
        }
        units.sort(Comparator.comparingLong(unit -> -unit.ns()));
        return units;
    }

    private static @Nullable Long known(long value) {
        return value < 0 ? null : (Long) value;
    }

    private static ColumnSpec number(String header, String doc) {
        return real(header, Unit.NONE, Unit.NONE, doc);
    }

    static Table kernels(Result result) {
        return new Fields<Row>()
                .add(
                        ColumnSpec.id("device", "Number of the device; missing when not recorded."),
                        r -> known(r.launch().device()))
                .add(text("kernel", "Name of the kernel."), r -> r.launch().kernel())
                .add(ColumnSpec.count("count", "How often it was launched in this way."), Row::count)
                .add(millis(ColumnNames.TIME_MS, "Durations added up."), Row::ns)
                .add(
                        percent("kernel time %", "Share of the durations of all kernels."),
                        r -> result.kernelNs() == 0 ? Double.NaN : 100.0 * r.ns() / result.kernelNs())
                .add(
                        percent(
                                "occupancy %",
                                "Share of the threads of a multiprocessor that are in use: those of the blocks that"
                                        + " fit, or of the blocks that there are where those are fewer on average; missing"
                                        + " where the trace does not tell registers or the device's limits."),
                        r -> r.fill().occupancy())
                .add(
                        percent(
                                "fitting %",
                                "What the occupancy would be with blocks enough; more is not possible with these"
                                        + " registers, shared memory and threads."),
                        r -> r.fill().fitting())
                .add(
                        text(
                                "limited by",
                                "What limits how many blocks fit on a multiprocessor: threads, registers, shared memory"
                                        + " or blocks."),
                        r -> r.fill().limit())
                .add(
                        percent(
                                "recorded occupancy %",
                                "Occupancy as the profiler estimates it; missing where it does not, or writes 0 because"
                                        + " its calculation fails."),
                        Row::recorded)
                .add(
                        number("blocks per SM", "Blocks of the grid for each multiprocessor of the device."),
                        r -> r.fill().blocksEach())
                .add(
                        number("warps per block", "Warps of a block."),
                        r -> r.fill().warps())
                .add(
                        number(
                                "warps per SM",
                                "Warps of the grid for each multiprocessor of the device, at the same time or not."),
                        r -> r.fill().warps() * r.fill().blocksEach())
                .add(
                        number("waves", "How many times the blocks of the grid fill the device; below 1, they do not."),
                        r -> r.fill().waves())
                .add(
                        percent(
                                "empty %",
                                "Places for blocks that stay empty over all waves, if all blocks take equally long: in"
                                        + " the last wave, or in the only one."),
                        r -> r.fill().empty())
                .add(
                        text(
                                "unit",
                                "What the name says that matrices are multiplied with: matrix (tensor cores, matrix"
                                        + " cores) or vector; missing for other kernels."),
                        Row::unit)
                .add(text("precision", "Precision of the operands, where the name tells."), Row::precision)
                .add(text("grid", "Blocks along each axis."), r -> r.launch().grid())
                .add(text("block", "Threads along each axis."), r -> r.launch().block())
                .add(
                        ColumnSpec.count("registers", "Registers of a thread; missing when not recorded."),
                        r -> known(r.launch().registers()))
                .add(
                        ColumnSpec.whole(
                                ColumnNames.SHARED_MEMORY,
                                Unit.BYTES,
                                Unit.BYTES,
                                "Shared memory of a block; missing when not recorded."),
                        r -> known(r.launch().sharedMemory()))
                .table(TableNames.KERNEL_OCCUPANCY, "Kernel occupancy", result.rows());
    }

    static Table units(Result result) {
        return new Fields<Units>()
                .add(
                        text(
                                "unit",
                                "What matrices are multiplied with, as names of kernels tell: matrix (tensor cores of"
                                        + " NVIDIA, matrix cores of AMD) or vector."),
                        Units::unit)
                .add(text("precision", "Precision of the operands; missing where names do not tell."), Units::precision)
                .add(ColumnSpec.count("kernels", "How many different kernels."), Units::kernels)
                .add(ColumnSpec.count("count", "How many launches."), Units::count)
                .add(millis(ColumnNames.TIME_MS, "Durations added up."), Units::ns)
                .add(
                        percent("kernel time %", "Share of the durations of all kernels."),
                        r -> result.kernelNs() == 0 ? Double.NaN : 100.0 * r.ns() / result.kernelNs())
                .table("matrix_units", "Matrix units", result.units());
    }

    /** Time of kernels by occupancy; null where it is known of none. */
    public static Chart.@Nullable StackedBars chart(Result result) {
        String[] labels = {"below 25 %", "25 to 50 %", "50 to 75 %", "75 to 100 %", "not known"};
        double[][] values = new double[labels.length][3];
        boolean any = false;
        for (Row row : result.rows()) {
            any |= !Double.isNaN(row.occupancy());
            int bar = bar(row);
            int part = "matrix".equals(row.unit()) ? 0 : row.compute() ? 1 : 2;
            values[bar][part] += row.ns() / NS_PER_MS;
        }
        if (!any) {
            return null;
        }
        List<Bar> bars = new ArrayList<>();
        for (int i = 0; i < labels.length; i++) {
            int bar = i;
            bars.add(new Bar(
                    labels[i],
                    values[i],
                    Evidence.Rows.of(TableNames.KERNEL_OCCUPANCY, result.rows(), row -> bar(row) == bar)));
        }
        return new Chart.StackedBars(
                "Time of kernels by occupancy",
                "How long kernels ran that keep this share of a multiprocessor's threads in use. Those that multiply on"
                        + " matrix units do well with few threads; the others hide latencies with them.",
                "ms",
                List.of("on matrix units", "other computation", "communication and others"),
                bars,
                true);
    }

    /** Which bar of the picture a row counts to. */
    private static int bar(Row row) {
        return Double.isNaN(row.occupancy()) ? 4 : Math.min(3, (int) (row.occupancy() / QUARTER));
    }
}
