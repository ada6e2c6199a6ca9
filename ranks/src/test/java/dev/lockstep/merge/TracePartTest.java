// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import dev.lockstep.merge.MergeFilter.Condition;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TracePartTest {
    /** Two layers, of which the second has an operator inside an operator; each launches a kernel that runs later. */
    private static Trace trace() {
        EventText events = new EventText();
        events.op("first", 1_000, 1_000).call("cudaLaunchKernel", 1_200, 100, 1);
        events.kernel("gemm", 5_000, 500, 1, 7);
        events.op("second", 3_000, 1_500).op("inner", 3_200, 800).call("cudaLaunchKernel", 3_300, 100, 2);
        events.kernel("add", 6_000, 500, 2, 7);
        events.raw(memory("3.4", 512)).raw(memory("1.3", 256));
        return TestTraces.of(events);
    }

    private static String memory(String ts, int bytes) {
        return "{\"ph\": \"i\", \"s\": \"t\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 1,"
                + " \"tid\": 1, \"ts\": " + ts + ", \"args\": {\"Addr\": " + bytes + ", \"Bytes\": " + bytes
                + ", \"Device Type\": 1, \"Device Id\": 0, \"Total Allocated\": 1024, \"Total Reserved\": 4096}}";
    }

    private static Trace part(Trace trace, String... filters) {
        List<Condition> conditions = new ArrayList<>();
        for (String filter : filters) {
            boolean drop = filter.startsWith("!");
            conditions.add(MergeFilter.parse(drop ? filter.substring(1) : filter, !drop));
        }
        return TracePart.of(trace, new MergeFilter(conditions, false));
    }

    private static List<String> names(Trace trace) {
        return IntStream.range(0, trace.slices().size()).mapToObj(trace::name).toList();
    }

    @Test
    void whatRunsInsideStaysWithWhatItLaunches() {
        Trace whole = trace();

        Trace part = part(whole, "under=second");

        assertThat(names(part)).containsExactly("second", "inner", "cudaLaunchKernel", "add");
        DeviceDetails device = part.view(DeviceDetails.KEY);
        assertThat(device).isNotNull();
        assertThat(device.stream(device.of(3))).isEqualTo(7);
        MemoryDetails memory = part.view(MemoryDetails.KEY);
        assertThat(memory).isNotNull();
        assertThat(memory.size()).isEqualTo(1);
        assertThat(memory.bytes(0)).isEqualTo(512);
        assertThat(names(part(whole, "!under=second"))).containsExactly("first", "cudaLaunchKernel", "gemm");
    }

    @Test
    void conditionsOfSeveralKindsMustAllHold() {
        assertThat(names(part(trace(), "under=second", "cat=kernel"))).containsExactly("add");
        assertThat(names(part(trace(), "under=first", "under=inner", "cat=cpu_op")))
                .containsExactly("first", "inner");
        assertThat(names(part(trace(), "time=1.5us..2.5us"))).containsExactly("second", "inner", "cudaLaunchKernel");
    }

    @Test
    void aPartSaysWhichItIsAndTheWholeStaysAsItIs() {
        Trace whole = trace();

        assertThat(part(whole)).isSameAs(whole);
        assertThat(part(whole, "under=inner").info().metadata().get(TraceInfo.PART))
                .isEqualTo("\"under=inner (3 of 7 slices)\"");
        assertThat(whole.info().metadata()).doesNotContainKey(TraceInfo.PART);
    }

    @Test
    void aPartWithNothingInItIsRefused() {
        assertThatThrownBy(() -> part(trace(), "name=conv*"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("nothing passes name=conv*");
    }
}
