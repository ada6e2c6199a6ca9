// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigurationTest {
    @TempDir
    Path folder;

    @Test
    void theFolderOfTheRunAndThatOfItsTracesMeanTheSame() throws IOException {
        file("56cu_256threads/torch_profiler/rank0/trace.json");
        file("56cu_256threads/torch_profiler/rank1/trace.json");
        Path run = folder.resolve("56cu_256threads");

        for (Path given : List.of(run, run.resolve("torch_profiler"))) {
            Configuration configuration = Configuration.at(given);
            assertThat(configuration.label()).isEqualTo("56cu_256threads");
            assertThat(configuration.settings()).isEqualTo(new Settings(256, -1, 56));
            assertThat(configuration.traces().files()).hasSize(2);
            assertThat(configuration.traces().rankFolders()).containsExactly(0, 1);
            assertThat(configuration.reports().performanceReport(10).toAbsolutePath())
                    .isEqualTo(run.toAbsolutePath().resolve("lockstep_reports/individual_reports/perf_rank10.xlsx"));
        }
    }

    @Test
    void anyFolderOfRankFoldersHoldsTraces() throws IOException {
        file("mine/traces/rank_07/a.pt.trace.json.gz");
        Configuration configuration = Configuration.at(folder.resolve("mine/traces"));

        assertThat(configuration.label()).isEqualTo("mine");
        assertThat(configuration.settings()).isEqualTo(Settings.UNKNOWN);
        assertThat(configuration.traces().rankFolders()).containsExactly(7);
        assertThat(configuration.traces().files()).hasSize(1);
    }

    @Test
    void outputsInTheMakingAreNoTraces() throws IOException {
        file("run/torch_profiler/rank0/trace.json");
        file("run/torch_profiler/.lockstep-123.json");
        file("run/torch_profiler/.lockstep-124/trace.json");

        assertThat(Configuration.at(folder.resolve("run")).traces().files())
                .containsExactly(folder.resolve("run/torch_profiler/rank0/trace.json"));
    }

    @Test
    void tracesAreFoundUnderEveryNameThatIsInUse() throws IOException {
        List<String> names = List.of(
                "rank0/trace.json",
                "rank1/customer_trace_step10.json",
                "rank2/trace/pt.trace.json",
                "rank_3/trace/trace/pt.trace.json",
                "rank_04/host.pt.trace.json.gz",
                "job_rank5_step2.json",
                "rank[6]/trace.zip");
        for (String name : names) {
            file("run/torch_profiler/" + name);
        }
        file("run/torch_profiler/notes.txt");
        file("run/lockstep_reports/coverage.json");
        file("run/tracelens_analysis/coverage.json");

        assertThat(Configuration.at(folder.resolve("run")).traces().files()).hasSameSizeAs(names);
    }

    @Test
    void aLinkToAnotherTraceIsTheSameTraceAndALinkToItselfIsBroken() throws IOException {
        Path real = file("run/torch_profiler/rank0/customer_trace_step10.json");
        Path second = file("run/torch_profiler/rank1/customer_trace_step10.json");
        Files.createSymbolicLink(real.resolveSibling("a_trace.json"), real);
        Files.createSymbolicLink(second.resolveSibling("trace.json"), second);
        Path own = folder.resolve("run/torch_profiler/rank2/trace.json");
        Files.createDirectories(own.getParent());
        Files.createSymbolicLink(own, own);

        TraceFolder traces = Configuration.at(folder.resolve("run")).traces();

        assertThat(traces.files()).containsExactly(real, second);
        assertThat(traces.broken()).containsExactly(own);
        assertThat(traces.rankFolders()).containsExactly(0, 1, 2);
    }

    @Test
    void reportsAreReadUnderOlderNames() throws IOException {
        file("run/torch_profiler/rank0/trace.json");
        file("run/lockstep_reports/individual_reports/rank0_individual_report.xlsx");
        file("run/lockstep_reports/individual_reports/perf_rank12.xlsx");
        file("run/lockstep_reports/individual_reports/perf_rankx.xlsx");

        assertThat(Configuration.at(folder.resolve("run")).reports().performanceReports())
                .containsOnlyKeys(0, 12);
    }

    @Test
    void ofSeveralPassesOfTheGpuProfilerTheFirstIsRead() throws IOException {
        file("run/torch_profiler/rank0/trace.json");
        file("run/rocprof_traces/pass_1/host/10_results.json");
        file("run/rocprof_traces/pass_1/host/9_results.json");
        file("run/rocprof_traces/pass_2/host/10_results.json");
        file("run/rocprof_traces/pass_1/host/9_agent_info.json");

        assertThat(Configuration.at(folder.resolve("run")).rocprof().files())
                .extracting(f -> f.getFileName().toString())
                .containsExactly("9_results.json", "10_results.json");
    }

    @Test
    void aFolderWithoutTracesIsRefused() throws IOException {
        file("run/run_output.log");
        assertThatThrownBy(() -> Configuration.at(folder.resolve("run")))
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOTHING_TO_DO));
    }

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "{}");
    }
}
