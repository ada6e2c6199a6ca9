// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.lockstep.error.UserException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepPlanTest {
    private static final TrainerConfig CONFIG = new TrainerConfig(Path.of("c.yaml"), "abc", -1, true);

    @Test
    void channelsChangeFasterThanThreads() {
        SweepPlan plan = plan(recipe(Pipeline.SWEEP), sweep("256,512", "28,42"));

        assertThat(plan.runs())
                .extracting(run -> run.directory().toString())
                .containsExactly(
                        "out/256thread/nccl_28channels",
                        "out/256thread/nccl_42channels",
                        "out/512thread/nccl_28channels",
                        "out/512thread/nccl_42channels");
    }

    @Test
    void theSweepSetsWhatItsLauncherSet() {
        RunPlan run = plan(recipe(Pipeline.SWEEP), sweep("256", "28")).runs().getFirst();

        assertThat(run.environment())
                .containsExactly(
                        entry("RCCL_THREADS_PER_BLOCK", "256"),
                        entry("NCCL_MAX_NCHANNELS", "28"),
                        entry("HSA_ENABLE_SDMA", "0"),
                        entry("PYTORCH_ROCM_PROFILER_ENABLE_TRACING", "1"));
    }

    @Test
    void aConfigurationSetsWhatItsLauncherSet() {
        RunPlan run = plan(recipe(Pipeline.CONFIG), List.of(new WarpSpeed(56, 256)))
                .runs()
                .getFirst();

        assertThat(run.environment())
                .containsExactly(
                        entry("RCCL_WARP_SPEED_ENABLE", "1"),
                        entry("RCCL_UNROLL_FACTOR", "1"),
                        entry("RCCL_WARP_SPEED_CU_COUNT", "56"),
                        entry("RCCL_THREADS_PER_BLOCK", "256"),
                        entry("HSA_ENABLE_SDMA", "0"),
                        entry("PYTORCH_ROCM_PROFILER_ENABLE_TRACING", "1"));
    }

    @Test
    void theLatestVariantForbidsCoreDumpsAndNeverSerializesBySilence() {
        Recipe recipe =
                recipe(Pipeline.CONFIG, Variant.LATEST, Launcher.TORCHRUN, List.of(), List.of(), Map.of(), false);
        RunPlan run = plan(recipe, List.of(new WarpSpeed(56, 256))).runs().getFirst();

        assertThat(run.environment())
                .containsEntry("PYTORCH_ROCM_PROFILER_ENABLE_TRACING", "0")
                .containsEntry("NCCL_TIMEOUT", "60")
                .containsEntry("HSA_ENABLE_COREDUMP", "0")
                .doesNotContainKeys("AMD_SERIALIZE_KERNEL", "HIP_LAUNCH_BLOCKING");
        assertThat(run.command()).startsWith("sh", "-c", "ulimit -c 0; exec \"$@\"", "sh", "torchrun");
    }

    @Test
    void kernelsAreSerializedOnlyOnRequest() {
        Recipe recipe =
                recipe(Pipeline.CONFIG, Variant.DOCUMENTED, Launcher.TORCHRUN, List.of(), List.of(), Map.of(), true);

        assertThat(plan(recipe, List.of(new WarpSpeed(1, 1))).runs().getFirst().environment())
                .containsEntry("AMD_SERIALIZE_KERNEL", "3")
                .containsEntry("HIP_LAUNCH_BLOCKING", "1");
    }

    @Test
    void whatTheUserSetsWins() {
        Recipe recipe = recipe(
                Pipeline.SWEEP,
                Variant.DOCUMENTED,
                Launcher.TORCHRUN,
                List.of(),
                List.of(),
                Map.of("HSA_ENABLE_SDMA", "1"),
                false);

        assertThat(plan(recipe, sweep("256", "28")).runs().getFirst().environment())
                .containsEntry("HSA_ENABLE_SDMA", "1");
    }

    @Test
    void allOverridesStandBehindOneFlag() {
        Recipe recipe = recipe(Pipeline.SWEEP, Launcher.TORCHRUN, List.of(), "training.max_steps=7", "a.b=[1,2]");

        assertThat(command(recipe))
                .containsExactly(
                        "torchrun",
                        "--nproc_per_node",
                        "8",
                        "train.py",
                        "--config",
                        "c.yaml",
                        "--override",
                        "training.max_steps=7",
                        "profiling.tensorboard=false",
                        "a.b=[1,2]",
                        "training.output_dir=out/256thread/nccl_28channels");
    }

    @Test
    void anEmptyOverrideTakesADefaultAway() {
        Recipe recipe = recipe(Pipeline.SWEEP, Launcher.TORCHRUN, List.of(), "training.max_steps=");

        assertThat(command(recipe)).noneMatch(word -> word.startsWith("training.max_steps"));
    }

    @Test
    void theLatestSweepLeavesTheStepsToTheConfiguration() {
        Recipe recipe =
                recipe(Pipeline.SWEEP, Variant.LATEST, Launcher.TORCHRUN, List.of(), List.of(), Map.of(), false);

        assertThat(command(recipe))
                .contains("profiling.tensorboard=false")
                .noneMatch(word -> word.contains("max_steps"));
    }

    @Test
    void optionsOfTorchrunStandBeforeTheScript() {
        assertThat(command(recipe(Pipeline.SWEEP, Launcher.TORCHRUN, List.of("--master_port", "29501"))))
                .startsWith("torchrun", "--nproc_per_node", "8", "--master_port", "29501", "train.py", "--config");
        assertThat(command(recipe(Pipeline.SWEEP, Launcher.TORCHRUN, List.of("my.py", "--fast"))))
                .startsWith("torchrun", "--nproc_per_node", "8", "my.py", "--fast", "--config");
        assertThat(command(recipe(Pipeline.SWEEP, Launcher.TORCHRUN, List.of("--nnodes", "1", "-m", "pkg.train"))))
                .startsWith("torchrun", "--nproc_per_node", "8", "--nnodes", "1", "-m", "pkg.train", "--config");
    }

    @Test
    void ranksThatAreStartedDirectlyKnowEachOther() {
        Recipe recipe = recipe(Pipeline.SWEEP, Launcher.DIRECT, List.of("my.py"));
        List<ProcessPlan> processes =
                plan(recipe, sweep("256", "28")).runs().getFirst().processes(4711);

        assertThat(processes).hasSize(8);
        assertThat(processes.get(3).environment())
                .containsEntry("RANK", "3")
                .containsEntry("LOCAL_RANK", "3")
                .containsEntry("WORLD_SIZE", "8")
                .containsEntry("LOCAL_WORLD_SIZE", "8")
                .containsEntry("MASTER_ADDR", "127.0.0.1")
                .containsEntry("MASTER_PORT", "4711")
                .containsEntry("NCCL_MAX_NCHANNELS", "28");
        assertThat(processes.get(3).command()).startsWith("python3", "my.py", "--config");
    }

    @Test
    void ranksOfSeveralNodesKnowEachOther() {
        LaunchNodes second = new LaunchNodes(8, 3, 1, new LaunchNodes.Master("node0", 29501));
        assertThat(command(on(second, Launcher.TORCHRUN, List.of("my.py"))))
                .startsWith("torchrun", "--nnodes", "3", "--node_rank", "1", "--master_addr", "node0", "--master_port")
                .containsSequence("29501", "--nproc_per_node", "8", "my.py");
        List<ProcessPlan> direct = processes(on(second, Launcher.DIRECT, List.of("my.py")));
        assertThat(direct).extracting(ProcessPlan::rank).containsExactly(8, 9, 10, 11, 12, 13, 14, 15);
        assertThat(direct.get(3).environment())
                .containsEntry("RANK", "11")
                .containsEntry("LOCAL_RANK", "3")
                .containsEntry("WORLD_SIZE", "24")
                .containsEntry("LOCAL_WORLD_SIZE", "8")
                .containsEntry("MASTER_ADDR", "node0")
                .containsEntry("MASTER_PORT", "29501");
        assertThat(processes(on(second, Launcher.COMMAND, List.of("./run.sh")))
                        .getFirst()
                        .environment())
                .containsEntry("NNODES", "3")
                .containsEntry("NODE_RANK", "1")
                .containsEntry("MASTER_ADDR", "node0")
                .containsEntry("MASTER_PORT", "29501");
        assertThat(processes(recipe(Pipeline.SWEEP, Launcher.COMMAND, List.of("./run.sh")))
                        .getFirst()
                        .environment())
                .doesNotContainKeys("NNODES", "MASTER_ADDR");
    }

    private static List<ProcessPlan> processes(Recipe recipe) {
        return plan(recipe, sweep("256", "28")).runs().getFirst().processes(4711);
    }

    private static Recipe on(LaunchNodes nodes, Launcher launcher, List<String> words) {
        return new Recipe(
                Pipeline.SWEEP,
                Variant.DOCUMENTED,
                CONFIG,
                launcher,
                nodes,
                words,
                List.of(),
                Map.of(),
                false,
                null,
                null);
    }

    @Test
    void aCommandWithPlacesGetsNothingElse() {
        Recipe recipe = recipe(Pipeline.SWEEP, Launcher.COMMAND, List.of("./run.sh", "{config}", "--to={output}"));

        assertThat(command(recipe)).containsExactly("./run.sh", "c.yaml", "--to=out/256thread/nccl_28channels");
    }

    @Test
    void rocprofStandsAroundTheTrainer() {
        assertThat(command(with(new Rocprof(false, null), null)))
                .startsWith("rocprofv3", "--kernel-trace", "-d", "out/256thread/nccl_28channels/rocprof_traces", "--")
                .containsSequence("--", "torchrun");
        assertThat(command(with(new Rocprof(true, null), null)))
                .startsWith("rocprofv3", "--kernel-trace", "--stats", "-d");
        assertThat(command(with(new Rocprof(false, Path.of("in.yaml")), null)))
                .startsWith("rocprofv3", "-i", "in.yaml", "-d");
    }

    @Test
    void eachRunHasAContainerOfItsOwnThatIsToldTheVariables() {
        Recipe recipe = with(null, new Container(Path.of("d/compose.yaml"), "rocm70"));
        ProcessPlan process =
                plan(recipe, sweep("256", "28")).runs().getFirst().processes(1).getFirst();

        assertThat(process.command())
                .startsWith("docker", "compose", "-f", "d/compose.yaml", "run", "--rm", "--no-deps", "-T", "--name")
                .containsSequence("-e", "NCCL_MAX_NCHANNELS=28")
                .containsSequence("rocm70", "torchrun");
        assertThat(process.container()).isEqualTo("lockstep-STAMP-256thread-nccl_28channels");
        assertThat(process.environment()).isEmpty();
    }

    @Test
    void secretsOfAContainerStandInNoCommandLine() {
        Recipe recipe = new Recipe(
                Pipeline.SWEEP,
                Variant.DOCUMENTED,
                CONFIG,
                Launcher.TORCHRUN,
                LaunchNodes.alone(8),
                List.of(),
                List.of(),
                Map.of("HF_TOKEN", "hfS3CRET77", "DATABASE_URL", "postgres://bob:urlS3CRET77@db/x", "SEED", "1"),
                false,
                null,
                new Container(Path.of("d/compose.yaml"), "rocm70"));
        ProcessPlan process =
                plan(recipe, sweep("256", "28")).runs().getFirst().processes(1).getFirst();

        assertThat(process.command())
                .containsSequence("-e", "HF_TOKEN")
                .containsSequence("-e", "DATABASE_URL")
                .containsSequence("-e", "SEED=1")
                .noneMatch(word -> word.contains("S3CRET"));
        assertThat(process.environment())
                .containsOnly(
                        entry("HF_TOKEN", "hfS3CRET77"), entry("DATABASE_URL", "postgres://bob:urlS3CRET77@db/x"));
    }

    @Test
    void aContainerSeesNothingOutsideTheWorkingDirectory() {
        SweepPlan plan = SweepPlan.of(
                with(null, new Container(Path.of("c"), "s")), Path.of("/elsewhere"), "STAMP", sweep("256", "28"));

        assertThatThrownBy(() -> plan.check(new Problems()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("--output: with --container, /elsewhere must be relative");
    }

    @Test
    void allThatIsWrongIsSaidAtOnce() {
        Problems problems = new Problems();
        WarpSpeed.parse(List.of("56,256 37 0,1 5,2048 x,1 56,256"), problems);
        ThreadsAndChannels.parse("256,,256", "1", problems);

        assertThatThrownBy(problems::check)
                .hasMessageContaining("'37' is no pair")
                .hasMessageContaining("compute units of '0,1': '0' is no whole number of at least 1")
                .hasMessageContaining("threads of '5,2048': '2048' is no whole number from 1 to 1024")
                .hasMessageContaining("compute units of 'x,1': 'x' is no")
                .hasMessageContaining("56,256 is there twice")
                .hasMessageContaining("--threads: '' is no whole number")
                .hasMessageContaining("--threads: 256 is there twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"056", "+5", "1e3", "99999999999", "-1", " 5"})
    void numbersAreSpelledInOneWay(String text) {
        Problems problems = new Problems();

        assertThat(problems.count("--x", text, Integer.MAX_VALUE)).isZero();
        assertThatThrownBy(problems::check).hasMessageContaining("'" + text + "'");
    }

    @Test
    void strayWordsAreRefused() {
        Problems problems = new Problems();
        new TrainerCommand(Launcher.TORCHRUN, LaunchNodes.alone(8), List.of("37,384")).check(List.of(), problems);
        new TrainerCommand(Launcher.DIRECT, LaunchNodes.alone(8), List.of("--x")).check(List.of(), problems);
        new TrainerCommand(Launcher.COMMAND, LaunchNodes.alone(8), List.of()).check(List.of(), problems);
        new TrainerCommand(Launcher.COMMAND, LaunchNodes.alone(8), List.of("a", "{output}"))
                .check(List.of("k=v"), problems);
        new Overrides(List.of(), List.of("novalue", "training.output_dir=x"), problems);

        assertThatThrownBy(problems::check)
                .hasMessageContaining("'37,384' is neither an option of torchrun nor a Python script")
                .hasMessageContaining("--launcher direct wants the trainer's command")
                .hasMessageContaining("--launcher command wants the command behind --")
                .hasMessageContaining("--override goes behind the trainer's own --override")
                .hasMessageContaining("'novalue' is no KEY=VALUE")
                .hasMessageContaining("training.output_dir is set for each run");
    }

    @Test
    void onlyPythonItselfIsAskedForItsVersion() {
        for (String program : List.of("python", "python3", "/opt/venv/bin/python3.11")) {
            assertThat(own(program, "train.py").python()).isEqualTo(program);
        }
        for (String program : List.of("./python_train.sh", "pythonic", "python3-config", "bash")) {
            assertThat(own(program, "train.py").python()).isEqualTo("python3");
        }
    }

    @Test
    void aWordThatEndsLikeAScriptIsOneWherePythonGetsIt() {
        assertThat(own("bash", "-c", "python3 x.py", "{output}").script()).isNull();
        assertThat(own("ssh", "node1", "/there/train.py").script()).isNull();
        assertThat(own("python3", "absent.py").script()).isEqualTo("absent.py");
        assertThat(new TrainerCommand(Launcher.DIRECT, LaunchNodes.alone(1), List.of("absent.py")).script())
                .isEqualTo("absent.py");
        assertThat(new TrainerCommand(Launcher.TORCHRUN, LaunchNodes.alone(1), List.of("--x", "1", "absent.py"))
                        .script())
                .isEqualTo("absent.py");
    }

    private static TrainerCommand own(String... words) {
        return new TrainerCommand(Launcher.COMMAND, LaunchNodes.alone(1), List.of(words));
    }

    private static List<ThreadsAndChannels> sweep(String threads, String channels) {
        Problems problems = new Problems();
        List<ThreadsAndChannels> settings = ThreadsAndChannels.parse(threads, channels, problems);
        problems.check();
        return settings;
    }

    private static List<String> command(Recipe recipe) {
        return plan(recipe, sweep("256", "28")).runs().getFirst().command();
    }

    private static SweepPlan plan(Recipe recipe, List<? extends Setting> settings) {
        return SweepPlan.of(recipe, Path.of("out"), "STAMP", settings);
    }

    private static Recipe recipe(Pipeline pipeline) {
        return recipe(pipeline, Launcher.TORCHRUN, List.of());
    }

    private static Recipe recipe(Pipeline pipeline, Launcher launcher, List<String> words, String... overrides) {
        return recipe(pipeline, Variant.DOCUMENTED, launcher, words, List.of(overrides), Map.of(), false);
    }

    private static Recipe recipe(
            Pipeline pipeline,
            Variant variant,
            Launcher launcher,
            List<String> words,
            List<String> overrides,
            Map<String, String> environment,
            boolean serialize) {
        return new Recipe(
                pipeline,
                variant,
                CONFIG,
                launcher,
                LaunchNodes.alone(8),
                words,
                overrides,
                environment,
                serialize,
                null,
                null);
    }

    private static Recipe with(@Nullable Rocprof rocprof, @Nullable Container container) {
        return new Recipe(
                Pipeline.SWEEP,
                Variant.DOCUMENTED,
                CONFIG,
                Launcher.TORCHRUN,
                LaunchNodes.alone(8),
                List.of(),
                List.of(),
                Map.of(),
                false,
                rocprof,
                container);
    }
}
