// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.synth.Omission;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sheets of traces whose times count from 1970: nanoseconds there are no doubles, the microseconds in the file are read as some. */
class EpochTimesTest {
    private static final long BASE_NS = 1_784_600_000_000_000_000L;

    /** Doubles since 1970 lie this far apart. */
    private static final int GRID_NS = 250;

    private static ReportOptions options() {
        return ReportOptions.standard().with(new ReportOptions.Operators(true, true, false, true, false));
    }

    /** Operators in operators, whose kernels and copies run on three streams; many begin or end together. */
    private static EventText run(long seed, long base, int grid) {
        Random random = new Random(seed);
        EventText events = new EventText();
        long correlation = 1;
        for (int top = 0; top < 30; top++) {
            long start = base + top * 100_000L;
            long length = 40_000 + (long) random.nextInt(40) * grid;
            events.op("outer" + random.nextInt(3), start, length);
            for (int inner = 0; inner < 3; inner++) {
                long cut = length * inner / 3 / grid * grid + (long) random.nextInt(4) * grid;
                boolean toTheEnd = inner == 2 && random.nextBoolean();
                long own = toTheEnd ? length - cut : 10_000 + (long) random.nextInt(8) * grid;
                events.op("inner" + random.nextInt(4), start + cut, own)
                        .launch(
                                random.nextInt(4) == 0 ? "ncclDevKernel_AllReduce" : "kernel" + random.nextInt(3),
                                start + cut + grid,
                                start + cut + 5_000 + (long) random.nextInt(60) * grid,
                                1_000 + (long) random.nextInt(60) * grid,
                                correlation++,
                                7 + random.nextInt(3));
            }
        }
        return events;
    }

    private static List<String> sheets(EventText events) {
        return sheets(TestTraces.of(events));
    }

    private static List<String> sheets(Trace trace) {
        Report report = TraceLensReport.of(trace, options());
        List<String> lines = new ArrayList<>();
        for (Table table : report.tables()) {
            for (int column = 0; column < table.schema().size(); column++) {
                CellText cells = new CellText(table, column, CellStyle.PLAIN);
                for (int row = 0; row < table.rows(); row++) {
                    lines.add(table.name() + " " + row + " "
                            + table.schema().get(column).header() + " " + cells.at(row));
                }
            }
        }
        return lines;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void timesThatAreDoublesGiveTheSameSheetsWhereverTheClockBegins(long seed) {
        assertThat(sheets(run(seed, BASE_NS, GRID_NS))).isEqualTo(sheets(run(seed, 0, GRID_NS)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void otherTimesAreSumsOfTheDoublesThatAreParsed(long seed) {
        assertTimes(TestTraces.of(run(seed, BASE_NS, 1)));
    }

    @Test
    void soAreThoseOfRecordersWithoutABase() {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2).withSteps(1).without(Omission.BASE_TIME);
        assertTimes(SyntheticTraces.synthetic(recipe, 0));
    }

    /** Adds up what runs, and the kernels and copies of all operators, in the doubles that a parser makes of the file. */
    private static void assertTimes(Trace trace) {
        double busy = 0;
        double reached = 0;
        double launched = 0;
        Slices slices = trace.slices();
        for (int slice = 0; slice < slices.size(); slice++) {
            if (slices.kind(slice).isDeviceActivity()) {
                double start = parsed(slices.ts(slice));
                double end = start + parsed(slices.dur(slice));
                busy += Math.max(0, end - Math.max(start, reached));
                reached = Math.max(reached, end);
                launched += trace.name(slice).startsWith("nccl") ? 0 : end - start;
            }
        }
        Report report = TraceLensReport.of(trace, options());
        assertThat(cells(report, "gpu_timeline", "time ms").get(3)).isEqualTo(busy / 1e3, within(1e-9));
        assertThat(cells(report, "ops_summary", "total_direct_kernel_time_sum").stream()
                        .mapToDouble(us -> us)
                        .sum())
                .isEqualTo(launched, within(1e-6));
        assertThat(launched).isPositive();
    }

    private static double parsed(long ns) {
        return Double.parseDouble(BigDecimal.valueOf(ns, 3).toPlainString());
    }

    private static List<Double> cells(Report report, String sheet, String header) {
        Table table = report.tables().stream()
                .filter(t -> t.name().equals(sheet))
                .findFirst()
                .orElseThrow();
        CellText cells = new CellText(table, table.schema().indexOf(header), CellStyle.PLAIN);
        return IntStream.range(0, table.rows())
                .mapToObj(row -> Double.parseDouble(cells.at(row)))
                .toList();
    }
}
