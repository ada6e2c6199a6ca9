// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.EventOrigin;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of kernels, and the figures in them. */
class TablesTest {
    @TempDir
    Path folder;

    @Test
    void aSampleIsDescribed() {
        // Mean 5, distances -3, -1, 0, 4: squares add up to 26, over 3.
        SampleStats stats = SampleStats.of(new double[] {5, 2, 9, 4});

        assertThat(stats.count()).isEqualTo(4);
        assertThat(stats.total()).isEqualTo(20);
        assertThat(stats.mean()).isEqualTo(5);
        assertThat(stats.median()).isEqualTo(4.5);
        assertThat(stats.min()).isEqualTo(2);
        assertThat(stats.max()).isEqualTo(9);
        assertThat(stats.stdev()).isEqualTo(Math.sqrt(26 / 3.0));
        assertThat(SampleStats.of(new double[] {3, 1, 2}).median()).isEqualTo(2);
        assertThat(SampleStats.of(new double[] {7}).stdev()).isZero();
    }

    @Test
    void nothingIsLostBesideWhatIsLarge() {
        assertThat(SampleStats.of(new double[] {1e100, 1, -1e100, 1}).mean()).isEqualTo(0.5);
        assertThat(SampleStats.of(new double[] {1, 1e100, 1, -1e100}).mean()).isEqualTo(0.5);
    }

    @Test
    void kernelsAreListedByProcessTheLongestFirst() throws IOException {
        KernelGroup small = new KernelGroup(1, "add");
        small.add(10, 2, new long[] {0, 1, 3, 6, 10});
        KernelGroup large = new KernelGroup(1, "mm");
        large.add(20, 5, new long[] {0, 10, 30, 60, 100});
        large.add(30, 9, new long[] {0, 20, 60, 120, 200});
        KernelGroup other = new KernelGroup(0, "mm");
        other.add(5, 4, new long[] {0, 0, 0, 8, 8});
        try (Output output = new Output()) {
            new StatsFiles(
                            folder + "/a.json",
                            output,
                            new PageTables(),
                            new AiuLog(AiuLog.Level.ERROR, (level, line) -> {}))
                    .write(List.of(small, large, other));
            output.commit();
        }

        // 2 of 16 us, 14 of 16 us; kernels of process 1 run 16 us of the 29 from 10 to 39.
        assertThat(Files.readAllLines(folder.resolve("a_summary.csv")))
                .containsExactly(
                        "Time  \t Total Time\t Calls\t    Mean  \t  Median  \t    Min    \t   Max   \t   StDev  \t "
                                + " pid\t Name ",
                        "100.00\t      4.000\t     1\t    4.000\t    4.000\t    4.000\t    4.000\t    0.000\t    0\t"
                                + " mm",
                        "87.50\t     14.000\t     2\t    7.000\t    7.000\t    5.000\t    9.000\t    2.828\t    1\t mm",
                        "12.50\t      2.000\t     1\t    2.000\t    2.000\t    2.000\t    2.000\t    0.000\t    1\t"
                                + " add");
        assertThat(Files.readAllLines(folder.resolve("a_active.csv")))
                .endsWith(
                        "    4.000\t      4.000\t      5.000\t     9.000\t 100.00\t    0",
                        "   16.000\t     29.000\t     10.000\t    39.000\t 55.17\t    1");
        assertThat(Files.readAllLines(folder.resolve("a_ts_analysis.csv")).get(2))
                .isEqualTo("     2\t   15.000\t   15.000\t   10.000\t   20.000\t    7.071\t   30.000\t   30.000\t  "
                        + " 20.000\t   40.000\t   14.142\t   45.000\t   45.000\t   30.000\t   60.000\t   21.213\t "
                        + "  60.000\t   60.000\t   40.000\t   80.000\t   28.284\t    1\t mm");
    }

    @Test
    void tablesAreSpelledAsPandasDoes() {
        PandasTable table = new PandasTable(List.of("Name", "Real", "Whole", "Mixed"), true);
        table.add(List.of("a,b", 1.5, 10L, 1L));
        table.add(List.of("say \"x\"", 0.123456789, 7L, 2.25));
        table.add(List.of("line\nend", Double.NaN, 123456L, 3L));

        assertThat(table.csv())
                .isEqualTo("Name,Real,Whole,Mixed\n"
                        + "\"a,b\",1.5,10,1\n"
                        + "\"say \"\"x\"\"\",0.123456789,7,2.25\n"
                        + "\"line\n"
                        + "end\",,123456,3\n");
        PandasTable plain = new PandasTable(List.of("N", "Real", "Whole"), false);
        plain.add(List.of("a", 1.5, 10L));
        plain.add(List.of("bcd", 0.125, 123456L));
        assertThat(plain.text()).isEqualTo("   N  Real  Whole\n   a 1.500     10\n bcd 0.125 123456");
    }

    @ParameterizedTest
    @CsvSource({
        // Longer than twelve and above a million: in seven digits, unless all are wanted.
        "1246940.625, 2.5, 1246940.625, 2.500",
        "1246940.6256251, 2.5, 1.246941e+06, 2.500000e+00",
        "246940.6256254, 2.5, 246940.625625, 2.500000",
        // A number too small for six decimals, and zero beside it.
        "0.0000001, 0, 1.000000e-07, 0.000000e+00",
        "-99999995.125125, 12345678, -1.000000e+08, 1.234568e+07"
    })
    void numbersThatPandasShortensMayStandInFull(double first, double second, String one, String other) {
        for (boolean all : List.of(false, true)) {
            PandasTable table = new PandasTable(List.of("A", "B"), all);
            table.add(List.of("x", first));
            table.add(List.of("y", second));
            String text = table.text();
            assertThat(text.contains("e+") || text.contains("e-")).isEqualTo(!all && one.contains("e"));
            if (!all) {
                assertThat(text.split("\\s+")).contains(one, other);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a.json, a_x.csv",
        "b/a.pt.trace.json, b/a_x.csv",
        "v1.0/a, v1.0/a_x.csv",
        "a.pftrace.gz, a_x.csv",
        "a.b.json, a.b_x.csv"
    })
    void sideFilesStandBesideTheResult(String target, String side) {
        assertThat(SideFiles.name(target, "x", "csv")).isEqualTo(side);
    }

    @Test
    void samplesHoldUntilTheNextOne() {
        SampleSeries series = new SampleSeries();
        assertThat(series.meanOverTime()).isZero();
        assertThat(series.first()).isNaN();
        series.add(100, 2);
        assertThat(series.meanOverTime()).isEqualTo(2);
        series.add(150, 0);
        series.add(200, 8);

        // 50 us at 2, 50 us at 0.
        assertThat(series.meanOverTime()).isEqualTo(1);
        assertThat(series.size()).isEqualTo(3);
        assertThat(series.first()).isEqualTo(100);
        assertThat(series.max()).isEqualTo(8);
        assertThat(series.positive()).isEqualTo(2);
        assertThat(series.meanOfPositive()).isEqualTo(5);
        double[][] steps = series.steps(100, 600);
        assertThat(steps[0]).containsExactly(0, 50, 50, 100, 100);
        assertThat(steps[1]).containsExactly(2, 2, 0, 0, 8);
    }

    @Test
    void tooManySamplesAreShownByTheGreatestOfEachStretch() {
        SampleSeries series = new SampleSeries();
        for (int i = 0; i < 100; i++) {
            series.add(i, i % 10);
        }

        double[][] steps = series.steps(0, 10);

        assertThat(steps[0]).hasSize(19).startsWith(9, 19, 19);
        assertThat(steps[1]).containsOnly(9);
    }

    private static AiuEvent kernel(long pid, double dur, String kind) {
        AiuEvent event = new AiuEvent('X', new AiuName("k"));
        event.ts = 0;
        event.dur = dur;
        event.pid = pid;
        event.kind = kind;
        event.category = "kernel";
        event.job = new Job(0, "t", EventOrigin.TORCH);
        return event;
    }

    @Test
    void thePageKnowsTimeByClassAndHowMuchTheArraysWereUsed() {
        PageFigures figures = new PageFigures();
        AiuEvent half = kernel(0, 10, "COMPUTE_EXEC");
        half.put("pt_active", 0.5);
        AiuEvent beyond = kernel(0, 30, "COMPUTE_EXEC");
        beyond.put("pt_active", 1.5);
        figures.add(kernel(0, 4, "DATA_IN"));
        figures.add(kernel(0, 60, "COMPUTE_EXEC"));
        assertThat(figures.isUtilized()).isFalse();
        figures.add(half);
        figures.add(beyond);

        assertThat(figures.isUtilized()).isTrue();
        assertThat(figures.classes.get(0L).get("COMPUTE_EXEC").us).isEqualTo(100);
        assertThat(figures.classes.get(0L).get("COMPUTE_EXEC").events).isEqualTo(3);
        assertThat(figures.classes.get(0L).get("DATA_IN").us).isEqualTo(4);
        // 10 us at 50 %, 30 us at what is shown for more than 100: 101 %.
        assertThat(figures.utilization.get(0L).mean()).isEqualTo((10 * 50 + 30 * 101) / 40.0);
        assertThat(figures.utilization.get(0L).multiplying).isEqualTo(40);
        assertThat(figures.utilization.get(0L).other).isEqualTo(60);
    }

    @Test
    void thePageKnowsPowerAndBandwidth() {
        PageFigures figures = new PageFigures();
        figures.add(AiuEvent.counter(new AiuName("Power"), 5, 2, null, Args.of("Watts", 3.5)));
        figures.add(AiuEvent.counter(new AiuName("BW DmaI"), 5, 2, null, Args.of("GB/s", 2L)));
        figures.add(AiuEvent.counter(new AiuName("Coll_Bandwidth"), 5, -1, null, Args.of("GBps", 1.0)));
        figures.add(AiuEvent.counter(new AiuName("BW DmaI"), 6, 2, null, Args.of("GB/s", "none")));
        figures.add(AiuEvent.counter(new AiuName("BW DmaI"), 6, 2, null, new Args()));

        assertThat(figures.power.get(2L).max()).isEqualTo(3.5);
        assertThat(figures.bandwidth).containsOnlyKeys("BW DmaI, rank 2", "Coll_Bandwidth");
        assertThat(figures.bandwidth.get("BW DmaI, rank 2").size()).isEqualTo(1);
    }

    @Test
    void eventsWithoutDetailsHaveDefaultsInTheTable() throws IOException {
        Path file = folder.resolve("t.txt");
        try (EventTable table = new EventTable(file, true)) {
            AiuEvent bare = new AiuEvent('X', new AiuName("bare"));
            bare.ts = 1;
            table.add(bare);
            table.add(new AiuEvent('i', new AiuName("instant")));
        }

        assertThat(Files.readString(file))
                .endsWith("0       1.0      0.0                bare     UNKNOWN Unknown  0.0       0.0");
    }
}
