// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.acelyzer;

import static dev.lockstep.testkit.AiuRuns.attr;
import static dev.lockstep.testkit.AiuRuns.count;
import static dev.lockstep.testkit.AiuRuns.cycles;
import static dev.lockstep.testkit.AiuRuns.flex;
import static dev.lockstep.testkit.AiuRuns.on;
import static dev.lockstep.testkit.AiuRuns.x;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.EventLimit;
import dev.lockstep.error.UserException;
import dev.lockstep.testkit.AiuRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done in another way than acelyzer does it, and as it does it. */
class AcelyzerDifferencesTest {
    @TempDir
    Path folder;

    private AiuRuns runs;

    @BeforeEach
    void prepare() {
        runs = new AiuRuns(folder);
    }

    private String own(Consumer<AiuOptions.Builder> change, String... traces) throws IOException {
        runs.lines().clear();
        return runs.run(change, traces);
    }

    private String theirs(Consumer<AiuOptions.Builder> change, String... traces) throws IOException {
        runs.lines().clear();
        return runs.run(change.andThen(o -> o.rules(AcelyzerRules.RULES)), traces);
    }

    private String said(String part) {
        return runs.lines().stream()
                .filter(line -> line.contains(part))
                .findFirst()
                .orElse("");
    }

    private static final String KERNEL = x("mm_1 Cmpt Exec", 1000, 100, attr(cycles(0, 0, 0, 50000, 50000)));

    @Test
    void beginsAndEndsAreVerifiedEachByItself() throws IOException {
        String begin = x("a", 10, 0, "").replace("\"X\"", "\"B\"").replace(",\"dur\":0.0", "");
        String trace = flex(begin, begin.replace("\"B\"", "\"E\"").replace("10.0", "14.0"));

        assertThat(own(o -> o.with(AiuOption.VERIFY, true), trace)).contains("\"ph\":\"B\"", "\"ph\":\"E\"");
        assertThat(theirs(o -> o.with(AiuOption.VERIFY, true), trace))
                .contains("\"ph\":\"X\",\"ts\":10.0,\"dur\":4.0")
                .doesNotContain("\"ph\":\"B\"", "\"ph\":\"E\"");
    }

    @Test
    void theFrequencyOfAJobIsThatOfItsFirstEvent() throws IOException {
        // The first job begins with a transfer into the device at 2 us of the counter, the second with an execution
        // whose
        // counters begin 100 us earlier; the clock runs at 500 MHz.
        String first = flex(x("a DmaI", 1000, 2, attr(cycles(1000, 2000, 2000, 2000, 2000))));
        String second = flex(x("k_1 Cmpt Exec", 3000, 10, attr(cycles(951000, 951000, 1001000, 1006000, 1006000))));

        own(o -> {}, first, second);
        assertThat(said("recommended")).isEmpty();
        String own = String.join("\n", runs.lines());
        theirs(o -> {}, first, second);
        assertThat(String.join("\n", runs.lines())).isNotEqualTo(own).contains("475.0");
    }

    @Test
    void sizesOfTransfersFeedBandwidth() throws IOException {
        // 20 us of 40,000 bytes are 2 GB/s.
        String trace = flex(x("a DmaI", 1000, 20, attr(cycles(0, 10000, 10000, 10000, 10000), "Bytes", "40000")));

        assertThat(own(o -> o.with(AiuOption.COUNTERS, List.of("bandwidth")), trace))
                .contains("\"BWDmaI\"")
                .contains("\"GB/s\":2.0");
        assertThat(theirs(o -> o.with(AiuOption.COUNTERS, List.of("bandwidth")), trace))
                .doesNotContain("BWDmaI");
    }

    @Test
    void whatLiesBeforeTheHostsWaitIsMovedIntoIt() throws IOException {
        String trace = flex(
                x("AIU Roundtrip", 1000, 100, ""), x("mm_1 Cmpt Exec", 900, 50, attr(cycles(0, 0, 0, 25000, 25000))));

        assertThat(own(o -> o.with(AiuOption.FLEX_TS_FIX, true), trace))
                .contains("\"ts_adj\":100.0")
                .contains("\"ts\":1000.0,\"dur\":50.0");
        assertThat(theirs(o -> o.with(AiuOption.FLEX_TS_FIX, true), trace)).doesNotContain("ts_adj");
    }

    /** Without a wait of the host nothing can be moved; acelyzer takes that for one that is too short, job by job. */
    @Test
    void jobsWithoutAWaitAreNotJudgedOrWiderThanIt() throws IOException {
        String kernel = flex(x("mm_1 Cmpt Exec", 900, 50, attr(cycles(0, 0, 0, 25000, 25000))));
        String later = flex(x("mm_1 Cmpt Exec", 9000, 50, attr(cycles(4500000, 4500000, 4500000, 4525000, 4525000))));

        own(o -> o.with(AiuOption.FLEX_TS_FIX, true), kernel, later);
        assertThat(runs.lines()).noneMatch(line -> line.contains("wider") || line.contains("CPU range"));
        theirs(o -> o.with(AiuOption.FLEX_TS_FIX, true), kernel, later);
        assertThat(runs.lines().stream().filter(line -> line.contains("wider than cpu range. Will not attempt")))
                .hasSize(2);
        assertThat(said("FREQ: job:"))
                .contains(", None) has AIU events outside of corresponding CPU range. Attempting");
        assertThat(said("timestamp overlap")).isEmpty();
    }

    /** Which jobs overlap is told by waits; acelyzer asks the device, too, and names the last pair. */
    @Test
    void jobsOverlapByWaitsOrByEverything() throws IOException {
        String first = flex(
                x("AIU Roundtrip", 1000, 100, ""), x("mm_1 Cmpt Exec", 1010, 50, attr(cycles(0, 0, 0, 25000, 25000))));
        String second = flex(x("AIU Roundtrip", 2000, 100, ""));

        own(o -> o.with(AiuOption.FLEX_TS_FIX, true), first, second);
        assertThat(said("timestamp overlap")).isEmpty();
        theirs(o -> o.with(AiuOption.FLEX_TS_FIX, true), first, second);
        assertThat(said("timestamp overlap")).isEmpty();
        theirs(o -> o.with(AiuOption.FLEX_TS_FIX, true), second, first);
        assertThat(said("timestamp overlap")).isEmpty();
        String third = flex(
                x("AIU Roundtrip", 3000, 100, ""), x("mm_1 Cmpt Exec", 1020, 20, attr(cycles(0, 0, 0, 10000, 10000))));
        theirs(o -> o.with(AiuOption.FLEX_TS_FIX, true), first, third);
        assertThat(said("timestamp overlap"))
                .contains("in the input data: ('", "Possible cause is a frequency mismatch");
    }

    private static String transfer(String group, long first) {
        return x(
                "SenRdmaSend_7 [sync=AllReduce_all_reduce_1_s0_r1_0] DmaO",
                1000,
                10,
                attr(cycles(first, first + 1000, first + 2000, first + 3000, first + 4000), "CollGroup", group));
    }

    @Test
    void aChainIsToldFromATreeByNamesAlone() throws IOException {
        // Counters of rank 0 are at 0, 2, 4, 6, 8 us, those of rank 1 at 20, 22, 24, 26, 28 us.
        String first = flex(transfer("AllReduce_1", 0));
        String second = flex(on(1, transfer("AllReduce_1", 10000)));

        own(o -> {}, first, second);
        assertThat(said("dts_shifts")).endsWith("[0.0, -26.0]");
        theirs(o -> {}, first, second);
        assertThat(said("dts_shifts")).endsWith("[0.0, -14.0]");
    }

    @Test
    void collectivesOfSomeRanksDoNotHinderTheAlignment() throws IOException {
        String first = flex(transfer("AllReduce_1", 0), transfer("AllReduce_2", 20000));
        String second = flex(on(1, transfer("AllReduce_1", 10000)));

        own(o -> {}, first, second);
        assertThat(said("dts_shifts")).isNotEmpty();
        assertThatThrownBy(() -> theirs(o -> {}, first, second))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("takes no part");
    }

    private static String torch(int rank, int ts) {
        return "{\"deviceProperties\":[{}],\"distributedInfo\":{\"rank\":" + rank + "},\"traceEvents\":["
                + "{\"ph\":\"s\",\"id\":5,\"pid\":9,\"tid\":1,\"ts\":" + ts + ",\"name\":\"ac2g\",\"cat\":\"ac2g\"},"
                + "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":2,\"ts\":" + (ts + 10)
                + ",\"dur\":5,\"args\":{\"correlation\":5}}]}";
    }

    @Test
    void launchesOfSeveralFilesAreToldApart() throws IOException {
        Consumer<AiuOptions.Builder> minimal = o -> o.with(AiuOption.PROFILE, "torch_minimal.json");

        String right = own(minimal, torch(0, 10), torch(1, 12));
        String mixed = theirs(minimal, torch(0, 10), torch(1, 12));

        assertThat(count(right, "\"ph\":\"s\",\"ts\":10.0")).isEqualTo(2);
        assertThat(count(right, "\"ph\":\"s\",\"ts\":12.0")).isEqualTo(2);
        assertThat(count(mixed, "\"ph\":\"s\",\"ts\":12.0")).isEqualTo(3);
    }

    /** Samples of 1,000 and 4,000 at 1,100 and 1,210 us. */
    private static String charges() {
        return flex(
                x("mm_1 Cmpt Exec", 1000, 100, attr(cycles(0, 0, 0, 50000, 50000), "Power", "1000")),
                x("mm_2 Cmpt Exec", 1110, 100, attr(cycles(55000, 55000, 55000, 105000, 105000), "Power", "4000")));
    }

    @Test
    void powerFallsToZeroAtTheLastSample() throws IOException {
        assertThat(own(o -> {}, charges())).contains("\"ts\":1210.0,\"pid\":0,\"args\":{\"Watts\":0.0}");
        assertThat(count(theirs(o -> {}, charges()), "Watts")).isEqualTo(1);
    }

    @Test
    void statisticsOfPowerAreInMilliseconds() throws IOException {
        // Of the 110 us from one sample to the next a kernel runs for 100; theirs lacks the last sample.
        String third =
                x("mm_3 Cmpt Exec", 1220, 100, attr(cycles(110000, 110000, 110000, 160000, 160000), "Power", "7000"));
        String trace = charges().replace("]", "," + third + "]");

        own(o -> o.with(AiuOption.POWER_STATS, true), trace);
        assertThat(said("Power with kernels")).contains("max=0.64W").contains("dur_total=0.20ms");
        theirs(o -> o.with(AiuOption.POWER_STATS, true), trace);
        assertThat(said("Power with kernels")).contains("max=0.64W").contains("dur_total=100.00ms");
    }

    @Test
    void eachDeviceHasStatisticsOfItsOwnPower() throws IOException {
        // On both devices 10 of the 110 us between the samples lie between the kernels; from the first sample of one to
        // that
        // of the other there are 2,000, of which two kernels take 200.
        String later = on(1, charges()).replace("\"ts\":1000", "\"ts\":3000").replace("\"ts\":1110", "\"ts\":3110");

        own(o -> o.with(AiuOption.POWER_STATS, true), charges(), later);
        assertThat(said("Power without kernels")).contains("dur_total=0.02ms");
        theirs(o -> o.with(AiuOption.POWER_STATS, true), charges(), later);
        assertThat(said("Power without kernels")).contains("dur_total=1800.00ms");
    }

    private String log(String... tables) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String rows : tables) {
            text.append("~~ Ideal/Total Cycles ~~\n").append(rows).append("====== Perf Summary End ======\n");
        }
        return Files.writeString(folder.resolve("c.log"), text).toString();
    }

    @Test
    void theTableWithTheJobsKernelsIsTaken() throws IOException {
        String info = log("other_1-opCatBmm 40000\n", "mm_1-opCatBmm 40000\n");
        String later = x("mm_1 Cmpt Exec", 1200, 100, attr(cycles(100000, 100000, 100000, 150000, 150000)));
        String trace = flex(KERNEL, later);

        assertThat(own(o -> o.with(AiuOption.COMPILER_INFO, info), trace)).contains("\"pt_active\":0.5");
        assertThat(theirs(o -> o.with(AiuOption.COMPILER_INFO, info), trace)).doesNotContain("pt_active");
    }

    /** The kernel takes 100 us, four times over 400: of 880,000 cycles it would take 800 us, of 11,000 cycles 10. */
    @Test
    void aTableByWhichKernelsAreFasterThanTheDeviceIsNotTaken() throws IOException {
        String info = log("mm_1-opCatBmm 880000\n", "mm_1-opCatBmm 11000\n");
        String[] kernels = new String[4];
        for (int i = 0; i < kernels.length; i++) {
            long at = 100_000L * i;
            kernels[i] = x("mm_1 Cmpt Exec", 1000 + 200 * i, 100, attr(cycles(at, at, at, at + 50000, at + 50000)));
        }

        assertThat(own(o -> o.with(AiuOption.COMPILER_INFO, info), flex(kernels)))
                .contains("\"pt_active\":0.1");
        assertThat(said("uncertain")).isEmpty();
    }

    /** Six times a cycle of 1,100 MHz; their times add up to a little less. */
    @Test
    void idealCyclesAreWholeOnes() throws IOException {
        String info = log("mm_1-opCatBmm 1\n");
        String[] kernels = new String[6];
        for (int i = 0; i < kernels.length; i++) {
            long at = 100_000L * i;
            kernels[i] = x("mm_1 Cmpt Exec", 1000 + 200 * i, 100, attr(cycles(at, at, at, at + 50000, at + 50000)));
        }

        own(o -> o.with(AiuOption.COMPILER_INFO, info).with(AiuOption.CORE_MHZ, 1100.0), flex(kernels));
        assertThat(folder.resolve("out_categories.csv")).content().contains("6,0.0055,6,1.0");
        theirs(o -> o.with(AiuOption.COMPILER_INFO, info).with(AiuOption.CORE_MHZ, 1100.0), flex(kernels));
        assertThat(folder.resolve("out_categories.csv")).content().contains("6,0.0055,5,1.0");
    }

    @Test
    void kernelsOfCategoryTotalCountOnce() throws IOException {
        String info = log("mm_1   40000\n");

        own(o -> o.with(AiuOption.COMPILER_INFO, info), flex(KERNEL));
        assertThat(folder.resolve("out_categories.csv")).content().contains("0,UNKN,Total,100.0,1.0,1,50.0,40000");
        theirs(o -> o.with(AiuOption.COMPILER_INFO, info), flex(KERNEL));
        assertThat(folder.resolve("out_categories.csv")).content().contains("0,UNKN,Total,200.0,1.0,2,100.0,80000");
    }

    @Test
    void tensorBoardGetsAFileForEachRank() throws IOException {
        String[] ranks = {flex(KERNEL), flex(on(1, KERNEL)), flex(on(2, KERNEL))};

        own(o -> o.with(AiuOption.TENSOR_BOARD, true), ranks);
        assertThat(folder.resolve("out_worker_2.pt.trace.json")).exists();
        Files.delete(folder.resolve("out_worker_2.pt.trace.json"));
        theirs(o -> o.with(AiuOption.TENSOR_BOARD, true), ranks);
        assertThat(folder.resolve("out_worker_1.pt.trace.json")).exists();
        assertThat(folder.resolve("out_worker_2.pt.trace.json")).doesNotExist();
    }

    @Test
    void onlyProcessesThatExistAreNamed() throws IOException {
        assertThat(own(o -> {}, flex(KERNEL)))
                .contains("\"process_labels\"")
                .contains("{\"labels\":\"AIUDevice0\"}")
                .doesNotContain("cpu_default");
        assertThat(theirs(o -> {}, flex(KERNEL)))
                .contains("\"process_label\"")
                .contains("{\"name\":\"AIUDevice0\"}")
                .contains("{\"name\":\"cpu_default\"}");
    }

    @Test
    void transfersOfDifferentRanksAreMergedByThemselvesAndKeepTheirDirection() throws IOException {
        String out = x("SenRdmaSend_3 x DmaO", 1000, 10, attr(cycles(0, 0, 0, 0, 5000)));
        String trace = flex(out, out.replace("_3 x", "_3 y").replace("1000.0", "1020.0"));
        Consumer<AiuOptions.Builder> merged = o -> {
            o.with(AiuOption.SUMMARIZE_SEQUENCES, true);
            o.with(AiuOption.SKIP_SYNC, true);
            o.with(AiuOption.KEEP_NAMES, true);
        };

        String right = own(merged, trace, trace.replace("\"pid\":0", "\"pid\":1"));
        String mixed = theirs(merged, trace);

        assertThat(count(right, "\"SenRdmaSend_3DmaO\"")).isEqualTo(2);
        assertThat(right).contains("\"ts\":1000.0,\"dur\":30.0,\"pid\":1");
        assertThat(count(mixed, "\"SenRdmaSend_3\"")).isEqualTo(1);
        assertThat(mixed).doesNotContain("SenRdmaSend_3DmaO");
    }

    @Test
    void freeEventsDoNotUseTheLimitUp() throws IOException {
        String trace =
                flex("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"ts\":1,\"args\":{}}", x("a", 10, 5, ""));
        Consumer<AiuOptions.Builder> one = o -> o.with(AiuOption.LIMIT, new EventLimit(0, 1, 0, 1e9, "M"));

        assertThat(own(one, trace)).contains("\"name\":\"a\"");
        assertThat(theirs(one, trace)).doesNotContain("\"name\":\"a\"").contains("process_name");
    }

    @Test
    void classesOfFlexAreNoMismatches() throws IOException {
        own(o -> {}, flex(KERNEL));
        assertThat(said("categorization mismatches")).isEmpty();
        theirs(o -> {}, flex(KERNEL));
        assertThat(said("categorization mismatches")).contains("Found 1 ");
    }

    @Test
    void eventsOfEqualTimesKeepTheirOrder() throws IOException {
        String trace = flex(
                x("a DmaI", 1000, 20, attr(cycles(0, 10000, 10000, 10000, 10000))),
                x("b DmaI", 1000, 20, attr(cycles(0, 10000, 10000, 10000, 10000)))
                        .replace("\"tid\":7", "\"tid\":8"));
        Consumer<AiuOptions.Builder> plain = o -> o.with(AiuOption.REFINE, false);

        String own = own(plain, trace);
        String theirs = theirs(plain, trace);

        assertThat(own.indexOf("\"aDmaI\"")).isLessThan(own.indexOf("\"bDmaI\""));
        assertThat(own).isNotEqualTo(theirs);
    }

    @Test
    void processesOfAFileAreOneRank() throws IOException {
        String other = x("b", 20, 5, "").replace("\"pid\":0", "\"pid\":1");

        assertThat(theirs(o -> {}, "[" + x("a", 10, 5, "") + "," + other + "]")).doesNotContain("\"pid\":1001");
    }

    @Test
    void openPreparationsWithinOneAnotherAreNotCounted() throws IOException {
        String trace = "[" + x("a Cmpt Prep", 0.5, 10, "") + "," + x("b Cmpt Prep", 2, 2, "") + "]";

        assertThat(own(o -> {}, trace)).contains("\"ts\":4.0").containsPattern(CONCURRENCY_AT_4 + "1");
        assertThat(theirs(o -> {}, trace)).containsPattern(CONCURRENCY_AT_4 + "0");
    }

    private static final String CONCURRENCY_AT_4 = "\"ts\":4\\.0[^}]*\"Concurrency\":";
}
