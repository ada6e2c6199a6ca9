// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.options.Device;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CopySummaryTest {
    private static String device(String category, String name, int ts, int dur, int correlation, String more) {
        return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name + "\", \"pid\": 0, \"tid\": "
                + correlation
                + ", \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {\"device\": 0, \"stream\": " + correlation
                + ", \"correlation\": " + correlation + more + "}}";
    }

    private static String host(String category, String name, int ts, int dur, int correlation) {
        return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name
                + "\", \"pid\": 9, \"tid\": 9, \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {\"correlation\": "
                + correlation + "}}";
    }

    /** A pageable copy of 100 µs of which a kernel hides 40, one of 50 µs whose bytes are not known, one within the device. */
    @Test
    void copiesAreSummedByWayAndOperator() {
        String events = String.join(
                ",",
                host("cpu_op", "aten::to", 0, 30, 0),
                host("cuda_runtime", "cudaMemcpyAsync", 5, 20, 1),
                host("cuda_runtime", "cudaMemcpyAsync", 40, 3, 3),
                device("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 100, 100, 1, ", \"bytes\": 1000000"),
                device("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 300, 50, 2, ""),
                device("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 400, 10, 3, ", \"bytes\": 16750000"),
                device("kernel", "gemm", 160, 100, 4, ""));

        CopySummary.Result result = new CopySummary(AnalysisRules.standard(), Device.named("H100"))
                .run(new DerivedCache(TestTraces.of(events)));

        assertThat(result.rows()).hasSize(3);
        CopySummary.Row first = result.rows().getFirst();
        assertThat(first)
                .isEqualTo(new CopySummary.Row(
                        new CopySummary.Key("0", new CopyWay("HtoD", "pageable"), "aten::to"),
                        1,
                        1_000_000,
                        100_000,
                        100_000,
                        60_000,
                        new CopySummary.Calls(20_000, 20_000)));
        assertThat(first.bandwidth()).isCloseTo(1e10, within(1.0));
        assertThat(result.peak(first.key().way())).isEqualTo(64e9);
        CopySummary.Row unknown = result.rows().get(1);
        assertThat(unknown.key().operator()).isEqualTo("(no known launch)");
        assertThat(unknown.bandwidth()).isNaN();
        assertThat(unknown.exposedNs()).isEqualTo(50_000);
        CopySummary.Row inside = result.rows().get(2);
        assertThat(inside.bandwidth()).isCloseTo(result.peak(inside.key().way()), within(1.0));
        assertThat(inside.key().way().hostMemory()).isNull();
    }

    /** The call of 200 µs begins beside a kernel that runs for 50 of them; the copies of a graph have one call. */
    @Test
    void callsCountOnceAndAreToldFromThoseWhileTheDeviceWorks() {
        String copy = "Memcpy HtoD (Pageable -> Device)";
        String events = String.join(
                ",",
                host("cuda_runtime", "cudaMemcpyAsync", 50, 200, 1),
                device("kernel", "gemm", 0, 100, 4, ""),
                device("gpu_memcpy", copy, 210, 10, 1, ""),
                device("gpu_memcpy", copy, 220, 10, 1, ""));

        CopySummary.Row row = new CopySummary(AnalysisRules.standard(), null)
                .run(new DerivedCache(TestTraces.of(events)))
                .rows()
                .getFirst();

        assertThat(row.calls()).isEqualTo(new CopySummary.Calls(200_000, 130_000));
        assertThat(row.copies()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "Memcpy HtoD (Pinned -> Device), HtoD, pinned",
        "[R2] Memcpy DtoH (Device -> Pageable), DtoH, pageable",
        "Memcpy (HtoD), HtoD,",
        "CopyDeviceToHost, DtoH,",
        "MEMORY_COPY_HOST_TO_DEVICE, HtoD,",
        "Memcpy PtoP (Device -> Device), PtoP,",
        "memcpy128, unknown,"
    })
    void namesTellTheWay(String name, String direction, String memory) {
        assertThat(CopyWay.of(name)).isEqualTo(new CopyWay(direction, memory));
    }

    @ParameterizedTest
    @EnumSource(Vendor.class)
    void rowsAreAllCopies(Vendor vendor) throws IOException {
        Trace trace = TestTraces.read(SyntheticRun.bytes(
                TraceRecipe.standard().withVendor(vendor).withRanks(2).withLayers(1), 0));
        List<CopySummary.Row> rows = new CopySummary(AnalysisRules.standard(), null)
                .run(new DerivedCache(trace))
                .rows();
        int copies = 0;
        long time = 0;
        for (int i = 0; i < trace.slices().size(); i++) {
            if (trace.slices().kind(i) == SliceKind.MEMCPY) {
                copies++;
                time += trace.slices().dur(i);
            }
        }

        assertThat(rows.stream().mapToInt(CopySummary.Row::copies).sum()).isEqualTo(copies);
        assertThat(rows.stream().mapToLong(CopySummary.Row::ns).sum()).isEqualTo(time);
        assertThat(rows).allMatch(row -> row.exposedNs() <= row.ns() && row.exposedNs() >= 0);
    }
}
