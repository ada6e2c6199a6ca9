// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compat.aorta.gemm.AortaOverlap.Configuration;
import dev.lockstep.compat.aorta.gemm.AortaTimestamps.Place;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AortaGemmFilesTest {
    private static List<String> head() {
        List<String> head = new ArrayList<>(Collections.nCopies(34, ""));
        head.set(0, "name");
        head.set(1, "param: bias");
        head.set(23, "kernel_details__summarize_kernel_stats");
        head.set(32, "Kernel Time (µs)_min");
        head.set(33, "Kernel Time (µs)_max");
        return head;
    }

    private static List<String> row(String name, String details, String min, String max) {
        List<String> row = new ArrayList<>(Collections.nCopies(34, ""));
        row.set(0, name);
        row.set(1, "false");
        row.set(23, details);
        row.set(32, min);
        row.set(33, max);
        return row;
    }

    private static PandasFrame frame(String... lines) {
        PandasFrame frame = new PandasFrame("x.csv");
        for (String line : lines) {
            frame.row(List.of(line.split(",", -1)));
        }
        return frame;
    }

    @Test
    void theWidestRowsOfEachReportStandInOneOrder() {
        AortaVariance variance = new AortaVariance(1);
        for (int rank = 0; rank < 2; rank++) {
            GemmSheet sheet = new GemmSheet();
            sheet.row(head());
            sheet.row(row("aten::mm", "[{'name': 'k', 'stream': 0}, {'name': 'z'}]", "1.5", rank == 0 ? "3" : "9"));
            sheet.row(row("aten::bmm", "[{'name': 'other'}]", "1", "2"));
            sheet.row(row("aten::mm", "[{'name': \"it's\"}]", "1", "99"));
            sheet.row(row("aten::mm", "[{'name': 'k'}]", "1", "unknown"));
            assertThat(variance.add(256, 28, rank, sheet)).isEqualTo(1);
        }

        assertThat(variance.csv())
                .isEqualTo(
                        "threads,channel,rank,kernel_name,kernel_time_min_us,kernel_time_max_us,time_diff_us,"
                                + "col_Kernel Time (µs)_max,col_Kernel Time (µs)_min,"
                                + "col_kernel_details__summarize_kernel_stats,col_name,col_param: bias\r\n"
                                + "256,28,1,k,1.5,9,7.5,9,1.5,\"[{'name': 'k', 'stream': 0}, {'name': 'z'}]\",aten::mm,False\r\n"
                                + "256,28,0,k,1.5,3,1.5,3,1.5,\"[{'name': 'k', 'stream': 0}, {'name': 'z'}]\",aten::mm,False\r\n");
    }

    @Test
    void otherColumnsAreRefused() {
        GemmSheet sheet = new GemmSheet();
        List<String> head = head();
        head.add(3, "Compute Spec");
        sheet.row(head);
        sheet.row(row("aten::mm", "[{'name': 'k'}]", "1", "2"));

        assertThat(sheet.refusal()).contains("kernel_details__summarize_kernel_stats", "column 24");
        assertThat(new AortaVariance(5).add(1, 1, 0, sheet)).isZero();
    }

    @Test
    void timesAreThoseOfAllKernelsWhoseNamesBeginAlike() {
        EventText events = new EventText()
                .kernel("gemm_K10", 7_000_000, 9_000, 1, 0)
                .kernel("gemm_K1", 1_000_000, 5_000, 2, 0)
                .kernel("gemm_K1", 3_000_000, 5_000, 3, 0)
                .kernel("gemm_K10", 5_000_000, 9_000, 4, 0);
        AortaTimestamps times = new AortaTimestamps(frame(
                "threads,channel,rank,kernel_name,x",
                "256,28,0,gemm_K1,1",
                "256,28,0,absent,2.5",
                "512,28,0,gemm_K1,"));
        assertThat(times.places()).containsExactly(new Place(256, 28, 0), new Place(512, 28, 0));

        times.add(new Place(256, 28, 0), TestTraces.of(events));

        assertThat(times.found()).isEqualTo(1);
        assertThat(times.csv())
                .isEqualTo("threads,channel,rank,kernel_name,x,min_duration_timestamp_ms,max_duration_timestamp_ms,"
                        + "time_between_min_max_ms,min_duration_found_us,max_duration_found_us\n"
                        + "256,28,0,gemm_K1,1.0,1.0,5.0,4.0,5.0,9.0\n"
                        + "256,28,0,absent,2.5,,,,,\n"
                        + "512,28,0,gemm_K1,,,,,,\n");
    }

    @Test
    void timesSince1970AreDoublesOfMicrosecondsBeforeTheyAreMilliseconds() {
        AortaTimestamps times = new AortaTimestamps(frame("threads,channel,rank,kernel_name,x", "256,28,0,gemm,1"));
        times.add(
                new Place(256, 28, 0),
                TestTraces.of(new EventText()
                        .kernel("gemm", 1_784_600_000_000_647_375L, 5_000, 1, 0)
                        .kernel("gemm", 1_784_600_000_001_648_125L, 6_000, 2, 0)));
        double first = 1_784_600_000_000_647.375 / 1e3;
        double last = 1_784_600_000_001_648.125 / 1e3;
        assertThat(times.csv())
                .endsWith("256,28,0,gemm,1,%s,%s,%s,5.0,6.0\n"
                        .formatted(Numbers.python(first), Numbers.python(last), Numbers.python(last - first)));
    }

    private static List<String> collective(String rank, String name, String start, String duration) {
        List<String> cells = new ArrayList<>(Collections.nCopies(17, ""));
        cells.set(2, rank);
        cells.set(5, name);
        cells.set(15, start);
        cells.set(16, duration);
        return cells;
    }

    @Test
    void overlapIsThatOfTheLongestKernelAlone() {
        AortaOverlap overlap = new AortaOverlap(frame(
                "threads,channel,rank,max_duration_timestamp_ms,max_duration_found_us",
                "256,28,0,10.0,400",
                "256,28,1,10.0,400",
                "256,28,0,,400",
                "512,28,0,10.0,400"));
        CollectiveSheet sheet = new CollectiveSheet();
        sheet.row(collective("rank", "Collective name", "ts", "dur"));
        sheet.row(collective("0", "allreduce", "9900", "200"));
        sheet.row(collective("0", "allgather", "10050", "100"));
        sheet.row(collective("0", "touches", "10400", "100"));
        sheet.row(collective("0", "nothing", "10100", "0"));
        sheet.row(collective("0", "allreduce", "10300", "500"));
        sheet.row(collective("", "lost", "10100", "100"));
        assertThat(overlap.configurations()).containsExactly(new Configuration(256, 28), new Configuration(512, 28));
        overlap.add(new Configuration(256, 28), sheet);

        List<String> lines = overlap.csv().lines().toList();

        assertThat(lines.get(0)).endsWith(",max_overlap_percentage,max_overlap_collective,total_overlap_duration_ms");
        List<String> first = List.of(lines.get(1).split(","));
        assertThat(first.subList(0, 7))
                .containsExactly("256", "28", "0", "10.0", "400", "3", "allreduce;allgather;allreduce");
        assertThat(Double.parseDouble(first.get(7))).isCloseTo(25, within(1e-9));
        assertThat(first.get(8)).isEqualTo("allreduce");
        assertThat(Double.parseDouble(first.get(9))).isCloseTo(0.1 + 0.1 + 0.05, within(1e-9));
        assertThat(lines.get(2)).isEqualTo("256,28,1,10.0,400,0,,0.0,,0.0");
        assertThat(lines.get(3)).isEqualTo("256,28,0,,400,0,,0.0,,0.0");
        assertThat(lines.get(4)).isEqualTo("512,28,0,10.0,400,0,,0.0,,0.0");
    }

    @ParameterizedTest
    @CsvSource({
        "38, 38",
        "0.5, 0.5",
        "-2.5e-3, -0.0025",
        "1e400, Infinity",
        "1e-320, 1e-320",
        "-inf, -Infinity",
        // of leading zeros and digits 17 count
        "0.07810789854116568, 0.0781078985411656",
        "123456789012345678901, 1.2345678901234568e20",
    })
    void numbersLoseTheDigitsThatPandasLoses(String text, double value) {
        assertThat(PandasNumber.matches(text)).isTrue();
        assertThat(PandasNumber.parse(text)).isEqualTo(value);
    }
}
