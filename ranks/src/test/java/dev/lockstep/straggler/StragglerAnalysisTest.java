// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.straggler.StragglerRules.Ideal;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StragglerAnalysisTest {
    private static final StragglerRules RULES = StragglerRules.standard();
    private static final long[] STEPS = {7, 9_000_000_000_000L};

    private static StragglerFigures figures(Table table, StragglerOptions options) throws TraceFormatException {
        return StragglerAnalysis.of(OperationTable.of("made", table, RULES), options, RULES);
    }

    private static StragglerOptions priced(Ideal ideal) {
        return new StragglerOptions(List.of(), 1, ideal, false, 1);
    }

    /** In a pipeline of equal stages every step takes (micro-batches + stages - 1) passes there and back. */
    @ParameterizedTest
    @CsvSource({"1, 1, 3", "1, 2, 4", "2, 3, 5", "3, 4, 8", "2, 4, 2"})
    void equalStagesTakeWhatTheFormulaSaysAndNothingCosts(int dp, int stages, int microBatches) throws Exception {
        MadeJob job = new MadeJob(dp, stages, microBatches, STEPS, (d, s) -> 1.0);
        StragglerFigures figures = figures(job.table(), new StragglerOptions());
        double wanted =
                (microBatches + stages - 1) * (MadeJob.FORWARD + MadeJob.BACKWARD) * 1e6 + MadeJob.OPTIMIZER * 1e6;
        assertThat(figures.replayed()).containsOnly(wanted);
        assertThat(figures.recorded()).containsOnly(wanted);
        assertThat(figures.ideal()).containsOnly(wanted);
        assertThat(figures.slowdown()).isEqualTo(1);
        assertThat(figures.unexplained()).isEqualTo(1);
        assertThat(figures.kept()).isNull();
        assertThat(figures.job().microBatches()).isEqualTo(microBatches);
    }

    @Test
    void theSlowWorkerIsNamedAndPriced() throws Exception {
        MadeJob job = new MadeJob(4, 2, 6, STEPS, (d, s) -> d == 2 && s == 0 ? 1.5 : 1.0);
        StragglerFigures figures = figures(job.table(), priced(Ideal.ROLE));
        StragglerFigures.Workers workers = Objects.requireNonNull(figures.workers());
        assertThat(workers.exact()).isTrue();
        assertThat(workers.chosen()).containsExactly(2 * 2);
        assertThat(workers.ranks()[4]).isEqualTo(2);
        assertThat(Objects.requireNonNull(figures.kept())
                        .dataParallelRanks()
                        .getFirst()
                        .label())
                .isEqualTo("2");
        assertThat(Objects.requireNonNull(figures.worst()).gone()).isCloseTo(1, within(1e-9));
        assertThat(said(figures)).contains("rank 2 (stage 0, data-parallel rank 2)", "Single workers");
        // Made typical, it is 1.125 times as slow as the others would be, as all are.
        double slow = figures.replayedSteps()[0];
        double typical = figures.idealSteps()[0];
        double twin = figures(new MadeJob(4, 2, 6, STEPS, (d, s) -> s == 0 ? 1.125 : 1.0).table(), priced(Ideal.ROLE))
                .replayedSteps()[0];
        assertThat(typical).isEqualTo(twin);
        assertThat(figures.slowdown()).isEqualTo(slow / typical);
    }

    /** One rank is slow in both directions, another in its backward passes alone. */
    @Test
    void passesThatAreLongTogetherInPartAreSaidToBe() throws Exception {
        MadeJob job = new MadeJob(4, 2, 6, STEPS, (d, s) -> d == 2 && s == 0 ? 1.5 : 1.0);
        assertThat(said(figures(job.table(), priced(Ideal.ROLE)))).contains("are long together, so the work itself");
        List<MadeJob.Row> rows = new ArrayList<>();
        for (MadeJob.Row row : job.rows) {
            boolean slow = row.dpRank() == 1 && row.stage() == 0 && row.type().equals("backward-compute");
            double duration = row.duration() + (slow ? 10 : 0);
            rows.add(new MadeJob.Row(
                    row.dpRank(), row.stage(), row.step(), row.type(), row.start(), duration, row.microBatch()));
        }
        assertThat(said(figures(job.table(rows), priced(Ideal.ROLE))))
                .contains("are long together in part (correlation 0.58)");
    }

    /** With the fastest worker of each stage as typical, the ideal job is the one without the slow worker. */
    @Test
    void takingTheSlowdownAwayGainsWhatTheRunWithoutItTakesLess() throws Exception {
        MadeJob slow = new MadeJob(3, 3, 5, STEPS, (d, s) -> d == 1 && s == 2 ? 1.4 : 1.0);
        MadeJob sound = new MadeJob(3, 3, 5, STEPS, (d, s) -> 1.0);
        assertThat(figures(slow.table(), priced(Ideal.FASTEST)).idealSteps())
                .isEqualTo(figures(sound.table(), priced(Ideal.ROLE)).replayedSteps());
    }

    @Test
    void aStageThatIsSlowByDesignCountsOnlyAgainstAllStages() throws Exception {
        MadeJob job = new MadeJob(2, 4, 4, STEPS, (d, s) -> s == 3 ? 2.0 : 1.0);
        assertThat(figures(job.table(), priced(Ideal.ROLE)).slowdown()).isEqualTo(1);
        StragglerFigures all = figures(job.table(), priced(Ideal.ALL));
        assertThat(all.slowdown()).isGreaterThan(1.25);
        assertThat(Objects.requireNonNull(all.kept()).stages().getFirst().label())
                .isEqualTo("3");
        assertThat(all.lastStage().gone()).isGreaterThan(0.5);
    }

    @Test
    void stepsAreChosenByNumber() throws Exception {
        MadeJob job = new MadeJob(2, 2, 3, new long[] {3, 5, 8}, (d, s) -> 1.0);
        StragglerOptions options = new StragglerOptions(StragglerOptions.ranges("1-4, 8"), 1, Ideal.ROLE, false, 1);
        assertThat(figures(job.table(), options).steps()).containsExactly(3, 8);
        assertThatThrownBy(() -> figures(
                        job.table(), new StragglerOptions(StragglerOptions.ranges("4"), 1, Ideal.ROLE, false, 1)))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOTHING_TO_DO));
        for (String wrong : List.of("", "x", "5-3", "1,,2", "-1")) {
            assertThatThrownBy(() -> StragglerOptions.ranges(wrong)).isInstanceOf(UserException.class);
        }
    }

    @Test
    void aMissingOperationIsNamedOrItsStepLeftOut() throws Exception {
        MadeJob job = new MadeJob(2, 2, 3, new long[] {3, 5}, (d, s) -> 1.0);
        List<MadeJob.Row> rows = new ArrayList<>(job.rows);
        rows.removeIf(row -> row.step() == 5
                && row.dpRank() == 1
                && row.stage() == 0
                && row.type().equals("optimizer"));
        assertThatThrownBy(() -> figures(job.table(rows), new StragglerOptions()))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("optimizer 0 of stage 0, data-parallel rank 1, rank 1, step 5, has no row");
        StragglerFigures partial = figures(job.table(rows), new StragglerOptions(List.of(), 1, Ideal.ROLE, true, 1));
        assertThat(partial.steps()).containsExactly(3);
        assertThat(partial.findings().left()).containsOnlyKeys(5L);
    }

    /** A first step that was cut off says nothing of what waits for what, nor of who is who. */
    @Test
    void aFirstStepThatWasCutOffIsLeftOutLikeOthers() throws Exception {
        MadeJob job = new MadeJob(2, 2, 3, new long[] {3, 5, 8}, (d, s) -> 1.0);
        for (int lasts : new int[] {0, 45, 60}) {
            Table table = job.table(job.rows.stream()
                    .filter(row -> row.step() != 3 || row.start() + row.duration() <= lasts && row.dpRank() == 0)
                    .toList());
            if (lasts > 0) {
                assertThatThrownBy(() -> figures(table, new StragglerOptions()))
                        .isInstanceOf(TraceFormatException.class)
                        .hasMessageContaining("step 3");
            }
            StragglerOptions partial = new StragglerOptions(List.of(), 1, Ideal.ROLE, true, 1);
            StragglerFigures figures = figures(table, partial);
            assertThat(figures.steps()).containsExactly(5, 8);
            assertThat(figures.findings().left()).hasSize(lasts > 0 ? 1 : 0);
            assertThat(OperationTable.recover("made", table, RULES)
                            .findings(table)
                            .getLast()
                            .text())
                    .contains("Of " + table.rows() + " operations the table gives " + table.rows());
        }
    }

    @Test
    void anOperationThatStandsTwiceIsRefused() {
        MadeJob job = new MadeJob(2, 2, 3, new long[] {3, 5}, (d, s) -> 1.0);
        List<MadeJob.Row> rows = new ArrayList<>(job.rows);
        rows.add(rows.getLast());
        assertThatThrownBy(() -> figures(job.table(rows), new StragglerOptions()))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("is not among those of the first step");
    }

    @Test
    void aRankThatWorksInAnotherOrderIsNamed() throws Exception {
        MadeJob job = new MadeJob(2, 2, 3, new long[] {3, 5}, (d, s) -> 1.0);
        List<MadeJob.Row> rows = new ArrayList<>();
        for (MadeJob.Row row : job.rows) {
            boolean late =
                    row.dpRank() == 1 && row.stage() == 1 && row.type().equals("forward-compute") && row.start() < 15;
            rows.add(
                    late
                            ? new MadeJob.Row(
                                    1, 1, row.step(), row.type(), row.start() + 25, row.duration(), row.microBatch())
                            : row);
        }
        StragglerFigures figures = figures(job.table(rows), priced(Ideal.ROLE));
        assertThat(figures.findings().reordered()).containsEntry(3, 2).hasSize(1);
        assertThat(said(figures)).contains("rank 3 in 2 of 2 steps");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 3", "4, 1, 3", "1, 2, 4", "2, 3, 5", "3, 4, 8", "2, 4, 2", "5, 2, 1"})
    void rolesAreRecoveredFromTimes(int dp, int stages, int microBatches) throws Exception {
        MadeJob job = new MadeJob(dp, stages, microBatches, STEPS, (d, s) -> 1 + 0.01 * d + 0.02 * s);
        Table table = job.table();
        RecoveredRoles roles = OperationTable.recover("made", table, RULES);
        assertThat(roles.findings(table).getLast().text())
                .contains("Of " + String.format("%,d", table.rows()) + " operations the table gives "
                        + String.format("%,d", table.rows()));
        assertThat(roles.sheets().getFirst().rows()).isEqualTo(table.rows());
    }

    /** The same where no rank sums gradients of the embedding. */
    @ParameterizedTest
    @CsvSource({"4, 1, 3", "1, 2, 4", "2, 3, 5", "3, 4, 8", "2, 4, 2", "2, 5, 1"})
    void rolesAreRecoveredWithoutAnEmbedding(int dp, int stages, int microBatches) throws Exception {
        MadeJob job = new MadeJob(dp, stages, microBatches, STEPS, (d, s) -> 1 + 0.01 * d + 0.02 * s);
        for (boolean idle : new boolean[] {false, true}) {
            List<MadeJob.Row> rows = new ArrayList<>();
            for (MadeJob.Row row : job.rows) {
                if (!row.type().startsWith("embedding")) {
                    rows.add(row);
                }
                if (idle && row.type().equals("forward-compute") && row.stage() == 0) {
                    rows.add(idle(row, "forward-recv", row.start()));
                }
                if (idle && row.type().equals("forward-compute") && row.stage() == stages - 1) {
                    rows.add(idle(row, "forward-send", row.start() + row.duration()));
                }
            }
            Table table = job.table(rows);
            assertThat(OperationTable.recover("made", table, RULES)
                            .findings(table)
                            .getLast()
                            .text())
                    .contains("Of " + String.format("%,d", table.rows()) + " operations the table gives "
                            + String.format("%,d", table.rows()));
        }
    }

    private static MadeJob.Row idle(MadeJob.Row pass, String type, double start) {
        return new MadeJob.Row(pass.dpRank(), pass.stage(), pass.step(), type, start, 0, -1);
    }

    @Test
    void whatTimesDoNotSayIsSaid() {
        MadeJob job = new MadeJob(2, 2, 1, STEPS, (d, s) -> 1.0);
        List<MadeJob.Row> rows = job.rows.stream()
                .filter(row -> !row.type().startsWith("embedding") && (row.dpRank() == 0 || row.stage() == 0))
                .toList();
        assertThatThrownBy(() -> OperationTable.recover("made", job.table(rows), RULES))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("cannot be told");
    }

    private static String said(StragglerFigures figures) {
        Report report = StragglerReport.of(figures, List.of(), List.of());
        return report.sections().stream()
                .filter(FindingsSection.class::isInstance)
                .flatMap(section -> ((FindingsSection) section).findings().stream())
                .map(Finding::text)
                .collect(Collectors.joining("\n"));
    }
}
