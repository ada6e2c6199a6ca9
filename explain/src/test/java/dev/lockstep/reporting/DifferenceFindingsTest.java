// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.compare.TraceDifference;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.table.Column;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DifferenceFindingsTest {
    private static final String SHAPES = "\"Input Dims\": [[8, 8]], \"Input type\": [\"float\"]";

    private static final String SAME =
            "PROBLEM same_trace: Baseline and candidate are the same trace: all events have the"
                    + " same names and times. Compare with the trace of another run.";

    private static List<String> said(EventText baseline, EventText candidate) {
        DerivedCache before = new DerivedCache(TestTraces.of(baseline));
        DerivedCache after = new DerivedCache(TestTraces.of(candidate));
        TraceDifference.Result result = DifferenceReport.compare(before, after);
        return Said.all(DifferenceFindings.of(before, after, result));
    }

    /** Operators one after the other, each with one kernel: name, kernel, us. The device never waits. */
    private static EventText ops(String... ops) {
        EventText events = new EventText();
        long host = 0;
        long device = 1_000_000;
        int correlation = 0;
        for (String op : ops) {
            String[] words = op.split(" ", -1);
            long duration = Long.parseLong(words[2]) * 1_000;
            events.op(words[0], host, 5_000, SHAPES).launch(words[1], host + 1_000, device, duration, ++correlation, 7);
            host += 10_000;
            device += duration;
        }
        return events;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1031 | PROBLEM total_time: The candidate takes 31 µs (3.1 %) longer than the baseline: "
                        + "1 ms became 1.03 ms.",
                "1030 | INFO total_time: The candidate takes 30 µs (3.0 %) longer than the baseline: 1 "
                        + "ms became 1.03 ms.",
                "970 | INFO total_time: The candidate takes 30 µs (3.0 %) less than the baseline: 1 ms "
                        + "became 970 µs.",
                "969 | NOTICE total_time: The candidate takes 31 µs (3.1 %) less than the baseline: 1 ms "
                        + "became 969 µs.",
            })
    void aDifferenceOfMoreThanThreePercentMatters(int us, String text) {
        assertThat(said(ops("aten::mm gemm 1000"), ops("aten::mm gemm " + us)))
                .contains(text + " Noise cannot be ruled out without equally many steps, two at least.");
    }

    @Test
    void findingsNameTheRowsTheyRestOn() {
        DerivedCache before = new DerivedCache(TestTraces.of(ops("aten::mm gemm 500", "aten::add add 500")));
        DerivedCache after = new DerivedCache(TestTraces.of(ops("aten::mm gemm 600", "aten::add add 400")));
        TraceDifference.Result result = DifferenceReport.compare(before, after);
        Report report = DifferenceReport.of(before, after, result, List.of());
        List<String> seen = new ArrayList<>();
        for (Finding finding : DifferenceFindings.of(before, after, result)) {
            assertThat(finding.severity() == Finding.Severity.PROBLEM
                            && finding.evidence().isEmpty())
                    .as(finding.code())
                    .isFalse();
            for (Evidence evidence : finding.evidence()) {
                Evidence.Rows rows = (Evidence.Rows) evidence;
                Table table = report.tables().stream()
                        .filter(one -> one.name().equals(rows.sheet()))
                        .findFirst()
                        .orElseThrow();
                String line = "";
                for (Column column : table.columns()) {
                    line += column.value(rows.lines().getFirst()) + " ";
                }
                seen.add(finding.code() + ": " + line);
            }
        }
        assertThat(seen).anyMatch(one -> one.startsWith("total_time: total_time "));
        assertThat(seen).anyMatch(one -> one.startsWith("cause_same_kernel: ") && one.contains("aten::mm"));
        assertThat(seen).anyMatch(one -> one.startsWith("slower_with_shapes: ") && one.contains("aten::mm"));
    }

    @Test
    void whatTookLongerAndWhatShorterIsNamedThoughTheSumIsTheSame() {
        assertThat(said(ops("aten::mm gemm 500", "aten::add add 500"), ops("aten::mm gemm 600", "aten::add add 400")))
                .containsExactly(
                        "INFO total_time: The candidate takes as long as the baseline: 1 ms became 1 ms.",
                        "INFO parts: Device work contributes ±0 ns, overlap ±0 ns, idle time ±0 ns.",
                        "NOTICE cause_same_kernel: −100 µs: the same kernels of aten::add are faster: 500 µs "
                                + "became 400 µs.",
                        "PROBLEM cause_same_kernel: +100 µs: the same kernels of aten::mm are slower: 500 µs "
                                + "became 600 µs.",
                        "PROBLEM slower_with_shapes: +100 µs: aten::mm with inputs [[8, 8]]: 500 µs became 600 µs in 1"
                                + " call.",
                        "INFO matched: 2 of 2 operator calls with device work in the candidate (100 %) have a counterpart in the "
                                + "baseline.");
    }

    /** Each multiplication is quicker; they have changed places. */
    @Test
    void whatTakesLongerWithOtherInputsIsNotSlower() {
        EventText before = multiplications(2048, 50, 4096, 100);
        EventText after = multiplications(4096, 90, 2048, 45);

        assertThat(said(before, after))
                .contains("NOTICE other_shapes: +40 µs: aten::mm with other inputs ([[64, 2048]] became [[64, "
                        + "4096]]): 50 µs became 90 µs in 1 call.")
                .noneMatch(one -> one.contains("slower_with_shapes"));
        assertThat(said(after, before))
                .contains("NOTICE other_shapes: +55 µs: aten::mm with other inputs ([[64, 2048]] became [[64, "
                        + "4096]]): 45 µs became 100 µs in 1 call.")
                .noneMatch(one -> one.contains("slower_with_shapes"));
    }

    /** Two multiplications among other operators: columns and time of each. */
    private static EventText multiplications(int columns, int us, int others, int otherUs) {
        EventText events = new EventText();
        String[] ops = {"aten::relu", "aten::mm", "aten::exp", "aten::mm"};
        int[] shapes = {1, columns, 1, others};
        int[] times = {5, us, 5, otherUs};
        for (int i = 0; i < ops.length; i++) {
            String dims = "\"Input Dims\": [[64, " + shapes[i] + "]], \"Input type\": [\"float\"]";
            events.op(ops[i], 10_000L * i, 5_000, dims)
                    .launch("k_" + ops[i], 10_000L * i + 1_000, 1_000_000L + 200_000L * i, times[i] * 1_000L, i + 1, 7);
        }
        return events;
    }

    @Test
    void whatIsLessThanAHundredthOfTheLongerIsNotWorthTelling() {
        List<String> said = said(
                ops("aten::mm gemm 500", "aten::add add 100", "aten::mul mul 400"),
                ops("aten::mm gemm 491", "aten::add add 110", "aten::mul mul 399"));
        assertThat(said.stream().filter(line -> line.contains("cause_")))
                .containsExactly("PROBLEM cause_same_kernel: +10 µs: the same kernels of aten::add are slower: 100 µs "
                        + "became 110 µs.");
    }

    @Test
    void otherKernelsFurtherCallsAndOperatorsOfOneSideAreToldApart() {
        assertThat(said(
                        ops("aten::mm gemm 500", "aten::old old 300", "aten::sub sub 100"),
                        ops("aten::mm other 700", "aten::new new 200", "aten::sub sub 100", "aten::sub sub 100")))
                .contains(
                        "PROBLEM cause_other_kernels: +200 µs: aten::mm runs different kernels: 500 µs became "
                                + "700 µs (1 in both).",
                        "PROBLEM cause_only_candidate: +200 µs: aten::new runs in the candidate only.",
                        "NOTICE cause_only_baseline: −300 µs: aten::old runs in the baseline only.",
                        "PROBLEM cause_call_count: +100 µs: the number of calls of aten::sub changed: 0 ns "
                                + "became 100 µs.",
                        "NOTICE matched: 2 of 4 operator calls with device work in the candidate (50 %) have a counterpart in the"
                                + " baseline.");
    }

    @Test
    void furtherKernelsOfAnOperatorAreCounted() {
        EventText before = ops("aten::mm gemm 500");
        EventText after = ops("aten::mm gemm 500").launch("reduce", 2_000, 1_500_000, 100_000, 99, 7);
        assertThat(said(before, after))
                .contains("PROBLEM cause_kernel_count: +100 µs: aten::mm runs more kernels (0 became 1): 0 ns "
                        + "became 100 µs.");
    }

    @Test
    void waitingForTheWorkOfAnOperatorIsTold() {
        EventText before = ops("aten::mm gemm 500").op("aten::add", 50_000, 5_000, SHAPES);
        before.launch("add", 51_000, 1_500_000, 500_000, 9, 7);
        EventText after = ops("aten::mm gemm 500").op("aten::add", 50_000, 5_000, SHAPES);
        after.launch("add", 51_000, 1_700_000, 500_000, 9, 7);
        assertThat(said(before, after))
                .contains(
                        "INFO parts: Device work contributes ±0 ns, overlap ±0 ns, idle time +200 µs.",
                        "PROBLEM cause_idle: +200 µs: the device is idle longer for launched work that has not "
                                + "begun. 0 ns became 200 µs (0 became 1 gap).");
    }

    @Test
    void kernelsWithoutALaunchAreComparedByName() {
        EventText before = new EventText().kernel("lone", 0, 100_000, 1, 7);
        EventText after = new EventText().kernel("lone", 0, 150_000, 1, 7);
        assertThat(said(before, after))
                .contains(
                        "PROBLEM cause_unlinked: +50 µs: lone has no launch in the trace: 100 µs became 150 µs.",
                        "INFO no_operators: No device work of the candidate has a known launch. Kernels are "
                                + "compared by name alone.");
    }

    @Test
    void recordingsOfAnotherLengthAreNoted() {
        EventText one = ops("aten::mm gemm 500").annotation("ProfilerStep#1", 0, 1_000_000);
        EventText two = ops("aten::mm gemm 900")
                .annotation("ProfilerStep#1", 0, 1_000_000)
                .annotation("ProfilerStep#2", 1_000_000, 1_000_000);
        assertThat(said(one, two))
                .contains("NOTICE other_steps: The baseline has 1 step, the candidate 2. A part of the difference "
                        + "is the length of the traces.");
        assertThat(said(one, one.shuffled(1))).containsExactly(SAME);
    }

    @Test
    void withoutDeviceWorkThereIsNothingToCompare() {
        EventText host = new EventText().op("aten::mm", 0, 10_000);
        assertThat(said(host, host)).containsExactly(SAME);
        assertThat(said(host, new EventText().op("aten::mm", 0, 20_000)))
                .containsExactly("INFO no_device_activity: Neither trace has device activity.");
    }
}
