// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.replay.reconcile.ReportText;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Golden case of {@code kernels extract}: two steps, in each a product of 30 and 50 us on stream 7, and in the first an
 * all-reduce of 100 us on stream 9.
 */
class KernelsTest {
    private static final String SHAPES = "\"Input Dims\": [[8, 64]], \"Input type\": [\"float\"]";

    @TempDir
    Path folder;

    private static EventText events() {
        return new EventText()
                .annotation("ProfilerStep#1", 0, 200_000)
                .op("aten::mm", 1_000, 9_000, SHAPES)
                .launch("gemm", 2_000, 10_000, 30_000, 1, 7)
                .op("c10d::allreduce_", 15_000, 9_000)
                .launch("ncclDevKernel_AllReduce", 16_000, 50_000, 100_000, 2, 9)
                .annotation("ProfilerStep#2", 300_000, 200_000)
                .op("aten::mm", 301_000, 9_000, SHAPES)
                .launch("gemm", 302_000, 310_000, 50_000, 3, 7);
    }

    private static Kernels kernels() {
        return Kernels.of(TestTraces.of(events()), null, Selection.standard());
    }

    @Test
    void theSheetHoldsEachKernelOnce() throws IOException {
        assertThat(ReportText.sheet(kernels().report("trace.json"), "unique_kernels", folder))
                .isEqualTo("""
                    kernel,name,category,class,tier,op,shapes,types,grid,block,shared memory,bytes,calls,calls per forward,\
                    calls per step,calls per step min,calls per step max,time us,time %,mean us,min us,\
                    p10 us,median us,p90 us,max us,std us,devices,streams
                    1,ncclDevKernel_AllReduce,communication,communication,3,c10d::allreduce_,,,,,,,1,0.5,0.5,0,1,100,\
                    55.55555555555556,100,100,100,100,100,100,,1,1
                    2,gemm,gemm,compute,2,aten::mm,"[[8, 64]]","[""float""]",,,,,2,1,1,1,1,80,44.44444444444444,40,30,30,40,\
                    50,50,14.14213562373095,1,1
                    """);
    }

    @Test
    void kindsShareTheTime() throws IOException {
        assertThat(ReportText.sheet(kernels().report("trace.json"), "kernel_categories", folder))
                .isEqualTo("""
                    category,unique kernels,calls,calls %,calls per forward,time us,time %
                    communication,1,1,33.333333333333336,0.5,100,55.55555555555556
                    gemm,1,2,66.66666666666667,1,80,44.44444444444444
                    """);
    }

    @Test
    void factsCountCallsAndTime() {
        assertThat(ReportText.facts(kernels().report("trace.json"))).isEqualTo("""
            unique kernels: 2 (by the key below)
            calls: 3 (kernels, copies and fills that were kept)
            time: 0.180 ms (sum of all durations)
            key: name, grid, block, shared memory, op, shapes, \
            types (what tells kernels apart; of copies and fills also the bytes)
            seen: 3 (what the input holds)
            forwards: 2 (passes of the model, told from annotations)
            """);
    }

    @Test
    void findingsTellPassesAndWhatDiffers() {
        assertThat(ReportText.findings(kernels().report("trace.json"))).isEqualTo("""
            NOTICE steps_differ: 1 of 2 unique kernels do not run equally often in every step, so no step stands for all.
            INFO kernels_once: 1 of 2 unique kernels ran a single time.
            """);
    }

    @Test
    void launchesNameTheirKernelAndStep() throws IOException {
        kernels().writeLaunches(folder);
        assertThat(Files.readString(folder.resolve("kernel_launches.csv"))).isEqualTo("""
            kernel,device,stream,start_us,dur_us,step,correlation
            2,0,7,10,30,1,1
            1,0,9,50,100,1,2
            2,0,7,310,50,2,3
            """);
    }

    @Test
    void countsAreByDevice() throws IOException {
        kernels().write(List.of("trace.json"), folder);
        assertThat(Files.readString(folder.resolve("kernel_counts.csv"))).isEqualTo("""
            device,category,kernel_name,count
            0,communication,ncclDevKernel_AllReduce,1
            0,compute,gemm,2
            """);
    }

    @Test
    void aLineHoldsAKernelWithItsTimes() throws IOException {
        kernels().write(List.of("trace.json"), folder);
        assertThat(Files.readString(folder.resolve("unique_kernels.jsonl"))).isEqualTo("""
            {"kernel":1,"name":"ncclDevKernel_AllReduce","device":"0","signature":{"name":"ncclDevKernel_AllReduce",\
            "op":"c10d::allreduce_"},"count":1,"category":"communication","tier":3,"time_us":{"sum":100,"min":100,\
            "p10":100,"median":100.0,"p90":100,"max":100}}
            {"kernel":2,"name":"gemm","device":"0","signature":{"name":"gemm","op":"aten::mm","shapes":[[8, 64]],\
            "types":["float"]},"count":2,"category":"gemm","tier":2,"time_us":{"sum":80,"min":30,"p10":30,\
            "median":40.0,"p90":50,"max":50}}
            """);
    }

    @Test
    void listsOfAChartAreInOrderOfStart() throws IOException {
        GanttLanes lanes = GanttLanes.of(TestTraces.of(events()), Set.of());
        GanttChart.of(List.of(new GanttChart.Rank(0, "trace.json", lanes, 0))).writeLists(folder);
        assertThat(Files.readString(folder.resolve("kernels_rank0_gpu0.csv"))).isEqualTo("""
            name,start_ms,dur_ms,device,stream,category
            gemm,0,0.03,0,7,compute
            ncclDevKernel_AllReduce,0.04,0.1,0,9,communication
            gemm,0.3,0.05,0,7,compute
            """);
    }
}
