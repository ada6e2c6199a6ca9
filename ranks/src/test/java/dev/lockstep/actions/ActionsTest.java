// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.path.Dependencies;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.report.Answer;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is offered on invented programs, and what it gains, against sums over the times that they were made of. */
class ActionsTest {
    private static final long US = 1_000;
    private static final WorkRules RULES =
            WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("H200"));

    /** A program as its thread and its stream go through it. */
    private static final class Program {
        final EventText events = new EventText();
        long host;
        long device;
        long correlation;
        long stepBegan;
        int step;

        /** What the profiler takes for each event of the host. */
        long profiler;

        void begin() {
            stepBegan = host;
        }

        void end() {
            host += US;
            events.annotation("ProfilerStep#" + step++, stepBegan, host - stepBegan);
        }

        /** An operator that launches one kernel. */
        void op(String name, String args, long kernel) {
            op(name, args, kernel, "kernel_of_" + name.replace("::", "_"));
        }

        void op(String name, String args, long kernel, String kernelName) {
            correlation++;
            events.op(name, host, 10 * US + 2 * profiler, args);
            events.call("cudaLaunchKernel", host + 4 * US + profiler / 2, 4 * US + profiler, correlation);
            long start = Math.max(device + US, host + 10 * US + profiler);
            events.kernel(kernelName, start, kernel, correlation, 7);
            device = start + kernel;
            host += 11 * US + 2 * profiler;
        }

        /** A kernel on a stream of its own, that begins with the last one. */
        void beside(String kernel, long time) {
            correlation++;
            events.op("c10d::allreduce_", host, 10 * US);
            events.call("cudaLaunchKernel", host + 4 * US, 4 * US, correlation);
            events.kernel(kernel, Math.max(device - time, host + 9 * US), time, correlation, 20);
            host += 11 * US;
        }

        void host(String name, long time) {
            events.annotation(name, host, time + profiler);
            host += time + profiler + US;
        }

        /** A call that returns once the device is done, and then takes so long. */
        void waits(String call, long time) {
            correlation++;
            long end = Math.max(device, host) + time;
            events.call(call, host, end - host, correlation);
            host = end;
        }

        Map<String, Answer.Action> actions() {
            return answer().actions().stream().collect(Collectors.toMap(Answer.Action::id, Function.identity()));
        }

        /** What the recording takes less with an edit, in ns. */
        long gain(String edit) {
            Dependencies.Result result = new Dependencies(
                            RULES, null, new ReportOptions.Paths(null, List.of(edit)), new Actions(RULES))
                    .run(new DerivedCache(TestTraces.of(events)));
            Table table = result.tables().stream()
                    .filter(one -> one.name().equals("what_if"))
                    .findFirst()
                    .orElseThrow();
            int column = table.schema().indexOf("gain_us");
            return Math.round(table.shown(column, 0) * US);
        }

        Answer answer() {
            return answer(0);
        }

        Answer answer(long stepNs) {
            DerivedCache cache = new DerivedCache(TestTraces.of(events));
            Actions actions = new Actions(RULES);
            Dependencies.Result result =
                    new Dependencies(RULES, null, new ReportOptions.Paths(null, List.of(), stepNs), actions).run(cache);
            return Objects.requireNonNull(Answers.of(actions, result));
        }
    }

    private static String inputs(String dims, String types) {
        return "\"Input Dims\": [" + dims + "], \"Input type\": [" + types + "]";
    }

    private static double share(Answer.Action action) {
        return (double) action.gainNs() / action.ofNs();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void loadingThatTheDeviceWaitsForIsWhatLoadingAheadGains(long seed) {
        Random random = new Random(seed);
        Program program = new Program();
        long loading = 0;
        for (int step = 0; step < 4; step++) {
            program.begin();
            long load = (2_000 + random.nextInt(3_000)) * US;
            loading += load;
            program.host("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", load);
            program.op("aten::relu", inputs("[8, 8]", "\"float\""), 5_000 * US);
            program.waits("cudaStreamSynchronize", 5 * US);
            program.end();
        }
        Answer.Action action = program.actions().get("load_ahead");
        assertThat(action.gainNs()).isCloseTo(loading, within(loading / 50));
        assertThat(program.answer().verdict().text()).contains(" % of the ");
    }

    /** Steps of 20 launches and a batch that is loaded, of which the profiler takes so long for each event. */
    private static Program loadingAndLaunching(long profiler) {
        Program program = new Program();
        program.profiler = profiler;
        for (int step = 0; step < 4; step++) {
            program.begin();
            program.host("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 300 * US);
            for (int i = 0; i < 20; i++) {
                program.op("aten::relu", inputs("[8, 8]", "\"float\""), 3 * US);
            }
            program.waits("cudaStreamSynchronize", 5 * US);
            program.end();
        }
        return program;
    }

    /** With the time of a step given, a trace that the profiler slowed down says what the program without it does. */
    @ParameterizedTest
    @ValueSource(longs = {1_000, 3_000, 8_000})
    void gainsAreThoseOfAStepWithoutTheProfiler(long each) {
        Answer plain = loadingAndLaunching(0).answer();
        Program slowed = loadingAndLaunching(each);
        long step = plain.verdict().ofNs() / plain.steps();
        Answer answer = slowed.answer(step);
        assertThat(answer.verdict().ofNs()).isCloseTo(plain.verdict().ofNs(), within(step / 50));
        assertThat(answer.verdict().boundBy()).isEqualTo(plain.verdict().boundBy());
        assertThat(answer.verdict().share()).isCloseTo(plain.verdict().share(), within(0.03));
        assertThat(answer.verdict().text()).contains("In the trace, with the profiler, it takes ");
        Answer.Action expected = plain.actions().getFirst();
        Answer.Action action = answer.actions().getFirst();
        assertThat(action.id()).isEqualTo(expected.id());
        assertThat(action.gainNs()).isCloseTo(expected.gainNs(), within(expected.gainNs() / 30));
        // The profiler makes many launches look longer, and one long load of data hardly.
        assertThat(slowed.answer().actions().getFirst().gainNs()).isGreaterThan(action.gainNs() + each);
    }

    @Test
    void aStepCannotTakeWhatItsKernelsDoNotAllow() {
        Program program = loadingAndLaunching(0);
        long step = program.answer().verdict().ofNs() / 4;
        assertThatThrownBy(() -> program.answer(2 * step)).hasMessageContaining("in the trace a step takes");
        assertThatThrownBy(() -> program.answer(step / 10))
                .hasMessageContaining("however little each CPU event takes, a step still takes");
        Program unmarked = new Program();
        unmarked.op("aten::relu", inputs("[8, 8]", "\"float\""), 3 * US);
        assertThatThrownBy(() -> unmarked.answer(step)).hasMessageContaining("the trace has no steps");
    }

    @Test
    void loadingThatTheDeviceHidesGainsNothing() {
        Program program = new Program();
        for (int step = 0; step < 6; step++) {
            program.begin();
            program.op("aten::relu", inputs("[8, 8]", "\"float\""), 9_000 * US);
            program.host("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 3_000 * US);
            program.end();
        }
        assertThat(program.actions()).doesNotContainKey("load_ahead");
    }

    @Test
    void aLoaderWithWorkersIsNotAdvisedToHaveSome() {
        Program program = new Program();
        for (int step = 0; step < 4; step++) {
            program.begin();
            program.host("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 4_000 * US);
            program.op("aten::relu", inputs("[8, 8]", "\"float\""), 1_000 * US);
            program.waits("cudaStreamSynchronize", 5 * US);
            program.end();
        }
        assertThat(program.actions()).doesNotContainKey("load_ahead");
        assertThat(program.answer().verdict().boundBy()).isEqualTo("input-bound");
    }

    private static Program allocating(int steadySteps) {
        Program program = new Program();
        for (int step = 0; step < 4; step++) {
            program.begin();
            program.op("aten::relu", inputs("[8, 8]", "\"float\""), 2_000 * US);
            for (int i = 0; i < 10 && step < steadySteps; i++) {
                program.waits("cudaFree", 300 * US);
            }
            program.end();
        }
        return program;
    }

    @Test
    void memoryThatEveryStepGivesBackIsKept() {
        Answer.Action action = allocating(4).actions().get("keep_memory");
        // 4 x 10 calls of 300 us; the kernels of the steps behind then begin sooner by as much, but for their own 2 ms.
        assertThat(action.gainNs()).isCloseTo(4 * 3_000 * US, within(200 * US));
        assertThat(action.evidence()).isNotEmpty();
    }

    @Test
    void memoryThatTheFirstStepAloneAsksForIsNoAdvice() {
        assertThat(allocating(1).actions()).doesNotContainKey("keep_memory");
    }

    private static final String SCORES = "[64, 512, 512]";

    /** Attention by single operators, of which each reads and writes 64 x 512 x 512 scores. */
    private static Program attention(String softmax, String between) {
        Program program = new Program();
        for (int step = 0; step < 3; step++) {
            program.begin();
            for (int layer = 0; layer < 4; layer++) {
                program.op(
                        "aten::bmm",
                        inputs("[64, 512, 64], [64, 64, 512]", "\"c10::BFloat16\", \"c10::BFloat16\""),
                        300 * US);
                program.op("aten::mul", inputs(SCORES + ", []", "\"c10::BFloat16\", \"double\""), 400 * US);
                program.op(softmax, inputs(between + ", []", "\"c10::BFloat16\", \"Scalar\""), 500 * US);
                program.op(
                        "aten::bmm",
                        inputs(SCORES + ", [64, 512, 64]", "\"c10::BFloat16\", \"c10::BFloat16\""),
                        300 * US);
                program.op(
                        "aten::mm",
                        inputs("[512, 512], [512, 512]", "\"c10::BFloat16\", \"c10::BFloat16\""),
                        1_000 * US);
            }
            program.end();
        }
        return program;
    }

    @Test
    void attentionOfSingleOperatorsIsFused() {
        Answer.Action action = attention("aten::_softmax", SCORES).actions().get("fused_attention");
        // Four kernels of 1.5 ms become one of 4 * 64 * 512 * 512 * 64 operations at 35 % of 989.4 TFLOP/s.
        long fused = Math.round(4.0 * 64 * 512 * 512 * 64 / 989.4e12 / 0.35 * 1e9);
        long gain = 12 * (1_500 * US - fused);
        assertThat(action.gainNs()).isCloseTo(gain, within(gain / 50));
        assertThat(action.lowNs()).isLessThan(action.gainNs());
        assertThat(action.highNs()).isGreaterThan(action.gainNs());
        assertThat(action.snippet()).contains("scaled_dot_product_attention");
    }

    @Test
    void softmaxOfOtherThingsIsNoAttention() {
        assertThat(attention("aten::_log_softmax", SCORES).actions()).doesNotContainKey("fused_attention");
        assertThat(attention("aten::_softmax", "[64, 512, 100]").actions()).doesNotContainKey("fused_attention");
    }

    private static Program chain(int length, String dims) {
        Program program = new Program();
        for (int step = 0; step < 3; step++) {
            program.begin();
            for (int i = 0; i < length; i++) {
                String args = inputs(dims + ", []", "\"float\", \"double\"");
                program.op("aten::mul", args, 100 * US);
            }
            program.op("aten::mm", inputs("[512, 512], [512, 512]", "\"float\", \"float\""), 2_000 * US);
            program.end();
        }
        return program;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 9})
    void pointwiseOperatorsInARowBecomeOneKernel(int length) {
        Answer.Action action = chain(length, "[4096, 4096]").actions().get("fuse_pointwise");
        // Each reads and writes one tensor, as the fused one does.
        long gain = 3 * (length - 1) * 101 * US;
        assertThat(action.gainNs()).isCloseTo(gain, within(gain / 20));
    }

    @Test
    void twoPointwiseOperatorsAndSmallOnesStay() {
        assertThat(chain(2, "[4096, 4096]").actions()).doesNotContainKey("fuse_pointwise");
        assertThat(chain(9, "[64, 64]").actions()).doesNotContainKey("fuse_pointwise");
    }

    private static Program products(String kernel, String type) {
        Program program = new Program();
        for (int step = 0; step < 3; step++) {
            program.begin();
            for (int i = 0; i < 4; i++) {
                program.op(
                        "aten::addmm",
                        inputs(
                                "[4096], [4096, 4096], [4096, 4096], [], []",
                                "\"" + type + "\", \"" + type + "\", \"" + type + "\", \"Scalar\", \"Scalar\""),
                        2_800 * US,
                        kernel);
                program.op("aten::relu", inputs("[8, 8]", "\"float\""), 500 * US);
            }
            program.end();
        }
        return program;
    }

    @Test
    void productsInFloatTakeLessTimeInTf32() {
        Answer.Action action =
                products("ampere_sgemm_128x64_nn", "float").actions().get("lower_precision");
        // 2 * 4096^3 operations at 60 % of 494.7 TFLOP/s.
        long after = Math.round(2.0 * 4096 * 4096 * 4096 / 494.7e12 / 0.6 * 1e9);
        long gain = 12 * (2_800 * US - after);
        assertThat(action.gainNs()).isCloseTo(gain, within(gain / 50));
        assertThat(action.lowNs()).isLessThan(action.gainNs());
        assertThat(action.highNs()).isGreaterThan(action.gainNs());
        assertThat(action.snippet()).contains("set_float32_matmul_precision");
    }

    @Test
    void productsInTf32TakeLessTimeInBfloat16AndThoseStay() {
        String tf32 = "sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16";
        assertThat(products(tf32, "float").actions().get("lower_precision").snippet())
                .contains("bfloat16");
        assertThat(products("nvjet_tst_128x256_64x4_2x1_v_bz_coopA_NNT", "c10::BFloat16")
                        .actions())
                .doesNotContainKey("lower_precision");
    }

    /** Loading, a call of the driver and a wait, each in every step, all of which the device waits for. */
    private static Program editable() {
        Program program = new Program();
        for (int step = 0; step < 4; step++) {
            program.begin();
            program.host("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 2_000 * US);
            program.host("my_range", 700 * US);
            program.waits("cudaFree", 1_000 * US);
            program.op("aten::relu", inputs("[8, 8]", "\"float\""), 3_000 * US);
            program.waits("cudaStreamSynchronize", 5 * US);
            program.end();
        }
        return program;
    }

    @ParameterizedTest
    @CsvSource({
        "action:load_ahead, 8000",
        "range:my_range=x0, 2800",
        "range:my_*=x0.5, 1400",
        "range:nothing=x0, 0",
        "call:cudaFree=x0, 4000",
        "call:cudaFree=x0.25, 3000"
    })
    void anEditGainsTheTimeThatItTakesOff(String edit, long us) {
        assertThat(editable().gain(edit)).isCloseTo(us * US, within(60 * US));
    }

    @Test
    void anActionGainsTheSameAsItsEdit() {
        Program program = editable();
        program.actions()
                .forEach((id, action) ->
                        assertThat(program.gain("action:" + id)).as(id).isEqualTo(action.gainNs()));
    }

    @Test
    void withoutAWaitTheHostRunsAhead() {
        // The host of a step then loads while the device still computes: the shorter of the two is hidden.
        long hidden = 3 * 3_000 * US;
        assertThat(editable().gain("sync:cudaStreamSynchronize=0")).isBetween(hidden / 2, hidden + 4 * 5 * US);
        assertThat(editable().gain("sync:nothing=0")).isZero();
    }

    /** What {@code .item()} and its kin do: within operators, a copy of a few bytes to the host, and a wait for it. */
    private static void reads(Program program, String... operators) {
        program.correlation++;
        long begin = program.host;
        program.events.call("cudaMemcpyAsync", program.host + 2 * US, 4 * US, program.correlation);
        long start = Math.max(program.device + US, program.host + 8 * US);
        program.events.device("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", start, US, program.correlation, 7, "");
        program.device = start + US;
        program.correlation++;
        long wait = program.host + 7 * US;
        program.host = program.device + 2 * US;
        program.events.call("cudaStreamSynchronize", wait, program.host - wait, program.correlation);
        for (int i = 0; i < operators.length; i++) {
            program.events.op(operators[i], begin + i, program.host + US - 2 * i - begin, "\"Fwd thread id\": 0");
        }
        program.host += 2 * US;
    }

    /** Layers of a kernel that the host could be far ahead of; behind each the host reads a value and then works for so long. */
    private static Program reading(int layers, long kernel, long host, String... operators) {
        Program program = new Program();
        for (int step = 0; step < 4; step++) {
            program.begin();
            for (int layer = 0; layer < layers; layer++) {
                long began = program.host;
                program.op("aten::mm", inputs("[512, 512], [512, 512]", "\"float\", \"float\""), kernel);
                reads(program, operators);
                program.host("optimizer_bookkeeping", host);
                program.events.python("model.py(88): forward", began - 1, program.host - began + 1);
            }
            program.end();
        }
        return program;
    }

    @ParameterizedTest
    @CsvSource({
        "6, aten::item aten::_local_scalar_dense, Avoid 6 .item() calls a step",
        "1, aten::item aten::_local_scalar_dense, Avoid .item() in each step",
        "3, aten::to aten::_to_copy aten::copy_, Avoid 3 .cpu() calls a step",
        "3, aten::index aten::nonzero, Avoid 3 nonzero() calls a step",
    })
    void waitsInEachLayerAreNamedWithTheirPlaceAndWhatFollowsThemIsGained(int layers, String operators, String text) {
        long kernel = 300 * US;
        long host = 80 * US;
        Answer.Action action =
                reading(layers, kernel, host, operators.split(" ")).actions().get("no_sync");
        assertThat(action.text()).isEqualTo(text);
        assertThat(action.snippet()).isEqualTo("in model.py(88): forward");
        // What the host does behind each wait, and its next launch, hides behind the kernel before; the last wait ends
        // the trace.
        long each = host + 20 * US;
        assertThat(action.gainNs()).isBetween((4L * layers - 1) * host, 4L * layers * each);
    }

    @Test
    void waitsThatTheProgramAsksForAreWaits() {
        Program program = new Program();
        for (int step = 0; step < 4; step++) {
            program.begin();
            for (int i = 0; i < 2; i++) {
                program.op("aten::mm", inputs("[512, 512], [512, 512]", "\"float\", \"float\""), 400 * US);
                program.waits("cudaDeviceSynchronize", 3 * US);
                program.host("bookkeeping", 100 * US);
            }
            program.end();
        }
        Answer.Action action = program.actions().get("no_sync");
        assertThat(action.text()).isEqualTo("Avoid 2 cudaDeviceSynchronize calls a step");
        assertThat(action.gainNs()).isBetween(7 * 100 * US, 8 * 125 * US);
    }

    @Test
    void waitsThatDelayNothingAreNoAdvice() {
        assertThat(reading(3, 20 * US, 4_000 * US, "aten::item").actions()).doesNotContainKey("no_sync");
    }

    /** A step of kernels of 2 us that the host launches one by one, every 12 us. */
    private static Program launching(String calls, boolean alike, boolean reads) {
        Program program = new Program();
        for (int step = 0; step < 4; step++) {
            program.begin();
            for (int i = 0; i < 40 + (alike ? 0 : step); i++) {
                program.op("aten::relu", inputs("[8, 8]", "\"float\""), 2 * US);
                program.host += US;
            }
            if (reads) {
                program.waits(calls, 5 * US);
            }
            program.end();
        }
        return program;
    }

    @Test
    void launchesOfAStepBecomeOne() {
        Answer.Action action =
                launching("cudaStreamSynchronize", true, true).actions().get("cuda_graphs");
        // What is left of a step: 40 kernels with a gap of 1 us each, the launch of the first, the wait.
        long step = 40 * 12 * US + 5 * US;
        long left = 40 * 3 * US + 20 * US;
        assertThat(action.gainNs()).isBetween(4 * (step - left) * 9 / 10, 4 * step * 9 / 10);
        assertThat(action.snippet()).contains("reduce-overhead");
    }

    @Test
    void stepsThatDifferOrAreGraphsAlreadyAreNotCaptured() {
        assertThat(launching("cudaStreamSynchronize", false, true).actions()).doesNotContainKey("cuda_graphs");
        assertThat(launching("cudaGraphLaunch", true, true).actions()).doesNotContainKey("cuda_graphs");
    }

    @Test
    void loadingStaysOutsideOfAGraph() {
        Program program = new Program();
        for (int step = 0; step < 4; step++) {
            program.begin();
            program.host("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 500 * US);
            for (int i = 0; i < 40; i++) {
                program.op("aten::relu", inputs("[8, 8]", "\"float\""), 2 * US);
            }
            program.waits("cudaStreamSynchronize", 5 * US);
            program.end();
        }
        Answer.Action action = program.actions().get("cuda_graphs");
        assertThat(action.gainNs()).isLessThan(4 * 40 * 11 * US);
    }

    @Test
    void whatGainsLittleIsNotOfferedAndGainsDoNotAddUp() {
        Program program = new Program();
        for (int step = 0; step < 4; step++) {
            program.begin();
            program.host("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 2_000 * US);
            program.op("aten::relu", inputs("[8, 8]", "\"float\""), 3_000 * US);
            program.waits("cudaFree", 1_000 * US);
            program.end();
        }
        Answer answer = program.answer();
        assertThat(answer.actions())
                .allSatisfy(action -> assertThat(share(action)).isGreaterThanOrEqualTo(0.01));
        assertThat(answer.actions()).isSortedAccordingTo((a, b) -> Long.compare(b.gainNs(), a.gainNs()));
        assertThat(answer.togetherNs())
                .isGreaterThanOrEqualTo(answer.actions().getFirst().gainNs())
                .isLessThanOrEqualTo(answer.actions().stream()
                        .mapToLong(Answer.Action::gainNs)
                        .sum());
    }

    /** A program without a step, whose GPU works for a short while somewhere in a long recording. */
    private static Program inference(long before, long behind) {
        Program program = new Program();
        program.op("aten::copy_", inputs("[8, 8]", "\"float\""), 10 * US);
        program.host("load_model", before);
        for (int i = 0; i < 20; i++) {
            program.op("aten::mm", inputs("[512, 512], [512, 512]", "\"float\", \"float\""), 300 * US);
        }
        program.waits("cudaDeviceSynchronize", 10 * US);
        program.host("unload_model", behind);
        return program;
    }

    @ParameterizedTest
    @CsvSource({
        "400, 10, Start-up, 'passes before the GPU works steadily, most of it in load_model'",
        "10, 400, Idle end, 'follows the last GPU work, most of it in unload_model'",
        "100, 100, Start-up, most of it in",
        "1, 1, Compute-bound, is kernels",
    })
    void aRecordingOfAStartIsSaidToBeOne(long beforeMs, long behindMs, String word, String words) {
        Answer.Verdict verdict =
                inference(beforeMs * 1_000 * US, behindMs * 1_000 * US).answer().verdict();
        assertThat(verdict.text()).startsWith(word).contains(words);
    }

    @Test
    void whatLimitsKernelsIsSaidOnlyWhereItIsKnown() {
        Program known = new Program();
        Program unknown = new Program();
        for (int i = 0; i < 20; i++) {
            known.op("aten::mm", inputs("[4096, 4096], [4096, 4096]", "\"float\", \"float\""), 3_000 * US);
            unknown.op("aten::mm", "\"Fwd thread id\": 0", 3_000 * US);
        }
        assertThat(known.answer().verdict().text())
                .startsWith("Compute-bound: ")
                .contains("most limited by compute");
        assertThat(unknown.answer().verdict())
                .satisfies(verdict -> assertThat(verdict.boundBy()).isEqualTo("kernel-bound"))
                .satisfies(verdict -> assertThat(verdict.text())
                        .contains("What limits them is unknown: none has a roofline.")
                        .doesNotContain("No single known change"));
    }

    /** A step of 20 launches of 10 us each on the host, whose kernels take 1 us. */
    @Test
    void aVerdictAboutTheHostSaysWhatIsLeftWithoutIt() {
        Program program = new Program();
        for (int step = 0; step < 5; step++) {
            program.begin();
            for (int i = 0; i < 19; i++) {
                program.op("aten::relu", inputs("[8, 8]", "\"float\""), US);
            }
            program.end();
        }
        Answer.Verdict verdict = program.answer().verdict();
        assertThat(verdict.text()).startsWith("Launch-bound: ");
        assertThat(verdict.text()).containsPattern("Without that, the step would take at least [0-9.]+ µs\\.");
    }

    /** Host and device take equally long, and kernels overlap collectives. */
    @Test
    void whatRunsBesideKernelsDoesNotTakeTheirPlaceInTheVerdict() {
        Program program = new Program();
        for (int step = 0; step < 3; step++) {
            program.begin();
            for (int i = 0; i < 100; i++) {
                program.op("aten::mm", inputs("[4096, 4096], [4096, 4096]", "\"float\", \"float\""), 20 * US);
                program.beside("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20 * US);
            }
            program.op("aten::mm", inputs("[4096, 4096], [4096, 4096]", "\"float\", \"float\""), 100 * US);
            program.end();
        }
        Answer.Verdict verdict = program.answer().verdict();
        assertThat(verdict.boundBy()).isEqualTo("compute-bound");
        assertThat(verdict.share()).isGreaterThan(0.8);
    }

    /** What the program does outside of marked steps is no part of them: starting and stopping the profiler, say. */
    @Test
    void whatLiesOutsideOfStepsIsNoPartOfThem() {
        Program program = new Program();
        program.host("start_trace", 90_000 * US);
        for (int step = 0; step < 3; step++) {
            program.begin();
            program.op("aten::mm", inputs("[4096, 4096], [4096, 4096]", "\"float\", \"float\""), 5_000 * US);
            program.waits("cudaDeviceSynchronize", 10 * US);
            program.end();
        }
        program.host("stop_trace", 90_000 * US);
        Answer.Verdict verdict = program.answer().verdict();
        assertThat(verdict.boundBy()).isEqualTo("compute-bound");
        assertThat(verdict.ofNs()).isBetween(15_000 * US, 15_200 * US);
        assertThat(verdict.share()).isGreaterThan(0.9);
    }
}
