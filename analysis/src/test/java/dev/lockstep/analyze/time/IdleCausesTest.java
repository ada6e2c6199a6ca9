// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.IdleAccount.Drain;
import dev.lockstep.analyze.time.IdleAccount.Row;
import dev.lockstep.analyze.time.IdleAccount.Where;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdleCausesTest {
    private static final long US = 1_000;

    private static IdleAccount account(EventText events) {
        return new IdleCauses(AnalysisRules.standard(), null)
                .run(new DerivedCache(TestTraces.of(events)))
                .account();
    }

    /** A gap from 100 to 1,100 us, whose next kernel is launched from 1,090 to 1,091 us. */
    private static EventText gap() {
        return new EventText().launch("a", -10 * US, 0, 100 * US, 1, 7).launch("b", 1_090 * US, 1_100 * US, US, 2, 7);
    }

    /** What filled the one gap between activities, in µs, longest first. */
    private static List<String> filled(EventText events) {
        IdleAccount account = account(events);
        assertThat(account.gaps().size()).isEqualTo(1);
        assertThat(account.time(Where.BETWEEN)).isEqualTo(1_000 * US);
        return account.rows().stream()
                .filter(row -> row.where() == Where.BETWEEN)
                .map(row -> {
                    assertThat(row.start()).isEqualTo(100 * US);
                    assertThat(row.end()).isEqualTo(1_100 * US);
                    assertThat(row.gaps()).isEqualTo(1);
                    assertThat(row.longest()).isEqualTo(row.time());
                    return row.time() / US + " " + row.cause() + " " + row.kind() + " " + row.name()
                            + (row.frame() == null ? "" : " in " + row.frame());
                })
                .toList();
    }

    private static String most(EventText events) {
        return filled(events).getFirst();
    }

    @Test
    void aGapIsDividedAmongTheInnermostSlices() {
        EventText events = gap().annotation("epoch", 0, 2_000 * US)
                .python("train.py(3): step", 150 * US, 900 * US)
                .op("aten::cat", 200 * US, 500 * US)
                .op("aten::narrow", 250 * US, 300 * US);

        assertThat(filled(events))
                .containsExactly(
                        "400 PYTHON PYTHON train.py(3): step in train.py(3): step",
                        "300 OPERATOR CPU_OP aten::narrow in train.py(3): step",
                        "200 OPERATOR CPU_OP aten::cat in train.py(3): step",
                        "90 ANNOTATION ANNOTATION epoch in epoch",
                        "9 LAUNCH_LATENCY KERNEL b",
                        "1 LAUNCHING RUNTIME_CALL cudaLaunchKernel in epoch");
    }

    @Test
    void twoCallsShareAGapByTheirTimes() {
        EventText events = gap().op("aten::mm", 90 * US, 995 * US)
                .call("cudaFree", 100 * US, 550 * US, 8)
                .call("cudaStreamCreateWithFlags", 655 * US, 420 * US, 9);

        assertThat(filled(events))
                .containsExactly(
                        "550 ALLOCATION RUNTIME_CALL cudaFree",
                        "420 SET_UP RUNTIME_CALL cudaStreamCreateWithFlags",
                        "15 OPERATOR CPU_OP aten::mm",
                        "9 LAUNCH_LATENCY KERNEL b",
                        "5 UNRECORDED null null",
                        "1 LAUNCHING RUNTIME_CALL cudaLaunchKernel");
    }

    @Test
    void loadingOfDataCountsBeforeWhatItConsistsOfAndIsNamedAsPeopleKnowIt() {
        EventText events = gap().python("torch/utils/data/dataloader.py(703): __next__", 100 * US, 980 * US)
                .annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 101 * US, 970 * US)
                .python("torch/utils/data/_utils/fetch.py(52): fetch", 102 * US, 960 * US)
                .python("<built-in function zoom_shift>", 103 * US, 900 * US)
                .call("cudaHostAlloc", 1_010 * US, 40 * US, 9);

        assertThat(filled(events))
                .startsWith("900 DATA_LOADER PYTHON <built-in function zoom_shift> in"
                        + " enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__")
                .contains("40 DATA_LOADER RUNTIME_CALL cudaHostAlloc in"
                        + " enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    }

    @ParameterizedTest
    @CsvSource({
        "cudaMalloc, ALLOCATION",
        "hipFree, ALLOCATION",
        "cudaHostAlloc, ALLOCATION",
        "cuMemMap, ALLOCATION",
        "AscendCL@aclrtMalloc, ALLOCATION",
        "Runtime: cudaFree_v3020, ALLOCATION",
        "cuModuleLoadData, MODULE_LOADING",
        "cudaStreamCreateWithFlags, SET_UP",
        "cudaDeviceGetStreamPriorityRange, SET_UP",
        "cudaStreamSynchronize, SYNCHRONISATION",
        "hipDeviceSynchronize, SYNCHRONISATION",
        "AscendCL@aclrtSynchronizeStreamWithTimeout, SYNCHRONISATION",
        "zeEventHostSynchronize, SYNCHRONISATION",
        "synchronizeStream, SYNCHRONISATION",
        "cudaMemcpy, SYNCHRONISATION",
        "hipMemcpyWithStream, SYNCHRONISATION",
        "cudaMemcpyAsync, LAUNCHING",
        "cudaLaunchCooperativeKernel, LAUNCHING",
        "cuLaunchKernelEx, LAUNCHING",
        "hipExtModuleLaunchKernel, LAUNCHING",
        "cudaGraphLaunch, LAUNCHING",
        "Node@launch, LAUNCHING",
        "cudaStreamWaitEvent, CALL",
        "cudaStreamIsCapturing, CALL"
    })
    void callsAreKnownByName(String call, IdleCause cause) {
        assertThat(most(gap().call(call, 110 * US, 900 * US, 9))).isEqualTo("900 " + cause + " RUNTIME_CALL " + call);
    }

    @Test
    void callsThatLaunchedSomethingLaunchWhateverTheirName() {
        EventText events = gap().call("vendorSubmit", 110 * US, 900 * US, 9).kernel("c", 1_101 * US, US, 9, 7);

        assertThat(most(events)).isEqualTo("900 LAUNCHING RUNTIME_CALL vendorSubmit");
    }

    @Test
    void callsOfWhichAWaitWasRecordedBlock() {
        EventText events = gap().call("cudaMemcpyAsync", 110 * US, 900 * US, 9)
                .device("cuda_sync", "Stream Sync", 110 * US, 900 * US, 9, 7, "");

        assertThat(most(events)).isEqualTo("900 SYNCHRONISATION RUNTIME_CALL cudaMemcpyAsync");
    }

    @Test
    void whatHadBeenLaunchedWaitedOnTheDevice() {
        EventText events = new EventText()
                .launch("a", -10 * US, 0, 100 * US, 1, 7)
                .launch("b", 90 * US, 1_100 * US, US, 2, 7)
                .annotation("epoch", 0, 2_000 * US);

        assertThat(filled(events)).containsExactly("1000 QUEUED KERNEL b");
    }

    @Test
    void aRecordedWaitOfTheStreamIsNamed() {
        EventText events = new EventText()
                .launch("a", -10 * US, 0, 100 * US, 1, 7)
                .launch("b", 90 * US, 1_100 * US, US, 2, 7)
                .device("cuda_sync", "EVENT_WAIT", 150 * US, 940 * US, 0, 7, "")
                .device("cuda_sync", "NOTIFY_WAIT", 100 * US, 1_000 * US, 0, 9, "");

        assertThat(filled(events)).containsExactly("940 DEVICE_WAIT DEVICE_SYNC EVENT_WAIT", "60 QUEUED KERNEL b");
    }

    /** The launch call counts for as long as it lasts, and what is inside of it for itself. */
    @Test
    void aLaunchCallIsTheHosts() {
        EventText events = new EventText()
                .launch("a", -10 * US, 0, 100 * US, 1, 7)
                .call("cudaLaunchKernel", 90 * US, 990 * US, 2)
                .complete("cuda_driver", "cuModuleLoadData", "1", "1", 200 * US, 300 * US, "")
                .kernel("b", 1_100 * US, US, 2, 7);

        assertThat(filled(events))
                .containsExactly(
                        "680 LAUNCHING RUNTIME_CALL cudaLaunchKernel",
                        "300 MODULE_LOADING DRIVER_CALL cuModuleLoadData",
                        "20 QUEUED KERNEL b");
    }

    /** Work that was launched in the gap and does not begin, while the host waits for it. */
    @Test
    void aCallThatWaitsForWorkThatDoesNotBeginBlocks() {
        EventText events = new EventText()
                .launch("a", -10 * US, 0, 100 * US, 1, 7)
                .launch("b", 110 * US, 1_100 * US, US, 2, 7)
                .call("hipMemcpyWithStream", 112 * US, 1_000 * US, 3);

        assertThat(filled(events))
                .containsExactly(
                        "988 SYNCHRONISATION RUNTIME_CALL hipMemcpyWithStream",
                        "10 UNRECORDED null null",
                        "1 LAUNCHING RUNTIME_CALL cudaLaunchKernel",
                        "1 LAUNCH_LATENCY KERNEL b");
    }

    @Test
    void operatorsOneAfterTheOtherAddUp() {
        EventText events = gap();
        for (int i = 0; i < 6; i++) {
            events.op("aten::view", (110 + 100 * i) * US, 90 * US);
        }

        assertThat(filled(events)).startsWith("540 OPERATOR CPU_OP aten::view", "450 UNRECORDED null null");
    }

    @Test
    void anotherThreadThatLaunchesCountsWhileTheLaunchingOneDoesNothingAndAnyOtherThreadDoesNot() {
        EventText events = gap().complete("python_function", "queue.py(1): get", "1", "3", 0, 2_000 * US, "");
        assertThat(most(events)).isEqualTo("990 UNRECORDED null null");

        events.complete("cuda_runtime", "cudaLaunchKernel", "1", "2", -20 * US, US, "\"correlation\": 3")
                .kernel("c", 0, 50 * US, 3, 7)
                .op("aten::add", 300 * US, 100 * US)
                .complete("cpu_op", "aten::backward", "1", "2", 120 * US, 900 * US, "");
        assertThat(filled(events)).startsWith("800 OPERATOR CPU_OP aten::backward", "100 OPERATOR CPU_OP aten::add");
    }

    @Test
    void aThreadThatWaitsInTheOperatingSystemGivesWayToOthers() {
        EventText events = gap().complete("osrt", "pthread_cond_wait", "1", "1", 100 * US, 980 * US, "")
                .complete("cuda_runtime", "cudaLaunchKernel", "1", "2", -20 * US, US, "\"correlation\": 3")
                .kernel("c", 0, 50 * US, 3, 7)
                .complete("cpu_op", "aten::backward", "1", "2", 120 * US, 700 * US, "")
                .complete("osrt", "futex", "1", "2", 200 * US, 100 * US, "");

        assertThat(filled(events))
                .startsWith("600 OPERATOR CPU_OP aten::backward", "380 WAITING HOST_OTHER pthread_cond_wait");
    }

    @Test
    void callsOfTheOperatingSystemAreKnown() {
        EventText events = gap().complete("osrt", "getc", "1", "1", 110 * US, 700 * US, "")
                .complete("osrt", "ioctl", "1", "1", 810 * US, 200 * US, "");

        assertThat(filled(events)).startsWith("700 FILES HOST_OTHER getc", "200 OS_CALL HOST_OTHER ioctl");
    }

    @Test
    void withoutAHostItIsSaidWhatEndsTheGap() {
        EventText events = new EventText().kernel("a", 0, 100 * US, 1, 7).kernel("b", 1_100 * US, US, 2, 7);

        assertThat(filled(events)).containsExactly("1000 NO_HOST KERNEL b");
    }

    /** A mark of a step may begin inside of the profiler's own frame, which ends soon after. */
    @Test
    void marksOfStepsAreNobodysAndObjectsOfPythonHaveOneName() {
        EventText events = gap().python("train.py(1): main", -50 * US, 1_990 * US)
                .python("torch/profiler/profiler.py(821): step", -40 * US, 20 * US)
                .annotation("ProfilerStep#3", -30 * US, 1_960 * US)
                .python("<built-in method to of Tensor object at 0x7ce2>", 200 * US, 300 * US)
                .python("<built-in method to of Tensor object at 0x7ce3>", 600 * US, 300 * US);

        assertThat(filled(events))
                .startsWith(
                        "600 PYTHON PYTHON <built-in method to of Tensor object> in"
                                + " <built-in method to of Tensor object>",
                        "390 PYTHON PYTHON train.py(1): main in train.py(1): main");
    }

    /** The step begins 90 us before its first kernel is launched, and the host leaves it 30 us after the last has ended. */
    @Test
    void timeBeforeTheFirstAndBehindTheLastActivityBelongsToTheStep() {
        EventText events = new EventText()
                .annotation("ProfilerStep#3", 0, 260 * US)
                .op("aten::rand", 10 * US, 70 * US)
                .launch("a", 90 * US, 100 * US, 50 * US, 1, 7)
                .launch("b", 160 * US, 170 * US, 60 * US, 2, 7)
                .call("cudaDeviceSynchronize", 170 * US, 70 * US, 3);

        assertThat(account(events).rows())
                .extracting(row -> row.where() + " " + row.cause() + " " + row.time() / US)
                .containsExactlyInAnyOrder(
                        "BEFORE OPERATOR 70",
                        "BEFORE UNRECORDED 20",
                        "BEFORE LAUNCHING 1",
                        "BEFORE LAUNCH_LATENCY 9",
                        "BETWEEN UNRECORDED 10",
                        "BETWEEN LAUNCHING 1",
                        "BETWEEN LAUNCH_LATENCY 9",
                        "BEHIND SYNCHRONISATION 10",
                        "BEHIND UNRECORDED 20");
    }

    /** The copy back is waited for; the next kernel is launched only then. */
    @Test
    void theWaitThatEmptiedTheQueueIsNamed() {
        EventText events = new EventText()
                .launch("a", 0, 10 * US, 500 * US, 1, 7)
                .op("aten::item", 20 * US, 510 * US)
                .op("aten::_local_scalar_dense", 25 * US, 500 * US)
                .call("cudaStreamSynchronize", 30 * US, 490 * US, 2)
                .op("aten::add", 540 * US, 60 * US)
                .launch("b", 580 * US, 590 * US, 10 * US, 3, 7)
                .launch("c", 610 * US, 620 * US, 10 * US, 4, 7);
        IdleAccount account = account(events);

        assertThat(account.rows())
                .filteredOn(row -> row.where() == Where.BETWEEN && row.emptiedBy() != null)
                .allMatch(row -> row.emptiedBy().equals("cudaStreamSynchronize in aten::item"))
                .extracting(Row::time)
                .satisfies(times ->
                        assertThat(times.stream().mapToLong(time -> time).sum()).isEqualTo(80 * US));
        assertThat(account.drains())
                .containsExactly(
                        new Drain("cudaStreamSynchronize in aten::item", 1, 80 * US, 80 * US, 510 * US, 590 * US));
    }

    /** Without a wait of 3 us the host could have been ahead by as much, whatever the gap lasts. */
    @Test
    void noMoreTimeFollowsFromAWaitThanItLasted() {
        EventText events = new EventText()
                .launch("a", 0, 10 * US, 500 * US, 1, 7)
                .call("cudaStreamSynchronize", 507 * US, 13 * US, 2)
                .launch("b", 580 * US, 590 * US, 10 * US, 3, 7);

        assertThat(account(events).drains())
                .containsExactly(new Drain("cudaStreamSynchronize", 1, 3 * US, 3 * US, 510 * US, 590 * US));
    }

    @Test
    void aQueueThatTheHostHadFilledIsEmptiedByNobody() {
        EventText events = new EventText()
                .launch("a", 0, 10 * US, 500 * US, 1, 7)
                .launch("b", 20 * US, 590 * US, 10 * US, 3, 7)
                .call("cudaStreamSynchronize", 30 * US, 600 * US, 2);

        assertThat(account(events).drains()).isEmpty();
    }

    @Test
    void theFrameThatHoldsMostOfPythonIsTheInnermostOfThose() {
        EventText events = gap().python("main.py(1): main", 0, 1_080 * US)
                .python("pre.py(9): preprocess", 110 * US, 700 * US)
                .python("a.py(1): resize", 120 * US, 300 * US)
                .python("a.py(2): normalize", 430 * US, 300 * US);

        assertThat(account(events).frame(where -> where == Where.BETWEEN)).isEqualTo("pre.py(9): preprocess");
        assertThat(account(events).frame(where -> where == Where.BEHIND)).isNull();
    }
}
