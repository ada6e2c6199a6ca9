// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.StepDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.model.XlaDetails;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import dev.lockstep.read.perfetto.PerfettoReader;
import dev.lockstep.read.torch.TorchTraceReader;
import dev.lockstep.testkit.Message;
import dev.lockstep.testkit.TraceDump;
import dev.lockstep.testkit.TraceReaderContract;
import dev.lockstep.testkit.XlaRecording;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class XPlaneReaderTest extends TraceReaderContract {
    private static final String GPU = "/device:GPU:";
    private static final String TPU = "/device:TPU:0";
    private static final String CPU = "/host:CPU";
    private static final long NS = 1000;

    @Override
    protected TraceReader reader() {
        return new XPlaneReader();
    }

    @Override
    protected List<Sample> samples() {
        return List.of(
                new Sample("one device", random(1, 1).xplane(), new int[0]),
                new Sample("two devices", random(2, 2).xplane(), new int[0]),
                new Sample("tpu", tpu().xplane(), new int[0]));
    }

    @Override
    protected List<byte[]> strangers() {
        return List.of(
                "hello".getBytes(UTF_8),
                new Message()
                        .message(1, new Message().number(8, 1).text(2, "/host:CPU"))
                        .toBytes(),
                new Message().message(1, new Message().text(2, "CPU")).toBytes());
    }

    @Test
    void isNoPerfettoTraceAndTheOtherWayRound() {
        byte[] perfetto = new Message()
                .message(1, new Message().number(8, 1).number(10, 1))
                .message(1, new Message().message(2, new Message().text(1, "/host:CPU")))
                .toBytes();
        assertThat(new PerfettoReader().recognises(perfetto)).isTrue();
        assertThat(reader().recognises(perfetto)).isFalse();
    }

    /** Kernels, copies and fills on streams, calls and frames on threads, steps and allocations; all times are whole ns. */
    static XlaRecording random(long seed, int devices) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        XlaRecording recording = new XlaRecording();
        recording.plane(
                0,
                "Task Environment",
                Map.of(
                        "profile_start_time",
                        1_795_794_577_743_341_371L,
                        "profile_stop_time",
                        1_795_794_578_743_341_371L));
        for (int device = 0; device < devices; device++) {
            String plane = GPU + device;
            recording.plane(device, plane, Map.of("device_vendor", "Nvidia", "gpu_device_name", "NVIDIA H200"));
            recording.line(plane, 7, "Stream #7(Compute,Memset)", 1000);
            recording.line(plane, 14, "Stream #14(MemcpyH2D)", 0);
            recording.line(plane, 900, "XLA Ops", 0);
        }
        recording.plane(0, CPU, Map.of());
        recording.line(CPU, -2079581737980452450L, "python3", 500);
        recording.line(CPU, 809, "Host Threads/809", 500);
        long at = 2_000_000;
        for (int i = 1; i < 40; i++) {
            String plane = GPU + random.nextInt(devices);
            long call = at + random.nextLong(1000) * NS;
            long start = call + (2000 + random.nextLong(3000)) * NS;
            long lasts = (1 + random.nextLong(5000)) * NS;
            String name = i % 3 == 0 ? "ncclDevKernel_AllReduce_Sum_bf16" : "loop_fusion_" + i % 5;
            Map<String, Object> launch = Map.of(
                    "correlation_id",
                    (long) i,
                    "kernel_details",
                    "regs:32 static_shared:16 dynamic_shared:8 grid:" + i + ",1,1 block:128,1,1 occ_pct:50",
                    "hlo_op",
                    "fusion." + i % 5,
                    "hlo_module",
                    "jit_step");
            Map<String, Object> copy = Map.of(
                    "correlation_id",
                    (long) i,
                    "memcpy_details",
                    "kind_src:pageable kind_dst:device size:4096 dest:0 async:1");
            switch (i % 7) {
                case 5 -> recording.event(plane, 14, "MemcpyH2D", start, lasts, copy);
                case 6 ->
                    recording.event(plane, 7, "Memset 32b", start, lasts, Map.of("Memset_details", "size:64 async:1"));
                default -> recording.event(plane, 7, name, start, lasts, launch);
            }
            recording.event(plane, 900, "fusion.9", start, lasts, Map.of());
            recording.event(CPU, 809, "cudaLaunchKernel", call, 700 * NS, Map.of("correlation_id", (long) i));
            at = start + lasts + 1000 * NS;
        }
        for (long step = 0; step < 3; step++) {
            long from = 1_000_000 + step * (at / 3 / NS * NS);
            recording.event(
                    CPU,
                    -2079581737980452450L,
                    "train",
                    from,
                    at / 3 / NS * NS - 1000,
                    Map.of("step_num", step, "_r", 1L));
        }
        recording.event(CPU, -2079581737980452450L, "$model.py:7 forward", 1_500_000, 200 * NS, Map.of());
        recording.event(
                CPU,
                809,
                "MemoryAllocation",
                1_600_000,
                0,
                Map.of(
                        "allocator_name",
                        "GPU_0_bfc",
                        "allocation_bytes",
                        512L,
                        "addr",
                        4096L,
                        "bytes_allocated",
                        1024L));
        return recording;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void bothFormatsOfOneRecordingSayTheSame(int devices) throws IOException {
        for (long seed = 0; seed < 10; seed++) {
            XlaRecording recording = random(seed, devices);
            List<Trace> planes = read(recording.xplane(), 1);
            List<Trace> json = json(recording);
            assertThat(planes).hasSameSizeAs(json);
            for (int i = 0; i < planes.size(); i++) {
                assertThat(said(planes.get(i))).isEqualTo(said(json.get(i)));
                assertThat(planes.get(i).counts().device())
                        .isEqualTo(json.get(i).counts().device());
            }
        }
    }

    private static List<Trace> json(XlaRecording recording) throws IOException {
        PrefixedSource content =
                new PrefixedSource(recording.json().getBytes(UTF_8), new StreamSource(InputStream.nullInputStream()));
        return new TorchTraceReader()
                .read(TraceInput.of(Path.of("")), content, new Diagnostics(), ReadOptions.sequential());
    }

    private static List<String> said(Trace trace) {
        return TraceDump.slices(trace).stream()
                .map(line -> line.replaceAll(" #[0-9]+( |$)", "$1"))
                .sorted()
                .toList();
    }

    @Test
    void streamsAreWorkAndWhatRepeatsTheirTimeIsNot() throws IOException {
        Trace trace = read(random(1, 1).xplane(), 1).getFirst();
        long activity = 0;
        for (int i = 0; i < trace.slices().size(); i++) {
            activity += trace.slices().kind(i).isDeviceActivity() ? 1 : 0;
        }
        assertThat(activity).isEqualTo(39).isEqualTo(trace.counts().device());
        DeviceDetails device = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        assertThat(device.size()).isEqualTo(39);
        assertThat(device.stream(0)).isIn(7L, 14L);
        XlaDetails xla = Objects.requireNonNull(trace.view(XlaDetails.KEY));
        assertThat(trace.strings().get(xla.module(0))).isEqualTo("jit_step");
        assertThat(trace.info().originNs()).isEqualTo(1_795_794_577_743_341_371L);
        assertThat(trace.info().devices().getFirst().name()).isEqualTo("NVIDIA H200");
        MemoryDetails memory = Objects.requireNonNull(trace.view(MemoryDetails.KEY));
        assertThat(memory.bytes(0)).isEqualTo(512);
    }

    @Test
    void everyDeviceIsARankWithTheStepsOfTheHostAndItsOwnLaunches() throws IOException {
        List<Trace> ranks = read(random(3, 4).xplane(), 1);
        assertThat(ranks).hasSize(4);
        for (Trace rank : ranks) {
            StepDetails steps = Objects.requireNonNull(rank.view(StepDetails.KEY));
            assertThat(steps.size()).isEqualTo(3);
            long calls = 0;
            long linked = 0;
            for (int i = 0; i < rank.slices().size(); i++) {
                calls += rank.slices().kind(i) == SliceKind.RUNTIME_CALL ? 1 : 0;
                linked += rank.slices().kind(i).isDeviceActivity()
                                && rank.slices().correlation(i) > 0
                        ? 1
                        : 0;
            }
            assertThat(calls).isGreaterThanOrEqualTo(linked);
        }
    }

    /** Picoseconds become whole nanoseconds; what touches does not overlap, and what lies inside stays inside. */
    @Test
    void roundingMakesNoOverlap() throws IOException {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(5);
        XlaRecording recording = new XlaRecording().plane(0, TPU, Map.of()).line(TPU, 3, "XLA Ops", 17);
        long at = 17_000;
        for (int i = 0; i < 500; i++) {
            long lasts = 1 + random.nextLong(3000);
            recording.event(TPU, 3, "fusion." + i, at, lasts, Map.of());
            at += lasts;
        }
        Trace trace = read(recording.xplane(), 1).getFirst();
        long end = 0;
        for (int i = 0; i < trace.slices().size(); i++) {
            if (trace.slices().dur(i) > 0) {
                assertThat(trace.slices().ts(i)).isGreaterThanOrEqualTo(end);
                end = trace.slices().end(i);
            }
        }
        assertThat(end).isLessThanOrEqualTo((at + 500) / 1000);
    }

    private static XlaRecording tpu() {
        return new XlaRecording()
                .plane(0, TPU, Map.of("device_type_string", "TPU v5"))
                .line(TPU, 1, "Steps", 0)
                .line(TPU, 2, "XLA Modules", 0)
                .line(TPU, 3, "XLA Ops", 0)
                .line(TPU, 4, "Async XLA Ops", 0)
                .event(TPU, 1, "7", 0, 100_000, Map.of())
                .event(TPU, 2, "jit_step(1)", 0, 100_000, Map.of())
                .event(TPU, 3, "while.1", 1_500, 90_000, Map.of())
                .event(TPU, 3, "fusion.2", 2_000, 30_000, Map.of("hlo_category", "convolution fusion", "flops", 12L))
                .event(TPU, 3, "all-reduce.3", 40_000, 50_000, Map.of("hlo_category", "all-reduce"))
                .event(TPU, 4, "copy-start.1", 3_000, 60_000, Map.of())
                .plane(0, CPU, Map.of())
                .line(CPU, 5, "python", 0)
                .event(CPU, 5, "train", 0, 200_000, Map.of("step_num", 7L));
    }

    @Test
    void onATpuTheInnermostOperationsAreWork() throws IOException {
        Trace trace = read(tpu().xplane(), 1).getFirst();
        assertThat(kind(trace, "while.1")).isEqualTo(SliceKind.DEVICE_ANNOTATION);
        assertThat(kind(trace, "jit_step(1)")).isEqualTo(SliceKind.DEVICE_ANNOTATION);
        assertThat(kind(trace, "fusion.2")).isEqualTo(SliceKind.KERNEL);
        assertThat(kind(trace, "copy-start.1")).isEqualTo(SliceKind.MEMCPY);
        assertThat(trace.counts().device()).isEqualTo(3);
    }

    private static SliceKind kind(Trace trace, String name) {
        for (int i = 0; i < trace.slices().size(); i++) {
            if (trace.name(i).equals(name)) {
                return trace.slices().kind(i);
            }
        }
        throw new AssertionError(name);
    }

    // ---- compiled programs ----

    private static Message shape(int element, long... dimensions) {
        Message layout = new Message();
        Message shape = new Message().number(2, element);
        for (int i = 0; i < dimensions.length; i++) {
            shape.number(3, dimensions[i]);
            layout.number(1, dimensions.length - 1 - i);
        }
        return shape.message(5, layout);
    }

    private static Message instruction(long id, String name, String opcode, Message shape, long... operands) {
        Message all =
                new Message().text(1, name).text(2, opcode).message(3, shape).number(35, id);
        for (long operand : operands) {
            all.number(36, operand);
        }
        return all;
    }

    /** Two groups of two of four devices, listed or counted through with the axes exchanged. */
    private static Message groups(boolean counted) {
        if (counted) {
            return new Message()
                    .message(
                            2,
                            new Message()
                                    .number(1, 2)
                                    .number(2, 2)
                                    .number(3, 2)
                                    .number(3, 2)
                                    .number(4, 1)
                                    .number(4, 0));
        }
        return new Message()
                .message(1, new Message().number(1, 0).number(1, 2))
                .message(1, new Message().number(1, 1).number(1, 3));
    }

    private static XlaRecording withProgram(boolean counted) {
        Message computation = new Message()
                .text(1, "main")
                .message(2, instruction(1, "p0", "parameter", shape(16, 8, 128)))
                .message(2, instruction(2, "p1", "parameter", shape(16, 128, 64)))
                .message(
                        2,
                        instruction(3, "gemm.1", "custom-call", shape(11, 8, 64), 1, 2)
                                .text(28, "__cublas$gemm")
                                .message(
                                        7,
                                        new Message()
                                                .text(2, "jit(f)/dot_general")
                                                .text(3, "m.py")
                                                .number(4, 77)))
                .message(
                        2,
                        instruction(4, "all-reduce-start.2", "all-reduce-start", shape(16, 8, 128), 1)
                                .message(87, groups(counted)));
        XlaRecording recording = new XlaRecording()
                .program(
                        "jit_f",
                        15,
                        new Message().message(1, new Message().text(1, "jit_f").message(3, computation)));
        for (int device = 0; device < 4; device++) {
            String plane = GPU + device;
            recording.plane(device, plane, Map.of()).line(plane, 7, "Stream #7", 0);
            Map<String, Object> of = Map.of("hlo_module", "jit_f", "program_id", 15L);
            Map<String, Object> gemm = new HashMap<>(of);
            gemm.put("hlo_op", "gemm.1");
            Map<String, Object> reduce = new HashMap<>(of);
            reduce.put("hlo_op", "all-reduce-start.2");
            recording.event(plane, 7, "nvjet_kernel", 1000 * NS, 50 * NS, gemm);
            recording.event(plane, 7, "ncclDevKernel_AllReduce_Sum_bf16", 2000 * NS, 50 * NS, reduce);
        }
        return recording;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void programsSayWhatTheirInstructionsWorkOn(boolean counted) throws IOException {
        List<Trace> ranks = read(withProgram(counted).xplane(), 1);
        assertThat(ranks).hasSize(4);
        for (int i = 0; i < ranks.size(); i++) {
            Trace rank = ranks.get(i);
            XlaDetails xla = Objects.requireNonNull(rank.view(XlaDetails.KEY));
            assertThat(rank.strings().get(xla.operands(0))).isEqualTo("[\"bf16[8,128]{1,0}\",\"bf16[128,64]{1,0}\"]");
            assertThat(rank.strings().get(xla.shape(0))).isEqualTo("f32[8,64]{1,0}");
            assertThat(rank.strings().get(xla.target(0))).isEqualTo("__cublas$gemm");
            assertThat(rank.strings().get(xla.operator(0))).isEqualTo("jit(f)/dot_general");
            assertThat(rank.strings().get(xla.source(0))).isEqualTo("m.py:77");
            CollectiveDetails collective = Objects.requireNonNull(rank.view(CollectiveDetails.KEY));
            assertThat(collective.size()).isEqualTo(1);
            assertThat(rank.strings().get(collective.collective(0))).isEqualTo("all_reduce");
            assertThat(rank.strings().get(collective.dtype(0))).isEqualTo("BFloat16");
            assertThat(collective.inElements(0)).isEqualTo(1024);
            assertThat(rank.strings().get(collective.groupRanks(0))).isEqualTo(i % 2 == 0 ? "[0, 2]" : "[1, 3]");
        }
    }
}
