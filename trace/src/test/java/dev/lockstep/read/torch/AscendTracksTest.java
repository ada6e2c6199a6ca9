// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.Nesting;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A trace as Ascend's profiler writes it: categories for the framework alone. Device 3; two streams, one for collectives. */
class AscendTracksTest {
    private static final String HOST = "7";
    private static final String CANN = "7392";
    private static final String HARDWARE = "7587";
    private static final String HCCL = "7651";
    private static final String SUMS = "7843";

    private final EventText events = new EventText();
    private Trace trace;

    private void process(String pid, String name, String label) {
        events.raw("{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": " + pid
                + ", \"tid\": 0, \"args\": {\"name\": \"" + name + "\"}}");
        events.raw("{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": " + pid
                + ", \"tid\": 0, \"args\": {\"labels\": \"" + label + "\"}}");
    }

    private void thread(String pid, int tid, String name) {
        events.raw("{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": " + pid + ", \"tid\": " + tid
                + ", \"args\": {\"name\": \"" + name + "\"}}");
    }

    /** Without a category, with its time in quotes. */
    private void task(String pid, int tid, String name, long us, long dur, String args) {
        events.raw("{\"name\": \"" + name + "\", \"pid\": " + pid + ", \"tid\": " + tid + ", \"ts\": \"" + us
                + ".000\", \"dur\": " + dur + ", \"args\": {" + args + "}, \"ph\": \"X\"}");
    }

    private static String connection(int id) {
        return "\"Task Type\": \"Other\", \"connection_id\": " + id;
    }

    private void arrow(int id, long from, String toPid, int toTid, long to) {
        events.raw("{\"ph\": \"s\", \"bp\": \"e\", \"cat\": \"async_npu\", \"name\": \"torch_to_npu\", \"id\": " + id
                + ", \"pid\": " + HOST + ", \"tid\": 7, \"ts\": \"" + from + ".000\"}");
        events.raw("{\"ph\": \"f\", \"bp\": \"e\", \"cat\": \"async_npu\", \"name\": \"torch_to_npu\", \"id\": " + id
                + ", \"pid\": " + toPid + ", \"tid\": " + toTid + ", \"ts\": \"" + to + ".000\"}");
    }

    @BeforeEach
    void record() {
        process(HOST, "Python", "CPU");
        process(CANN, "CANN", "CPU");
        process(HARDWARE, "Ascend Hardware", "NPU");
        process(HCCL, "HCCL", "NPU");
        process(SUMS, "Overlap Analysis", "NPU");
        thread(HCCL, 0, "Group 0 Communication");
        thread(HCCL, 1, "Plane 0");
        events.complete("cpu_op", "MatMul", HOST, "7", 1_000_000, 50_000, "\"Sequence number\": -1");
        events.complete("cpu_op", "HcclAllreduce", HOST, "7", 1_100_000, 50_000, "\"Sequence number\": -1");
        task(CANN, 9, "Node@launch", 1_060, 5, "\"connection_id\": 41");
        task(CANN, 9, "Node@launch", 1_070, 5, "\"connection_id\": 42");
        task(CANN, 9, "Node@launch", 1_160, 5, "\"connection_id\": 43");
        task(HARDWARE, 1, "trans_Cast_1", 2_000, 100, connection(41));
        task(HARDWARE, 1, "MatMul2", 2_100, 400, connection(42));
        task(HARDWARE, 1, "EVENT_WAIT", 2_500, 300, connection(-1));
        task(HARDWARE, 1, "MEMCPY_ASYNC", 3_300, 50, connection(-1));
        task(HARDWARE, 2, "NOTIFY_WAIT", 2_400, 200, connection(-1));
        task(HARDWARE, 2, "MEMCPY_ASYNC", 2_600, 600, connection(-1));
        task(HARDWARE, 5, "Other", 2_400, 800, connection(-1));
        task(
                HCCL,
                0,
                "hcom_allReduce__538_4_1",
                2_400,
                800,
                "\"connection_id\": 43, \"data_type\": \"FP32\", \"count\": 1000");
        task(HCCL, 1, "Notify_Wait", 2_400, 200, "");
        task(HCCL, 1, "Memcpy", 2_600, 600, "");
        task(SUMS, 0, "Computing", 2_000, 500, "");
        task(SUMS, 1, "Communication", 2_400, 800, "");
        arrow(1, 1_000, HARDWARE, 1, 2_000);
        arrow(2, 1_000, HARDWARE, 1, 2_100);
        arrow(3, 1_100, HCCL, 0, 2_400);
        trace = TestTraces.of(events);
    }

    private SliceKind kind(String name) {
        return trace.slices().kind(TestTraces.slice(trace, name));
    }

    @Test
    void theDeviceDidWhatTheProfilersOwnSumsSay() {
        DeviceActivity device = new DerivedCache(trace).get(new DeviceActivity.Key(KernelRules.standard(), null));
        Map<KernelClass, IntervalSet> busy = device.busyByClass(1, i -> 0).getFirst();
        IntervalSet computing = busy.get(KernelClass.COMPUTE);
        IntervalSet communication = busy.get(KernelClass.COMMUNICATION);
        assertThat(computing.total()).isEqualTo(500_000);
        assertThat(communication.total()).isEqualTo(800_000);
        assertThat(communication.minus(computing).total()).isEqualTo(700_000);
        assertThat(busy.get(KernelClass.MEMORY).total()).isEqualTo(50_000);
        assertThat(trace.counts().device()).isEqualTo(4);
        assertThat(device.devices()).containsExactly("3");
    }

    @Test
    void everyActivityOfTheDeviceIsCountedOnce() {
        EventText few = new EventText();
        few.raw("{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 3, \"args\": {\"name\": \"Ascend Hardware\"}}");
        few.raw("{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 4, \"args\": {\"name\": \"CANN\"}}");
        few.complete("kernel", "MatMul2", "3", "1", 1_000, 10, "");
        few.complete("kernel", "Node@launch", "4", "9", 1_000, 10, "");
        few.raw("{\"ph\": \"B\", \"name\": \"Cast\", \"pid\": 3, \"tid\": 1, \"ts\": 5}");
        few.raw("{\"ph\": \"E\", \"name\": \"Cast\", \"pid\": 3, \"tid\": 1, \"ts\": 6}");
        few.raw("{\"ph\": \"B\", \"name\": \"open\", \"pid\": 3, \"tid\": 1, \"ts\": 9}");
        assertThat(TestTraces.of(few).counts().device()).isEqualTo(2);
    }

    @Test
    void waitsPartsAndSumsDoNoWork() {
        assertThat(kind("EVENT_WAIT")).isEqualTo(SliceKind.DEVICE_SYNC);
        assertThat(kind("NOTIFY_WAIT")).isEqualTo(SliceKind.DEVICE_SYNC);
        assertThat(kind("Other")).isEqualTo(SliceKind.DEVICE_SYNC);
        assertThat(kind("Memcpy")).isEqualTo(SliceKind.DEVICE_PART);
        assertThat(kind("Computing")).isEqualTo(SliceKind.PROFILER_SPAN);
    }

    @Test
    void kernelsBelongToTheOperatorFromWhichTheArrowLeads() {
        DerivedCache cache = new DerivedCache(trace);
        LaunchLinks links = cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION));
        CallTree tree = cache.get(new CallTree.Key(Nesting.BY_TIME, false));
        for (String kernel : new String[] {"trans_Cast_1", "MatMul2"}) {
            int call = links.launchOf(TestTraces.slice(trace, kernel));
            assertThat(trace.name(call)).isEqualTo("Node@launch");
            assertThat(TestTraces.name(trace, tree.parent(call))).isEqualTo("MatMul");
        }
        int call = links.launchOf(TestTraces.slice(trace, "hcom_allReduce__538_4_1"));
        assertThat(TestTraces.name(trace, tree.parent(call))).isEqualTo("HcclAllreduce");
    }

    @Test
    void namesOfCollectivesSayGroupAndNumber() {
        CollectiveDetails details = trace.view(CollectiveDetails.KEY);
        assertThat(details).isNotNull();
        int row = details.of(TestTraces.slice(trace, "hcom_allReduce__538_4_1"));
        assertThat(trace.strings().get(details.groupName(row))).isEqualTo("538");
        assertThat(trace.strings().get(details.dtype(row))).isEqualTo("Float");
        assertThat(details.sequence(row)).isEqualTo(4);
        assertThat(details.inElements(row)).isEqualTo(1_000);
    }
}
