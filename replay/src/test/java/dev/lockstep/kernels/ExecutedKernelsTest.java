// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static dev.lockstep.testkit.NodeText.tensor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.kernels.UniqueKernel.Place;
import dev.lockstep.kernels.UniqueKernel.StepCalls;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.kernels.UniqueKernels.Totals;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.replay.plan.ExecutedWork.Counts;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.NodeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutedKernelsTest {
    private static final String MM_TYPES = "\"Tensor(float)\", \"Tensor(float)\"";

    @TempDir
    Path folder;

    private ExecutionTrace trace(NodeText nodes) throws IOException {
        Path file = Files.writeString(folder.resolve("et.json"), nodes.toString());
        Diagnostics odd = new Diagnostics();
        ExecutionTrace trace = ExecutionTraceReader.read(TraceInput.of(file), odd);
        assertThat(odd.problems()).isEmpty();
        return trace;
    }

    private Result run(NodeText nodes, Selection selection) throws IOException {
        return ExecutedKernels.of(trace(nodes), selection).result();
    }

    private static Selection by(String fields, Set<String> devices, List<String> exclude) {
        return new Selection(
                KeyField.parse(List.of(fields.split(","))), devices, exclude, null, 0, KernelCategories.operators());
    }

    private static Selection standard() {
        return by("grid,block,op,shapes,types", Set.of(), List.of());
    }

    private static NodeText mm(NodeText nodes, int id, int parent, int rows) {
        return nodes.op(
                id,
                parent,
                "aten::mm",
                tensor(id, rows * 8, "cuda:0") + ", " + tensor(99, 64, "cuda:0"),
                "[%d, 8], [8, 8]".formatted(rows),
                MM_TYPES);
    }

    /** linear does two products through a container; a copy from the host, a fill and a view stand by themselves. */
    private static NodeText old() {
        NodeText nodes = new NodeText("1.0.1")
                .node(1, 1, "[pytorch|profiler|execution_graph|process]")
                .node(2, 1, "[pytorch|profiler|execution_graph|thread]")
                .node(3, 2, "forward");
        mm(nodes, 4, 3, 4);
        mm(nodes, 5, 3, 2);
        mm(nodes, 6, 3, 4);
        return nodes.op(
                        7,
                        2,
                        "aten::copy_",
                        tensor(20, 32, "cuda:0") + ", " + tensor(21, 32, "cpu") + ", false",
                        "[4, 8], [4, 8], []",
                        MM_TYPES + ", \"Bool\"")
                .op(8, 2, "aten::fill_", tensor(22, 6, "cpu") + ", 0", "[2, 3], []", "\"Tensor(float)\", \"Int\"")
                .op(
                        9,
                        2,
                        "aten::view",
                        tensor(20, 32, "cuda:0") + ", [32]",
                        "[4, 8], [[]]",
                        "\"Tensor(float)\", \"GenericList[Int]\"")
                .node(10, 2, "Optimizer.step#SGD.step");
    }

    @Test
    void operatorsThatWorkAreListedByShapesAndTypes() throws IOException {
        Result result = run(old(), standard());

        assertThat(result.kernels())
                .extracting(
                        k -> k.identity().name(), k -> k.identity().operator().shapes(), UniqueKernel::calls)
                .containsExactly(
                        tuple("aten::mm", "[[4, 8], [8, 8]]", 2L),
                        tuple("aten::copy_", "[[4, 8], [4, 8], []]", 1L),
                        tuple("aten::fill_", "[[2, 3], []]", 1L),
                        tuple("aten::mm", "[[2, 8], [8, 8]]", 1L),
                        tuple("aten::view", "[[4, 8], []]", 1L));
        assertThat(result.kernels())
                .extracting(
                        UniqueKernel::category,
                        UniqueKernel::tier,
                        UniqueKernel::use,
                        k -> k.identity().launch().bytes())
                .containsExactly(
                        tuple("gemm", Tier.MATRIX, KernelClass.COMPUTE, -1L),
                        tuple("memcpy", Tier.RUNTIME, KernelClass.MEMORY, 128L),
                        tuple("memset", Tier.RUNTIME, KernelClass.MEMORY, 24L),
                        tuple("gemm", Tier.MATRIX, KernelClass.COMPUTE, -1L),
                        tuple("bookkeeping", Tier.FRAMEWORK, KernelClass.OTHER, -1L));
        assertThat(result.kernels().getFirst().identity().operator().types()).isEqualTo("[\"float\", \"float\"]");
        assertThat(result.kernels()).allMatch(k -> k.durations() == null);
        assertThat(result.key()).containsExactly(KeyField.SHAPES, KeyField.TYPES);
        assertThat(result.content())
                .isEqualTo(new Content(new Content.Executed("1.0.1", new Counts(6, 0, 3, 1), false), null));
    }

    @Test
    void aDeviceIsWhereTensorsAreAndAnAcceleratorBeforeTheHost() throws IOException {
        assertThat(run(old(), standard()).kernels().get(1).places()).containsExactly(new Place("cuda:0", "", 1, -1));

        Result onDevice = run(old(), by("shapes", Set.of("0"), List.of("VIEW")));
        assertThat(onDevice.totals()).isEqualTo(new Totals(6, 4, 1, 1));
        assertThat(run(old(), by("shapes", Set.of("cpu"), List.of())).kernels())
                .extracting(k -> k.identity().name())
                .containsExactly("aten::fill_");
    }

    @Test
    void shapesCanBeLeftOutOfTheKey() throws IOException {
        assertThat(run(old(), by("types", Set.of(), List.of())).kernels().getFirst())
                .extracting(k -> k.identity().operator().shapes(), UniqueKernel::calls)
                .containsExactly(null, 3L);
    }

    @Test
    void tablesHoldNoColumnsThatDoNotApply() throws IOException {
        Table unique = run(old(), standard()).tables().getFirst();

        assertThat(unique.schema().columns())
                .extracting(c -> c.header())
                .containsExactly(
                        "kernel", "name", "category", "class", "tier", "shapes", "types", "bytes", "calls", "devices");
        assertThat(run(old(), standard()).tables()).extracting(Table::name).doesNotContain("kernel_durations");
    }

    /** Two steps of three and one products; what another thread does meanwhile belongs to them, what follows does not. */
    private static NodeText steps() {
        NodeText nodes = new NodeText("1.1.1-chakra.0.0.4").node(1, 0, "thread").node(2, 1, "ProfilerStep#7");
        mm(nodes, 3, 2, 4);
        nodes.node(
                4,
                0,
                "aten::mm",
                2,
                tensor(1, 32, "cuda:0") + ", " + tensor(2, 64, "cuda:0"),
                "[4, 8], [8, 8]",
                MM_TYPES,
                "",
                "");
        mm(nodes, 5, 2, 4);
        nodes.node(6, 1, "ProfilerStep#8");
        mm(nodes, 7, 6, 4);
        return mm(nodes, 8, 1, 4);
    }

    @Test
    void callsAreCountedByStep() throws IOException {
        Result result = run(steps(), standard());

        assertThat(result.kernels().getFirst())
                .extracting(UniqueKernel::calls, UniqueKernel::steps)
                .containsExactly(5L, new StepCalls(2, 1, 3));
        assertThat(result.forwards()).isEqualTo(new ForwardPasses(2, ForwardPasses.Source.ANNOTATION, Double.NaN));
    }

    @Test
    void callsStandInTheirOrder() throws IOException {
        Path file = folder.resolve("launches.csv");
        ExecutedKernels.of(trace(steps()), standard()).writeLaunches(file);

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "kernel,device,step,thread,node",
                        "1,cuda:0,7,1,3",
                        "1,cuda:0,7,2,4",
                        "1,cuda:0,7,1,5",
                        "1,cuda:0,8,1,7",
                        "1,cuda:0,,1,8");
    }

    @Test
    void annotationsOfTheUserMarkStepsToo() throws IOException {
        NodeText nodes = new NodeText("1.1.1-chakra.0.0.4").node(1, 0, "thread").node(2, 1, "decode");
        mm(nodes, 3, 2, 4);
        mm(nodes, 4, 1, 4);
        nodes.node(5, 1, "decode");
        mm(nodes, 6, 5, 4);
        Selection decode =
                new Selection(KeyField.standard(), Set.of(), List.of(), "decode", 0, KernelCategories.operators());

        assertThat(run(nodes, decode).kernels().getFirst().steps()).isEqualTo(new StepCalls(1, 1, 1));
    }

    @Test
    void compiledKernelsHaveTheirOwnNames() throws IOException {
        String compiled = ", {\"name\": \"kernel_backend\", \"type\": \"string\", \"value\": \"triton\"},"
                + " {\"name\": \"kernel_file\", \"type\": \"string\", \"value\": \"%s\"}";
        String values = tensor(1, 32, "cuda:0") + ", 32";
        NodeText nodes = new NodeText("1.1.1-chakra.0.0.4")
                .node(1, 0, "Torch-Compiled Region: 0/0")
                .node(
                        2,
                        1,
                        "triton_poi_fused_add_0",
                        1,
                        values,
                        "[32], []",
                        "\"Tensor(float)\", \"Int\"",
                        "",
                        compiled.formatted("a.py"))
                .node(
                        3,
                        1,
                        "triton_",
                        1,
                        values,
                        "[32], []",
                        "\"Tensor(float)\", \"Int\"",
                        "",
                        compiled.formatted("b.py"))
                .node(4, 1, "triton_", 1, "", "", "", "", compiled.formatted("c.py"));

        assertThat(run(nodes, standard()).kernels())
                .extracting(k -> k.identity().name(), UniqueKernel::category, UniqueKernel::tier)
                .containsExactly(
                        tuple("triton_ (b.py)", "generated", Tier.FRAMEWORK),
                        tuple("triton_ (c.py)", "generated", Tier.FRAMEWORK),
                        tuple("triton_poi_fused_add_0", "generated", Tier.FRAMEWORK));
    }

    @Test
    void countsOfFewOperatorsTellOfNoPasses() throws IOException {
        NodeText nodes = new NodeText("1.0.1").node(1, 1, "process");
        int id = 2;
        for (String name : List.of("a", "b", "c", "d", "e", "f", "g")) {
            for (int i = 0; i < (name.compareTo("d") < 0 ? 5 : 1); i++) {
                nodes.node(id++, 1, "aten::" + name);
            }
        }
        assertThat(run(nodes, standard()).forwards()).isNull();
        assertThat(run(nodes, new Selection(Set.of(), Set.of(), List.of(), null, 3))
                        .forwards())
                .isEqualTo(new ForwardPasses(3, ForwardPasses.Source.GIVEN, Double.NaN));
    }

    private static NodeText linked() {
        NodeText nodes = new NodeText("1.0.3-chakra.0.0.4").node(1, 0, "thread").node(2, 1, "ProfilerStep#1");
        mm(nodes, 3, 2, 4);
        nodes.linked(4, 3, "sgemm", "kernel", "10.5", 7).linked(5, 3, "splitK", "kernel", "2", 7);
        mm(nodes, 6, 2, 2);
        nodes.linked(7, 6, "sgemm", "kernel", "3", 7);
        mm(nodes, 8, 2, 4);
        return nodes.linked(9, 8, "sgemm", "kernel", "9.5", 8)
                .op(10, 2, "aten::view", tensor(1, 32, "cuda:0"), "[4, 8]", "\"Tensor(float)\"")
                .linked(11, 77, "Memcpy HtoD (Pageable -> Device)", "gpu_memcpy", "1", 7);
    }

    @Test
    void aLinkedTraceHoldsKernelsWithTimes() throws IOException {
        Result result = run(linked(), Selection.standard());

        assertThat(result.content().isOperators()).isFalse();
        assertThat(result.totals().seen()).isEqualTo(5);
        assertThat(result.kernels())
                .extracting(
                        k -> k.identity().name(),
                        k -> k.identity().operator().name(),
                        k -> k.identity().operator().shapes(),
                        k -> k.durations().sum())
                .containsExactly(
                        tuple("sgemm", "aten::mm", "[[4, 8], [8, 8]]", 20_000L),
                        tuple("sgemm", "aten::mm", "[[2, 8], [8, 8]]", 3_000L),
                        tuple("splitK", "aten::mm", "[[4, 8], [8, 8]]", 2_000L),
                        tuple("Memcpy HtoD (Pageable -> Device)", null, null, 1_000L));
        assertThat(result.kernels().getFirst().places())
                .containsExactly(new Place("cuda:0", "7", 1, 10_500), new Place("cuda:0", "8", 1, 9_500));
        assertThat(result.kernels().getFirst().steps()).isEqualTo(new StepCalls(2, 2, 2));
        assertThat(result.kernels().getLast().use()).isEqualTo(KernelClass.MEMORY);
        assertThat(result.histogram().counts()).startsWith(0, 1, 2, 0, 2);
    }

    @Test
    void launchesOfALinkedTraceHaveTimes() throws IOException {
        Path file = folder.resolve("launches.csv");
        ExecutedKernels.of(trace(linked()), Selection.standard()).writeLaunches(file);

        assertThat(Files.readAllLines(file))
                .startsWith(
                        "kernel,device,stream,launch_us,dur_us,step,thread,node",
                        "1,cuda:0,7,400,10.5,1,1,3",
                        "3,cuda:0,7,500,2,1,1,3")
                .endsWith("4,,7,1100,1,,,");
    }

    @Test
    void theOrderOfNodesInTheFileLeavesNoMark() throws IOException {
        Result result = run(old(), standard());
        String text = old().toString();
        int first = text.indexOf("{\"id\": 4");
        int second = text.indexOf("{\"id\": 5");
        int third = text.indexOf("{\"id\": 6");
        String moved = text.substring(0, first)
                + text.substring(second, third)
                + text.substring(first, second)
                + text.substring(third);
        Path file = Files.writeString(folder.resolve("moved.json"), moved);

        assertThat(ExecutedKernels.of(ExecutionTraceReader.read(TraceInput.of(file), new Diagnostics()), standard())
                        .result())
                .isEqualTo(result);
    }
}
