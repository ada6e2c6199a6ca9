// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SweepTest {
    @TempDir
    Path folder;

    @Test
    void configurationsComeByNumberNotByName() throws IOException {
        file("1024thread/nccl_8channels/torch_profiler/rank0/trace.json");
        file("256thread/nccl_28channels/torch_profiler/rank0/trace.json");
        file("256thread/nccl_8channels/torch_profiler/rank0/trace.json");
        file("1024thread/nccl_28channels/torch_profiler/rank0/trace.json");

        Sweep sweep = Sweep.at(folder);

        assertThat(sweep.configurations())
                .extracting(Configuration::label)
                .containsExactly("256thread_8ch", "256thread_28ch", "1024thread_8ch", "1024thread_28ch");
        assertThat(sweep.cell("256thread", "28ch").settings()).isEqualTo(new Settings(256, 28, -1));
        assertThat(sweep.rows()).containsExactly("256thread", "1024thread");
        assertThat(sweep.columns()).containsExactly("8ch", "28ch");
    }

    /** One of them would overwrite what is written about the other. */
    @Test
    void twoConfigurationsOfOneNameAreRefused() throws IOException {
        file("1thread/nccl_2thread_3channels/torch_profiler/rank0/trace.json");
        file("1thread_2thread/nccl_3channels/torch_profiler/rank0/trace.json");

        assertThatThrownBy(() -> Sweep.at(folder))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("1thread/nccl_2thread_3channels")
                .hasMessageContaining("1thread_2thread/nccl_3channels")
                .hasMessageContaining("are both called 1thread_2thread_3ch");
    }

    @Test
    void aCellOfTheGridWithoutFolderIsAConfigurationWithoutTraces() throws IOException {
        file("256thread/nccl_28channels/torch_profiler/rank0/trace.json");
        file("256thread/nccl_42channels/torch_profiler/rank0/trace.json");
        file("512thread/nccl_28channels/torch_profiler/rank0/trace.json");

        Configuration cell = Sweep.at(folder).cell("512thread", "42ch");

        assertThat(cell.traces().isEmpty()).isTrue();
        assertThat(cell.folder()).doesNotExist();
    }

    @Test
    void finishedReportsAloneAreASweep() throws IOException {
        file("lockstep_reports/256thread/individual_reports/perf_28ch_rank0.xlsx");
        file("lockstep_reports/256thread/individual_reports/perf_28ch_rank10.xlsx");
        file("lockstep_reports/256thread/collective_reports/collective_42ch.xlsx");

        for (Path given : new Path[] {folder, folder.resolve("lockstep_reports")}) {
            Sweep sweep = Sweep.at(given);
            assertThat(sweep.configurations())
                    .extracting(Configuration::label)
                    .containsExactly("256thread_28ch", "256thread_42ch");
            assertThat(sweep.cell("256thread", "28ch").reports().performanceReports())
                    .containsOnlyKeys(0, 10);
            assertThat(sweep.cell("256thread", "28ch").reports().existingCollectiveReport())
                    .isNull();
            assertThat(sweep.cell("256thread", "42ch").reports().existingCollectiveReport())
                    .hasFileName("collective_42ch.xlsx");
        }
    }

    @Test
    void finishedReportsAreFoundUnderAllTheirNames() throws IOException {
        file("tracelens_analysis/256thread/individual_reports/perf_28ch_rank0.xlsx");
        file("256thread/nccl_28channels/torch_profiler/rank0/trace.json");
        Path theirs = folder.resolve("tracelens_analysis");
        Path ours = folder.resolve("lockstep_reports");

        assertThat(Sweep.finished(folder, ReportNames.OWN).reports().analysis()).isEqualTo(theirs);
        assertThat(Sweep.at(folder).reports().analysis()).isEqualTo(ours);
        assertThat(Sweep.at(folder, ReportNames.AORTA).reports().analysis()).isEqualTo(theirs);
        assertThat(Sweep.at(theirs).reports().variance()).hasFileName("gemm_variance.csv");

        file("lockstep_reports/256thread/individual_reports/perf_28ch_rank0.xlsx");
        assertThat(Sweep.finished(folder, ReportNames.OWN).reports().analysis()).isEqualTo(ours);
        assertThat(Sweep.finished(folder, ReportNames.AORTA).reports().analysis())
                .isEqualTo(theirs);
    }

    @Test
    void namesToWriteAreThoseThatUsersKnow() throws IOException {
        file("256thread/nccl_28channels/torch_profiler/rank0/trace.json");
        Sweep sweep = Sweep.at(folder);
        Configuration cell = sweep.configurations().getFirst();
        Path analysis = folder.resolve("lockstep_reports");

        assertThat(cell.reports().performanceReport(3))
                .isEqualTo(analysis.resolve("256thread/individual_reports/perf_28ch_rank3.xlsx"));
        assertThat(cell.reports().collectiveReport())
                .isEqualTo(analysis.resolve("256thread/collective_reports/collective_28ch.xlsx"));
        assertThat(sweep.reports().acrossThreads("28ch", 3))
                .isEqualTo(analysis.resolve("comparisons/compare_28ch_rank3_across_threads.xlsx"));
        assertThat(sweep.reports().merged(cell))
                .isEqualTo(folder.toAbsolutePath().resolve("merged_traces/256thread_28ch_merged.json"));
    }

    @Test
    void whatIsNoSweepIsRefused() throws IOException {
        file("readme.txt");
        assertThatThrownBy(() -> Sweep.at(folder))
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOTHING_TO_DO));
        assertThatThrownBy(() -> Sweep.at(folder.resolve("nowhere")))
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INPUT_NOT_FOUND));
        assertThatThrownBy(() -> Sweep.at(folder.resolve("readme.txt")))
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INPUT_NOT_FOUND));
    }

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "{}");
    }
}
