// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.options.ReportOptions;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportFindingsTest {
    private static final long MS = 1_000_000;

    private static List<String> said(EventText events, String code) {
        return Said.of(TestTraces.of(events), code);
    }

    private static List<String> trust(EventText events) {
        return PerformanceReport.of(TestTraces.of(events), ReportOptions.standard()).trust().reasons().stream()
                .map(reason -> reason.code() + ": " + reason.text())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "GPU 0: NVIDIA H100, ",
        "python3, GPU 0",
        "/device:TPU:0, ",
        "Ascend 910B, NPU",
        "XPU engine 3, ",
        "/gpu:0/stream:13 Compute, ",
        "Rank 0 - GPU Stream, ",
        "GPU0, ",
        "Device 1, ",
    })
    void slicesOfDevicesWithoutAKnownCategoryAreNamed(String process, @Nullable String labels) {
        EventText events = new EventText().op("a", 0, MS);
        events.raw(
                "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 5, \"args\": {\"name\": \"" + process + "\"}}");
        if (labels != null) {
            events.raw("{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": 5, \"args\": {\"labels\": \"" + labels
                    + "\"}}");
        }
        for (int i = 0; i < 3; i++) {
            events.complete("strange", "kernel" + i, "5", "1", i * MS, MS / 2, "");
        }
        assertThat(said(events, "no_device_activity")).isEmpty();
        assertThat(trust(events))
                .containsExactly("unread_events: Not read: 3 slices lie on devices (process '" + process
                        + "'). What seems missing may be there.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/host:CPU",
                "./gpu_benchmark",
                "/opt/gpu/run",
                "./gpu",
                "gpu-burn",
                "python3 train_gpu.py",
                "gpu.exe",
                "gpu monitor",
                "device_query"
            })
    void otherProcessesOfTheHostAreNoDevices(String process) {
        EventText events = new EventText().op("a", 0, MS);
        events.raw(
                "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 5, \"args\": {\"name\": \"" + process + "\"}}");
        events.complete("strange", "x", "5", "1", 0, MS, "");
        assertThat(said(events, "no_device_activity"))
                .containsExactly(
                        "INFO no_device_activity: The trace has no device activity: only the CPU was recorded.");
    }

    @Test
    void launchesWithoutAnyKernelAreALoss() {
        EventText events = new EventText();
        for (int i = 0; i < 260; i++) {
            events.call("cudaLaunchKernel", i * MS, 1_000, i + 1);
        }
        assertThat(said(events, "no_device_activity")).isEmpty();
        assertThat(trust(events))
                .containsExactly("lost_activity: 260 launch calls have no device activity: kernels were not traced.");
    }

    /** A device that is busy for 1 ms but for one gap, which ends at 600 us; the work behind it was launched then. */
    private static EventText gap(long length, long launched) {
        EventText events = new EventText().launch("a", -50_000, 0, 600_000 - length, 1, 7);
        if (launched >= 0) {
            events.call("cudaLaunchKernel", launched, 1_000, 2);
        }
        return events.kernel("b", 600_000, 400_000, 2, 7);
    }

    private static String idle(String share, String time, String rest) {
        return "idle: The device is idle " + share + " % of the time (" + time + " of 1 ms) in 1 gap" + rest + ".";
    }

    @Test
    void aCopyWithoutLengthHoldsNothingUp() {
        EventText events = new EventText();
        events.complete("gpu_memcpy", "a", "0", "7", 1_538, 0, "\"device\": 0, \"stream\": 7");
        assertThat(said(events, "computation_blocked")).isEmpty();
    }

    @Test
    void upToThreePercentOfIdleTimeTheDeviceIsBusy() {
        assertThat(said(gap(29_999, 590_000), "busy"))
                .containsExactly("INFO busy: The device is busy 97 % of the time (1 ms).");
        assertThat(said(gap(29_999, 590_000), "idle")).isEmpty();
        assertThat(said(gap(30_000, -1), "busy")).isEmpty();
        assertThat(said(gap(30_000, -1), "idle")).containsExactly("NOTICE " + idle("3.0", "30 µs", ""));
    }

    @Test
    void fromTenPercentOfIdleTimeItIsAProblem() {
        assertThat(said(gap(99_000, -1), "idle")).containsExactly("NOTICE " + idle("9.9", "99 µs", ""));
        assertThat(said(gap(100_000, -1), "idle")).containsExactly("PROBLEM " + idle("10", "100 µs", ""));
    }

    @Test
    void whatWasLaunchedInTheGapWaitedForTheHostAndWhatWasLaunchedBeforeForTheDevice() {
        assertThat(said(gap(100_000, 500_000), "idle"))
                .containsExactly("PROBLEM "
                        + idle(
                                "10",
                                "100 µs",
                                ". 100 % of it is launch-bound: the CPU had not yet launched the next work"));
        assertThat(said(gap(100_000, 499_999), "idle"))
                .containsExactly("PROBLEM "
                        + idle(
                                "10",
                                "100 µs",
                                ". Most of it is a wait on the device: the next work was already launched"));
    }

    /** Gaps of these lengths in us behind kernels of 10 us each; launched within the gap, before it, or unknown. */
    private static EventText gaps(String lengths) {
        EventText events = new EventText();
        long at = 0;
        int number = 1;
        events.kernel("k", at, 10_000, number, 7);
        for (String gap : lengths.split(" ", -1)) {
            long length = Long.parseLong(gap.substring(1)) * 1_000;
            at += 10_000 + length;
            number++;
            if (gap.charAt(0) != 'u') {
                events.call("cudaLaunchKernel", gap.charAt(0) == 'h' ? at - length : at - length - 1, 100, number);
            }
            events.kernel("k", at, 10_000, number, 7);
        }
        return events;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // u: unknown, h: the host was late, q: queued; 20 us are not short
                "u20 u20 | The device is idle 57 % of the time (40 µs of 70 µs) in 2 gaps.",
                "u19 u19 | The device is idle 56 % of the time (38 µs of 68 µs) in 2 gaps. Most of it is "
                        + "in 2 gaps under 20 µs.",
                "u15 u15 u30 | The device is idle 60 % of the time (60 µs of 100 µs) in 3 gaps.",
                "u15 u16 u30 | The device is idle 60 % of the time (61 µs of 101 µs) in 3 gaps. Most of "
                        + "it is in 2 gaps under 20 µs.",
                "h30 q30 | The device is idle 67 % of the time (60 µs of 90 µs) in 2 gaps.",
                "h31 q30 | The device is idle 67 % of the time (61 µs of 91 µs) in 2 gaps. 51 % of it is "
                        + "launch-bound: the CPU had not yet launched the next work.",
                "h30 q31 | The device is idle 67 % of the time (61 µs of 91 µs) in 2 gaps. Most of it is "
                        + "a wait on the device: the next work was already launched.",
                "h12 h12 | The device is idle 44 % of the time (24 µs of 54 µs) in 2 gaps. Most of it is "
                        + "in 2 gaps under 20 µs. 100 % of it is launch-bound: the CPU had not yet launched the "
                        + "next work.",
            })
    void theCauseOfMostOfTheIdleTimeIsNamed(String lengths, String text) {
        assertThat(said(gaps(lengths), "idle")).containsExactly("PROBLEM idle: " + text);
    }

    /** A kernel at the beginning and one at the end of 10 ms; the second is launched at the end. */
    private static EventText late() {
        return new EventText().launch("a", -50_000, 0, MS, 1, 7).launch("b", 10 * MS - 5_000, 10 * MS, MS, 2, 7);
    }

    @Test
    void whatFilledTheIdleTimeIsSaid() {
        assertThat(said(
                        late().annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", MS, 9 * MS),
                        "idle_cause"))
                .containsExactly(
                        "PROBLEM idle_cause: The data loader causes 99.9 % of the idle time: 1 gap of 9.00 ms. "
                                + "Most of it is in enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__.");
        assertThat(said(late().annotation("epoch", MS, 9 * MS).call("cudaFree", 2 * MS, 6 * MS, 9), "idle_cause"))
                .containsExactly(
                        "PROBLEM idle_cause: Memory allocation by the driver causes 67 % of the idle time: 1 gap "
                                + "of 6 ms. All of it is in cudaFree in epoch. Code in annotated ranges causes 33 %: 1 gap "
                                + "of 3.00 ms. All of it is in epoch.");
        assertThat(said(late(), "idle_cause"))
                .containsExactly(
                        "PROBLEM idle_cause: Unrecorded CPU code causes 99.9 % of the idle time: 1 gap of 9.00 "
                                + "ms. Record with_stack=True to see Python frames.");
        assertThat(said(gaps("u20 u20"), "idle_cause"))
                .containsExactly(
                        "PROBLEM idle_cause: Why the device was idle is unknown: the CPU was not recorded."
                                + " ProfilerActivity.CPU records it. 100 % of the idle time ends with k (2 gaps, up to 20 µs each).");
        assertThat(said(gap(29_999, 590_000), "idle_cause")).isEmpty();
    }

    @Test
    void whatTheTraceHoldsIsNotAskedFor() {
        assertThat(said(late().python("train.py(3): step", MS, MS), "idle_cause"))
                .singleElement()
                .asString()
                .contains("Unrecorded CPU code")
                .doesNotContain("with_stack");
    }

    @Test
    void severalCausesAreNamedWithTheirShares() {
        EventText events = new EventText()
                .launch("a", -50_000, 0, MS, 1, 7)
                .call("cudaMalloc", MS, 2 * MS - 50_000, 8)
                .launch("b", 3 * MS - 5_000, 3 * MS, MS, 2, 7)
                .op("aten::cat", 4 * MS, 2 * MS - 50_000)
                .launch("c", 6 * MS - 5_000, 6 * MS, MS, 3, 7);

        assertThat(said(events, "idle_cause"))
                .containsExactly(
                        "PROBLEM idle_cause: Memory allocation by the driver causes 49 % of the idle time: 1 gap "
                                + "of 1.95 ms. All of it is in cudaMalloc. CPU time of operators causes 49 %: 1 gap of "
                                + "1.95 ms. All of it is in aten::cat.");
    }

    /** The step takes 10 ms; its first kernel comes after 6 of them. */
    @Test
    void whatAStepDoesBeforeItsFirstKernelIsItsIdleTime() {
        EventText events = new EventText()
                .annotation("ProfilerStep#1", 0, 10 * MS)
                .python("pre.py(4): preprocess", 0, 6 * MS - 6_000)
                .launch("a", 6 * MS - 5_000, 6 * MS, 4 * MS, 1, 7);

        assertThat(said(events, "idle_cause"))
                .containsExactly(
                        "PROBLEM idle_cause: Python causes 99.9 % of the idle time: 1 gap of 5.99 ms. All of it "
                                + "is in pre.py(4): preprocess. 6 ms of the idle time lies before the first or after the "
                                + "last device work.");
        assertThat(said(events, "late_start")).isEmpty();
    }

    /** Without steps that is the start of the program, and no part of the idle time between kernels. */
    @Test
    void whatARecordingDoesBeforeItsFirstKernelIsItsStart() {
        EventText events = new EventText()
                .call("cudaSetDevice", 0, 6 * MS - 6_000, 9)
                .launch("a", 6 * MS - 5_000, 6 * MS, 4 * MS, 1, 7);

        assertThat(said(events, "idle_cause")).isEmpty();
        assertThat(said(events, "late_start"))
                .containsExactly(
                        "NOTICE late_start: The device starts work 6 ms after the trace begins (60 % of 10 ms). "
                                + "Setup of contexts, streams, events and graphs causes 99.9 % of that time: 1 gap of 5.99 "
                                + "ms. All of it is in cudaSetDevice.");
    }

    /** In each of four layers the host waits for the device, and goes on for 100 us before it launches again. */
    @Test
    void waitsThatEmptyTheQueueAreNamed() {
        EventText events = new EventText();
        for (int layer = 0; layer < 4; layer++) {
            long at = layer * MS;
            events.launch("k", at, at + 10_000, 900_000 - 10_000, layer + 1, 7)
                    .op("aten::item", at + 20_000, 890_000)
                    .call("cudaStreamSynchronize", at + 30_000, 875_000, 20 + layer);
        }

        assertThat(said(events, "queue_emptied"))
                .containsExactly("NOTICE queue_emptied: The launch queue runs dry 3 times while the CPU waits for the "
                        + "device, in cudaStreamSynchronize in aten::item. Up to 330 µs of idle time follows (8.4 "
                        + "% of 3.91 ms).");
    }

    @ParameterizedTest
    @CsvSource({"99, INFO, 75 %, 99 µs, 9.9 %", "100, PROBLEM, 75 %, 100 µs, 10 %"})
    void communicationThatNothingHidesIsAProblemFromTenPercentOfTheSpan(
            int exposed, String severity, String hidden, String time, String share) {
        long us = 1_000;
        EventText events = new EventText()
                .kernel("gemm", 0, MS - exposed * us, 1, 7)
                .kernel("ncclDevKernel_AllReduce", MS - 400 * us, 400 * us, 2, 20);
        assertThat(said(events, "exposed_communication"))
                .containsExactly(severity + " exposed_communication: Exposed communication takes " + time + " (" + share
                        + " of the time). Compute overlaps " + hidden + " of the 400 µs of communication.");
    }

    @Test
    void withoutCommunicationNothingIsSaidOfIt() {
        assertThat(said(new EventText().kernel("gemm", 0, MS, 1, 7), "exposed_communication"))
                .isEmpty();
    }

    @Test
    void copiesThatNothingHidesAreWorthALookFromThreePercentOfTheSpan() {
        EventText events = new EventText()
                .kernel("gemm", 0, 970_000, 1, 7)
                .device("gpu_memcpy", "Memcpy HtoD", 950_000, 50_000, 2, 8, "");
        assertThat(said(events, "exposed_copies"))
                .containsExactly("NOTICE exposed_copies: Exposed copies and fills take 30 µs (3.0 % of the time).");
        EventText fewer = new EventText()
                .kernel("gemm", 0, 971_000, 1, 7)
                .device("gpu_memcpy", "Memcpy HtoD", 950_000, 50_000, 2, 8, "");
        assertThat(said(fewer, "exposed_copies")).isEmpty();
    }

    private static EventText steps(int... lengthsUs) {
        EventText events = new EventText();
        long at = 0;
        for (int i = 0; i < lengthsUs.length; i++) {
            long length = lengthsUs[i] * 1_000L;
            events.annotation("ProfilerStep#" + (i + 5), at, length)
                    .launch("gemm", at + 1_000, at + 5_000, length / 2, i + 1, 7);
            at += length;
        }
        return events;
    }

    @Test
    void aStepThatTakesFifteenPercentMoreThanTheMedianOneStandsOut() {
        assertThat(said(steps(100, 114, 90), "even_steps"))
                .containsExactly("INFO even_steps: The median of 3 steps takes 100 µs on the CPU.");
        assertThat(said(steps(35, 72, 100, 100, 101), "even_steps"))
                .containsExactly(
                        "INFO even_steps: The median of 5 steps takes 100 µs on the CPU. The shortest takes 35 "
                                + "µs.");
        assertThat(said(steps(100, 116, 90), "even_steps")).isEmpty();
        assertThat(said(steps(100, 116, 90), "uneven_steps"))
                .containsExactly("NOTICE uneven_steps: Step 6 takes 116 µs on the CPU, the median step 100 µs.");
    }

    @Test
    void twoStepsAreTooFewToCompare() {
        assertThat(said(steps(100, 300), "uneven_steps")).isEmpty();
        assertThat(said(steps(100, 100), "even_steps")).isEmpty();
    }

    @Test
    void operatorsAndKernelsThatTakeMostAreNamedWithTheirShare() {
        EventText events = new EventText()
                .op("aten::mm", 0, 10_000)
                .launch("gemm", 1_000, 100_000, 300_000, 1, 7)
                .op("aten::add", 20_000, 10_000)
                .launch("add", 21_000, 400_000, 50_000, 2, 7)
                .op("aten::add", 40_000, 10_000)
                .launch("add", 41_000, 450_000, 50_000, 3, 7);
        assertThat(said(events, "top_operator"))
                .containsExactly(
                        "INFO top_operator: aten::mm takes 75 % of the attributed device time (300 µs in 1 call).");
        assertThat(said(events, "top_kernel"))
                .containsExactly(
                        "INFO top_kernel: The top kernel is gemm: 75 % of the kernel time (1 launch of 300 µs).");
        assertThat(said(events, "no_operators")).isEmpty();
    }

    @Test
    void aKernelThatSeveralOperatorsLaunchOnSeveralStreamsIsOne() {
        EventText events = new EventText();
        for (int i = 0; i < 4; i++) {
            long at = i * MS;
            events.op("aten::op" + i, at, 8_000)
                    .call("cudaLaunchKernel", at + 1_000, 5_000, i + 1)
                    .kernel(i < 3 ? "shared" : "single", at + 10_000, i < 3 ? 200_000 : 300_000, i + 1, 7 + i % 2);
        }
        assertThat(said(events, "top_kernel"))
                .containsExactly(
                        "INFO top_kernel: The top kernel is shared: 67 % of the kernel time (3 launches of 200 "
                                + "µs).");
    }

    /** The kernel of the second operator waits for a collective on another stream, long after it was launched. */
    @ParameterizedTest
    @ValueSource(longs = {100_000, 1_000_000, 5_000_000})
    void waitingForAnotherStreamIsNotLaunching(long collective) {
        EventText events = new EventText();
        long at = 0;
        for (int i = 1; i <= 10; i++) {
            events.op("c10d::alltoall_", at, 10_000)
                    .call("cudaLaunchKernel", at + 1_000, 5_000, 2 * i)
                    .kernel("ncclDevKernel_SendRecv(x)", at + 10_000, collective, 2 * i, 20)
                    .op("aten::cat", at + 15_000, 10_000)
                    .call("cudaLaunchKernel", at + 16_000, 5_000, 2 * i + 1)
                    .kernel("CatArrayBatchedCopy", at + 11_000 + collective, 5_000, 2 * i + 1, 7);
            at += collective + 100_000;
        }
        assertThat(said(events, "launch_bound"))
                .allSatisfy(text -> assertThat(text).doesNotContain(" ms"));
    }

    @Test
    void launchesWithoutOperatorsAreSaidToBeAlone() {
        EventText events =
                new EventText().launch("a", 0, 10_000, 20_000, 1, 7).launch("b", 5_000, 30_000, 40_000, 2, 7);
        assertThat(said(events, "no_operators"))
                .containsExactly("NOTICE no_operators: CPU operators were not recorded. Device time is known by launch "
                        + "call and kernel only.");
        assertThat(said(events, "top_operator")).isEmpty();
    }

    @Test
    void shortKernelsAreWorthALookFromTenPercentOfTheSpan() {
        EventText few = new EventText().kernel("tiny", 0, 9_000, 1, 7).kernel("long", 9_000, 91_000, 2, 7);
        assertThat(said(few, "short_kernels"))
                .containsExactly(
                        "INFO short_kernels: 1 kernel is shorter than 10 µs and runs 9 µs (9.0 % of the time).");
        EventText many = new EventText()
                .kernel("tiny", 0, 5_000, 1, 7)
                .kernel("tiny", 5_000, 5_000, 2, 7)
                .kernel("long", 10_000, 90_000, 3, 7);
        assertThat(said(many, "short_kernels"))
                .containsExactly(
                        "NOTICE short_kernels: 2 kernels are shorter than 10 µs and run 10 µs in total (10 % of "
                                + "the time).");
        assertThat(said(new EventText().kernel("long", 0, 10_000, 1, 7), "short_kernels"))
                .isEmpty();
    }

    @Test
    void damageComesFirstAndContextLast() {
        EventText events = gap(30_000, -1).raw("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"broken\"}");
        List<String> all = Said.all(PerformanceReport.of(
                TestTraces.parse(TestTraces.document(events.toString())), ReportOptions.standard()));
        assertThat(all.getFirst()).startsWith("PROBLEM input_").contains(": 1 × ");
        assertThat(all.get(1)).startsWith("NOTICE ");
        assertThat(all.getLast()).startsWith("INFO ");
    }

    @Test
    void aTraceOfTheHostAloneSaysSo() {
        assertThat(said(new EventText().op("aten::mm", 0, 100_000), "no_device_activity"))
                .containsExactly(
                        "INFO no_device_activity: The trace has no device activity: only the CPU was recorded.");
    }

    @Test
    void callsThatLaunchOutsideOfOperatorsAreNoOperator() {
        EventText events = new EventText()
                .op("aten::mm", 0, 10_000)
                .launch("gemm", 1_000, 100_000, 100_000, 1, 7)
                .launch("other", 41_000, 300_000, 300_000, 2, 7);
        assertThat(said(events, "top_operator"))
                .containsExactly("INFO top_operator: aten::mm takes 25 % of the attributed device time (100 µs in 1 "
                        + "call). 75 % of it was launched outside of operators.");
    }

    @Test
    void nothingIsAdvisedWhereNothingOfTheHostWasRecorded() {
        EventText device = new EventText().kernel("a", 0, MS, 1, 7).kernel("b", 3 * MS, MS, 2, 7);
        assertThat(said(device, "step_advice")).isEmpty();

        EventText host = new EventText()
                .op("aten::mm", 0, 10_000)
                .launch("a", 1_000, 5_000, MS, 1, 7)
                .launch("b", 3 * MS, 3 * MS + 5_000, MS, 2, 7);
        assertThat(said(host, "step_advice"))
                .singleElement()
                .asString()
                .contains("unrecorded CPU activities take the most trace time")
                .contains("does not say what the CPU did")
                .doesNotContain("Python while");
    }

    /** Copies from pageable memory whose calls wait for kernels that run all the time cost nothing. */
    @Test
    void callsThatWaitForABusyDeviceAreNoProblem() {
        EventText events = new EventText()
                .launch("a", 0, 10_000, 100 * MS, 1, 7)
                .call("cudaMemcpyAsync", 20_000, 100 * MS + 10_000, 2)
                .device(
                        "gpu_memcpy",
                        "Memcpy DtoH (Device -> Pageable)",
                        100 * MS + 10_000,
                        2 * MS,
                        2,
                        7,
                        "\"bytes\": 1000000, \"memory bandwidth (GB/s)\": 0.5");
        assertThat(said(events, "pageable_copies"))
                .singleElement()
                .asString()
                .startsWith("NOTICE pageable_copies: Copies from and to pageable CPU memory run 2 ms while");
    }

    /** One value that the host reads is needed at once; what is small does not show what the link carries. */
    @Test
    void copiesThatAreSmallAreNotBlamedForTheirBandwidth() {
        EventText one = copyOf("aten::_local_scalar_dense", 4);
        EventText small = copyOf("aten::copy_", 4);
        EventText large = copyOf("aten::copy_", 4_000_000);
        assertThat(said(one, "pageable_copies")).isEmpty();
        assertThat(said(small, "pageable_copies")).singleElement().asString().doesNotContain("GB/s", "faster");
        assertThat(said(large, "pageable_copies")).singleElement().asString().contains("at 2.00 GB/s", "faster");
    }

    private static EventText copyOf(String operator, int bytes) {
        return new EventText()
                .launch("a", 0, 10_000, MS, 1, 7)
                .op(operator, 20_000, 4 * MS)
                .call("cudaMemcpyAsync", 21_000, 4 * MS - 2_000, 2)
                .device(
                        "gpu_memcpy",
                        "Memcpy HtoD (Pageable -> Device)",
                        2 * MS,
                        2 * MS,
                        2,
                        7,
                        "\"bytes\": " + bytes + ", \"memory bandwidth (GB/s)\": " + bytes / 2e6);
    }

    /** Where nothing is computed, that communication holds no computation up says nothing. */
    @Test
    void communicationAloneHoldsNothingUp() {
        EventText events = new EventText()
                .launch("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 0, 10_000, 5 * MS, 1, 7)
                .launch("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 5 * MS, 6 * MS, 5 * MS, 2, 7);
        assertThat(said(events, "computation_blocked")).isEmpty();
    }

    @Test
    void aPartThatIsLessThanHalfIsNotMost() {
        EventText events = new EventText();
        for (int i = 0; i < 3; i++) {
            long at = i * 10L * MS;
            events.launch("k" + i, at + 8 * MS, at + 8 * MS + 2_000, MS, i + 1, 7)
                    .complete(
                            "python_function",
                            "f" + i,
                            "1",
                            "1",
                            at + 8 * MS + 2_000,
                            9 * MS + MS / 2,
                            "\"Python id\": " + (i + 1));
        }
        events.launch("last", 38 * MS, 38 * MS + 2_000, MS, 9, 7);
        assertThat(said(events, "idle_cause"))
                .singleElement()
                .asString()
                .contains("The largest part, ", ", is in ")
                .doesNotContain("most in");
    }
}
