// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceLensDiffTest {
    @TempDir
    Path folder;

    private static TraceLensDiff diff(EventText one, EventText two) {
        return diff(TestTraces.of(one), TestTraces.of(two), false);
    }

    private static TraceLensDiff diff(Trace one, Trace two, boolean python) {
        return TraceLensDiff.of(new DerivedCache(one), new DerivedCache(two), python);
    }

    private String file(TraceLensDiff diff, String name) throws IOException {
        diff.writeFiles(folder);
        return Files.readString(folder.resolve(name));
    }

    private static List<String> rows(Table table, String... headers) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            List<String> cells = new ArrayList<>();
            for (String header : headers) {
                cells.add(new CellText(table, table.schema().indexOf(header), CellStyle.PYTHON).at(row));
            }
            rows.add(String.join(" ", cells));
        }
        return rows;
    }

    /** An operator, a call and a kernel. */
    private static EventText small(String call, String kernel, long duration) {
        return new EventText()
                .op("aten::mm", 0, 50_000)
                .call(call, 10_000, 1_000, 1)
                .arrow(1, 10_000, 20_000, 7)
                .kernel(kernel, 20_000, duration, 1, 7);
    }

    @Test
    void callsOfTwoVendorsAreNodesOfOneTraceEach() throws IOException {
        TraceLensDiff diff = diff(small("hipLaunchKernel", "a", 5_000), small("cudaLaunchKernel", "b", 6_000));
        assertThat(file(diff, "merged_tree_output.txt")).isEqualTo("""
                        └── aten::mm
                            ├── >> trace1: hipLaunchKernel
                            │   └── >> trace1: a
                            └── << trace2: cudaLaunchKernel
                                └── << trace2: b
                        """);
        assertThat(rows(
                        diff.stats(),
                        "source",
                        "name",
                        "cpu_op_name",
                        "cpu_op_uid",
                        "kernel_time",
                        "busy_time",
                        "lowest_common_ancestor_name",
                        "lowest_common_ancestor_id",
                        "gpu_op_uid",
                        "nn_module_stack"))
                .containsExactly(
                        "trace1 a aten::mm 0 5.0 5.0 aten::mm 0 4 root",
                        "trace2 b aten::mm 0 6.0 6.0 aten::mm 0 4 root");
    }

    @Test
    void kernelsBelowTheSameCallAreOneNode() throws IOException {
        TraceLensDiff diff = diff(small("cudaLaunchKernel", "a", 5_000), small("cudaLaunchKernel", "b", 6_000));
        assertThat(file(diff, "merged_tree_output.txt")).isEqualTo("""
                        └── aten::mm
                            └── cudaLaunchKernel
                                └── combined: a | b
                        """);
        assertThat(rows(diff.stats(), "source", "lowest_common_ancestor_name", "lowest_common_ancestor_id"))
                .containsExactly("trace1 a | b 2", "trace2 a | b 2");
    }

    @Test
    void theTwoCallsThatLaunchModulesAreOne() throws IOException {
        TraceLensDiff diff = diff(small("hipModuleLaunchKernel", "a", 5_000), small("cuLaunchKernel", "a", 5_000));
        assertThat(file(diff, "merged_tree_output.txt")).contains("combined: hipModuleLaunchKernel | cuLaunchKernel\n");
    }

    @Test
    void identicalTracesAreShownOnce() throws IOException {
        TraceLensDiff diff = diff(small("cudaLaunchKernel", "a", 5_000), small("cudaLaunchKernel", "a", 5_000));
        assertThat(diff.stats().schema().indexOf("source")).isEqualTo(-1);
        assertThat(diff.stats().rows()).isEqualTo(1);
        assertThat(file(diff, "cpu_op_map.json").replaceAll("\\s", ""))
                .isEqualTo("{\"aten::mm\":{\"kernels\":[\"a\"],\"nn_module_parents\":[\"root\"]}}");
    }

    @Test
    void rootsArePairedByPlaceAndOthersHaveNoSharedNode() throws IOException {
        EventText two = small("cudaLaunchKernel", "a", 5_000)
                .op("aten::add", 100_000, 50_000)
                .launch("add", 110_000, 120_000, 2_000, 2, 7);
        TraceLensDiff diff = diff(small("cudaLaunchKernel", "a", 5_000), two);
        assertThat(file(diff, "merged_tree_output.txt")).contains("└── << trace2: aten::add\n");
        assertThat(rows(diff.stats(), "source", "name", "lowest_common_ancestor_id"))
                .containsExactly("trace1 a 2.0", "trace2 a 2.0", "trace2 add ");
    }

    @Test
    void operatorsOfOtherNamesGetACommonOne() throws IOException {
        EventText one = new EventText()
                .op("aten::_convolution", 0, 90_000)
                .op("aten::miopen_convolution", 1_000, 80_000)
                .call("hipLaunchKernel", 10_000, 1_000, 1)
                .arrow(1, 10_000, 20_000, 7)
                .kernel("m", 20_000, 1_000, 1, 7);
        EventText two = new EventText()
                .op("aten::_convolution", 0, 90_000)
                .op("aten::my_miopen_convolution", 1_000, 80_000)
                .launch("c", 10_000, 20_000, 1_000, 1, 7);
        TraceLensDiff diff = diff(one, two);
        assertThat(file(diff, "cpu_op_map_trace2.json")).contains("aten::my_miopen_convolution");
        assertThat(file(diff, "cpu_op_map.json")).startsWith("{\n  \"miopen_convolution\": {\n    \"trace1\": {\n");
    }

    @Test
    void framesOfPythonTakePartWhenTheyShall() throws IOException {
        EventText one =
                new EventText().python("nn.Module: Linear_0", 0, 500_000).python("a/net.py(3): go", 1, 400_000);
        EventText two =
                new EventText().python("nn.Module: Linear_0", 0, 500_000).python("a/net.py(9): go", 1, 400_000);
        for (EventText events : List.of(one, two)) {
            events.op("aten::mm", 10_000, 50_000)
                    .launch("k", 20_000, 30_000, 1_000, 1, 7)
                    .op("aten::add", 100_000, 50_000)
                    .launch("k", 110_000, 130_000, 1_000, 2, 7);
        }
        TraceLensDiff diff = diff(TestTraces.of(one), TestTraces.of(two), true);
        assertThat(file(diff, "merged_tree_output.txt")).contains("── combined: a/net.py(3): go | a/net.py(9): go\n");
        assertThat(rows(diff.stats(), "nn_module_stack", "nn_module_parent"))
                .containsOnly("nn.Module: Linear nn.Module: Linear");
    }

    @Test
    void groupsOfActivitiesAreComparedBelowTheirSharedNodes() {
        Trace one = TestTraces.of(small("hipLaunchKernel", "a", 5_000));
        Trace two = TestTraces.of(small("cudaLaunchKernel", "b", 6_000));
        dev.lockstep.table.IntList activities = new dev.lockstep.table.IntList(1);
        activities.add(TestTraces.slice(one, "a"));
        LaunchComparison.Shared shared = diff(one, two, false).comparison().of(activities);
        assertThat(shared).isEqualTo(new LaunchComparison.Shared(List.of("0"), List.of("aten::mm"), 1, 5_000, 6_000));
        assertThat(shared.ratio()).isEqualTo(1.2);
    }

    @Test
    void deepTreesNeedNoDeepStack() throws IOException {
        EventText events = new EventText();
        int depth = 20_000;
        for (int i = 0; i < depth; i++) {
            events.op("op" + i, i * 10L, 1_000_000 - i * 20L);
        }
        events.launch("k", 300_000, 2_000_000, 1_000, 1, 7).launch("l", 305_000, 2_100_000, 1_000, 2, 7);
        Trace trace = TestTraces.of(events);
        assertThat(diff(trace, trace, false).stats().rows()).isEqualTo(2);
    }
}
