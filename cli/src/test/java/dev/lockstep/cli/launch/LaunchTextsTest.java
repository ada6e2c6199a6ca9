// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LaunchTextsTest {
    private static final TrainerConfig CONFIG = new TrainerConfig(Path.of("my config.yaml"), "abc", -1, true);
    private static final ZonedDateTime NOW = ZonedDateTime.of(2025, 11, 4, 9, 5, 6, 0, ZoneOffset.UTC);

    @Test
    void aDryRunIsAScript() {
        assertThat(dryRun(plan(Pipeline.SWEEP, Launcher.TORCHRUN, 8, new ThreadsAndChannels(256, 28))))
                .isEqualTo("""
                    # NCCL Channel & Thread Sweep: 1 run, in this order. Nothing is started.

                    # 1/1: 256 threads, 28 channels
                    mkdir -p out/256thread/nccl_28channels
                    RCCL_THREADS_PER_BLOCK=256 \\
                    NCCL_MAX_NCHANNELS=28 \\
                    HSA_ENABLE_SDMA=0 \\
                    PYTORCH_ROCM_PROFILER_ENABLE_TRACING=1 \\
                    NOTE='it'\\''s' \\
                      torchrun --nproc_per_node 8 train.py --config 'my config.yaml' --override training.max_steps=100 profiling.tensorboard=false training.output_dir=out/256thread/nccl_28channels \\
                      > out/256thread/nccl_28channels/run_output.log 2>&1
                    """);
    }

    @Test
    void aDryRunOfSeveralProcessesStartsThemTogether() {
        assertThat(dryRun(plan(Pipeline.CONFIG, Launcher.DIRECT, 2, new WarpSpeed(56, 256))))
                .startsWith("""
                    # RCCL Warp Speed Configuration Comparison: 1 run, in this order. Nothing is started.
                    # MASTER_PORT: each run takes a free port; 29500 stands for it.

                    # 1/1: 56cu_256threads
                    mkdir -p out/56cu_256threads
                    {
                      RCCL_WARP_SPEED_ENABLE=1 \\
                    """)
                .contains("  RANK=0 \\\n", "  RANK=1 \\\n  LOCAL_RANK=1 \\\n  WORLD_SIZE=2 \\\n", "    &\n")
                .endsWith("""
                      wait
                    } > out/56cu_256threads/run_output.log 2>&1
                    """);
    }

    @Test
    void theSummaryOfConfigurationsHasTheOldLayout() {
        SweepPlan plan = plan(Pipeline.CONFIG, Launcher.TORCHRUN, 8, new WarpSpeed(56, 256), new WarpSpeed(37, 384));
        List<Outcome> outcomes = List.of(
                new Outcome(plan.runs().get(0), RunStatus.SUCCESS, Duration.ofMillis(301_900)),
                new Outcome(plan.runs().get(1), RunStatus.UNKNOWN, null));

        assertThat(String.join("\n", LaunchSummary.lines(plan, outcomes, NOW))).isEqualTo("""
            RCCL Warp Speed Configuration Comparison
            Generated: Tue Nov  4 09:05:06 Z 2025

            CONFIGURATION        CU_COUNT   THREADS         STATUS   \s
            ----------------------------------------------------------------
            56cu_256threads      56         256             SUCCESS    (duration: 301s)
            37cu_384threads      37         384             UNKNOWN    (duration: N/As)

            Output directories:
              56cu_256threads: out/56cu_256threads/
              37cu_384threads: out/37cu_384threads/

            Trace files for each configuration:
              56cu_256threads: out/56cu_256threads/torch_profiler/
              37cu_384threads: out/37cu_384threads/torch_profiler/\
            """);
    }

    @Test
    void theSummaryOfASweepHasTheOldLayout() {
        SweepPlan plan = plan(
                Pipeline.SWEEP,
                Launcher.TORCHRUN,
                8,
                new ThreadsAndChannels(256, 28),
                new ThreadsAndChannels(512, 28),
                new ThreadsAndChannels(512, 42));
        List<Outcome> outcomes = List.of(
                new Outcome(plan.runs().get(0), RunStatus.SUCCESS, Duration.ofSeconds(12)),
                new Outcome(plan.runs().get(1), RunStatus.SKIPPED, null),
                new Outcome(plan.runs().get(2), RunStatus.FAILED, Duration.ofSeconds(3)));

        assertThat(String.join("\n", LaunchSummary.lines(plan, outcomes, NOW))).isEqualTo("""
            NCCL Channel & Thread Sweep Summary
            Generated: Tue Nov  4 09:05:06 Z 2025

            THREADS    CHANNELS        STATUS     DURATION(s)   \s
            ----------------------------------------------------
            256        28              SUCCESS    12            \s

            512        28              SKIPPED    N/A           \s
            512        42              FAILED     3             \s


            Output directories:
              THREADS=256:
                - out/256thread/nccl_28channels/
              THREADS=512:
                - out/512thread/nccl_28channels/
                - out/512thread/nccl_42channels/\
            """);
    }

    @Test
    void durationsAreReadAndWritten() {
        Problems problems = new Problems();

        assertThat(Clock.parse("--timeout", "90", problems)).isEqualTo(Duration.ofSeconds(90));
        assertThat(Clock.parse("--timeout", "1.5m", problems)).isEqualTo(Duration.ofSeconds(90));
        assertThat(Clock.parse("--timeout", "2h", problems)).isEqualTo(Duration.ofHours(2));
        assertThat(Clock.text(Duration.ofSeconds(127))).isEqualTo("02:07");
        assertThat(Clock.text(Duration.ofSeconds(3727))).isEqualTo("1:02:07");
        problems.check();
        Clock.parse("--timeout", "soon", problems);
        assertThatThrownBy(problems::check).hasMessageContaining("--timeout: 'soon' is no duration");
    }

    @Test
    void timeLeftComesFromStepsOrFromRunsBefore() {
        Forecast forecast = new Forecast(3);
        forecast.begin();

        assertThat(forecast.left(Duration.ofSeconds(10), 0)).isNull();
        assertThat(forecast.left(Duration.ofSeconds(10), 0.25)).isEqualTo(Duration.ofSeconds(30 + 40 + 40));
        forecast.ended(Duration.ofSeconds(50));
        forecast.begin();
        assertThat(forecast.left(Duration.ofSeconds(20), 0)).isEqualTo(Duration.ofSeconds(30 + 50));
        assertThat(forecast.left(Duration.ofSeconds(70), 0)).isEqualTo(Duration.ofSeconds(50));
    }

    private static String dryRun(SweepPlan plan) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        DryRun.print(plan, out);
        out.flush();
        return text.toString();
    }

    private static SweepPlan plan(Pipeline pipeline, Launcher launcher, int processes, Setting... settings) {
        Map<String, String> more = pipeline == Pipeline.SWEEP ? Map.of("NOTE", "it's") : Map.of();
        Recipe recipe = new Recipe(
                pipeline,
                Variant.DOCUMENTED,
                CONFIG,
                launcher,
                LaunchNodes.alone(processes),
                List.of(),
                List.of(),
                more,
                false,
                null,
                null);
        return SweepPlan.of(recipe, Path.of("out"), "STAMP", List.of(settings));
    }
}
