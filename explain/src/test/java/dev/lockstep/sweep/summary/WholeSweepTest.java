// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.reporting.OwnSweep;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.SmallSweep;
import dev.lockstep.sweep.merge.RankMerge.Merged;
import dev.lockstep.sweep.merge.SweepMerge;
import dev.lockstep.sweep.merge.WholeMergePlan;
import dev.lockstep.testkit.Shown;
import dev.lockstep.testkit.TextWorkbooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A sweep of which something is missing: what is left is right, and what is not there is said. */
@ExtendWith(TextWorkbooks.class)
class WholeSweepTest {
    @TempDir
    Path runs;

    @BeforeEach
    void write() throws IOException {
        SmallSweep.write(runs);
    }

    private WholeSweep.Result sweep(boolean skipReports, boolean merge) throws IOException {
        SweepMerge.Options merging =
                merge ? new SweepMerge.Options(WholeMergePlan.standard(), false, 0, RankSelection.any()) : null;
        try (Session session = new Session(1)) {
            return WholeSweep.of(
                    session,
                    Sweep.at(runs),
                    new WholeSweep.Options(PassOptions.standard(), skipReports, false, new OwnSweep(), merging, false));
        }
    }

    private Path trace(String configuration, int rank) {
        return runs.resolve(configuration + "/torch_profiler/rank" + rank + "/trace.json");
    }

    private static List<String> gaps(WholeSweep.Result result) {
        return result.coverage().parts().stream()
                .filter(part -> !part.state().isWhole())
                .map(WholeSweepTest::said)
                .toList();
    }

    private static String said(Part part) {
        return part.configuration() + " " + part.rank() + " " + part.state() + " " + part.note();
    }

    private static List<String> facts(WholeSweep.Result result) {
        return Objects.requireNonNull(result.summary()).facts().stream()
                .map((Fact fact) -> fact.label() + ": " + fact.value())
                .toList();
    }

    @Test
    void ranksAndRunsThatAreMissingAreSaid() throws IOException {
        Files.delete(trace("256thread/nccl_28channels", 1));
        Files.delete(trace("512thread/nccl_56channels", 0));
        Files.delete(trace("512thread/nccl_56channels", 1));

        WholeSweep.Result result = sweep(false, false);

        assertThat(gaps(result))
                .containsExactly(
                        "256thread_28ch 1 missing no trace in its folder",
                        "512thread_56ch -1 missing no traces in torch_profiler");
        assertThat(facts(result)).containsExactly("Configurations: 3 of 4", "Ranks: 5 of 8", "Best: none stands out");
        assertThat(Shown.of(result.coverage().byConfiguration())).isEqualTo("""
            256thread_28ch | 2 | 1 | 1 | 0 | rank 1 missing
            256thread_56ch | 2 | 2 | 0 | 0 | -
            512thread_28ch | 2 | 2 | 0 | 0 | -
            512thread_56ch | 2 | 0 | 2 | 0 | all missing
            """);
    }

    @Test
    void aRankThatWasCutIsLeftOutOfMeansAndOfComparisons() throws IOException {
        Path cut = trace("256thread/nccl_28channels", 0);
        String whole = Files.readString(cut);
        Files.writeString(cut, whole.substring(0, whole.length() * 4 / 5));

        WholeSweep.Result result = sweep(false, false);

        assertThat(result.configurations().getFirst().whole()).containsExactly(1);
        assertThat(facts(result)).contains("Ranks: 7 of 8");
        assertThat(result.written().stream().map(file -> String.valueOf(file.getFileName())))
                .filteredOn(name -> name.startsWith("compare_"))
                .containsExactly(
                        "compare_28ch_rank1_across_threads.xlsx",
                        "compare_56ch_rank0_across_threads.xlsx",
                        "compare_56ch_rank1_across_threads.xlsx");
    }

    @Test
    void mergedTracesHoldEveryRank() throws IOException {
        WholeSweep.Result result = sweep(false, true);

        assertThat(result.merged()).hasSize(4).allSatisfy((Merged file) -> {
            assertThat(file.ranks()).containsExactly(0, 1);
            assertThat(file.file()).exists();
            assertThat(result.written()).contains(file.file());
        });
        // For each rank two steps of 4 operators, calls and kernels and 8 ends of arrows, and the marks of the steps.
        assertThat(result.merged().getFirst().events()).isEqualTo(2 * (2 * (3 * 4 + 8) + 2));
    }

    @Test
    void thePageShowsEverything() throws IOException {
        WholeSweep.Result result = sweep(false, false);
        Report report = Objects.requireNonNull(result.summary())
                .report("Title", "below", result.gemms(), List.of(new Section.Link("a", "b", "c")), null);

        assertThat(report.title() + ", " + report.subtitle()).isEqualTo("Title, below");
        assertThat(report.tables().stream().map(table -> table.name()))
                .containsExactly(
                        "coverage_by_configuration",
                        "ranking",
                        "sweep_ranks",
                        "Summary_By_Config",
                        "All_Data",
                        "NCCL_Best",
                        "NCCL_By_Config",
                        "NCCL_Data",
                        "gemm_communication",
                        "gemm_communication_by_configuration");
        assertThat(report.sections().stream()
                        .filter(section -> section instanceof Section.FindingsSection)
                        .map(section -> ((Section.FindingsSection) section).title()))
                .containsExactly("Best configuration", "Compute while communication runs");
        assertThat(report.sections().stream().filter(section -> section instanceof Section.ChartSection))
                .hasSizeGreaterThan(2);
        assertThat(report.sections().getLast()).isInstanceOf(Section.LinksSection.class);
    }

    @Test
    void reportsThatCannotBeReadBackAreSaid() throws IOException {
        sweep(false, false);
        Path reports = Sweep.at(runs).configurations().getFirst().reports().performanceReport(0);
        Files.writeString(reports, "no report");
        Files.delete(Sweep.at(runs).configurations().get(1).reports().performanceReport(1));
        Files.delete(Sweep.at(runs).configurations().get(2).reports().collectiveReport());

        WholeSweep.Result result = sweep(true, false);

        assertThat(gaps(result))
                .containsExactly(
                        "256thread_28ch 0 unreadable " + reports
                                + ": this is no finished report, expected CSV files or text workbooks",
                        "256thread_56ch 1 missing no report of this rank",
                        "512thread_28ch -1 missing no report on collectives");
        assertThat(facts(result)).contains("Ranks: 6 of 8");
    }

    @Test
    void aTimelineThatCannotBeReadBackIsNoneAndIsSaid() throws IOException {
        sweep(false, false);
        for (int rank = 0; rank < 2; rank++) {
            Path report = Sweep.at(runs).configurations().getFirst().reports().performanceReport(rank);
            String text = Files.readString(report);
            Files.writeString(report, text.replaceFirst("total_time,[^,]*,", "total_time,abc,"));
            assertThat(report).content().isNotEqualTo(text);
        }

        WholeSweep.Result result = sweep(true, false);

        assertThat(gaps(result)).first().asString().contains("256thread_28ch 0 partial the time of total_time in its");
        assertThat(Objects.requireNonNull(result.summary()).toString()).doesNotContain("Infinity");
        assertThat(facts(result)).contains("Ranks: 6 of 8");
    }
}
