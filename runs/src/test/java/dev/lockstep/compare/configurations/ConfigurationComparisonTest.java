// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.Verdict;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.runs.Settings;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConfigurationComparisonTest {
    private static final Options USUAL = new Options(Averaging.MEAN, 1);
    private static final Schema TIMELINE = Schema.of(
            ColumnSpec.text("type", "x"), ColumnSpec.whole("time ms", Unit.NANOSECONDS, Unit.MILLISECONDS, "x"));
    private static final Schema CALLS = Schema.of(
            ColumnSpec.text("Collective name", "x"),
            ColumnSpec.text("Process Group Name", "x"),
            ColumnSpec.real("Full msg size (MB)", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("comm_latency", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("algo bw (GB/s)", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("bus bw (GB/s)", Unit.NONE, Unit.NONE, "x"));

    @Test
    void differencesAreTestMinusBaseline() {
        ConfigurationComparison made = of(stepped("b", 1, 10, 10.1, 9.9, 10), stepped("t", 1, 10.5, 10.6, 10.4, 10.5));

        Place slower = made.place(1);
        assertThat(slower.change().difference()).isCloseTo(2, within(1e-9));
        assertThat(slower.change().percent()).isCloseTo(5, within(1e-9));
        assertThat(slower.change().verdict(1)).isEqualTo(Verdict.WORSE);
        assertThat(made.places().getFirst().label()).isEqualTo("b");
    }

    @Test
    void aChangeThatStepsScatterByIsUnclear() {
        ConfigurationComparison made = of(stepped("b", 1, 10, 10, 10, 10), stepped("t", 1, 14, 7, 12, 11));

        assertThat(made.place(1).change().percent()).isCloseTo(10, within(1e-9));
        assertThat(made.place(1).change().verdict(1)).isEqualTo(Verdict.UNCLEAR);
        assertThat(made.place(1).change().verdict(10)).isEqualTo(Verdict.SAME);
    }

    @Test
    void ranksThatWaitForOneAnotherAreNoRepetitions() {
        // Eight ranks take the same four steps: they agree to the last digit and still show one sample of each step
        // only.
        Change one = of(stepped("b", 1, 10, 11, 9, 10), stepped("t", 1, 10.4, 9.9, 10.9, 10))
                .place(1)
                .change();
        Change eight = of(stepped("b", 8, 10, 11, 9, 10), stepped("t", 8, 10.4, 9.9, 10.9, 10))
                .place(1)
                .change();

        assertThat(eight.lowPercent()).isCloseTo(one.lowPercent(), within(1e-9));
        assertThat(eight.verdict(1)).isEqualTo(Verdict.UNCLEAR);
    }

    @Test
    void withoutStepsAChangeIsUnclear() {
        Change change = of(run("b", totals(10, 20, 30)), run("t", totals(11, 21, 31)))
                .place(1)
                .change();

        assertThat(change.percent()).isCloseTo(5, within(1e-9));
        assertThat(change.verdict(1)).isEqualTo(Verdict.UNCLEAR);
        assertThat(change.exceeds(4)).isTrue();
    }

    @Test
    void onlyRanksThatBothHaveCountAndOthersAreListed() {
        ConfigurationComparison made = of(run("b", totals(10, 10, 40)), run("t", totals(11, 11)));

        assertThat(made.place(1).change().baseline()).isEqualTo(10);
        assertThat(made.place(1).change().percent()).isCloseTo(10, within(1e-9));
        assertThat(made.places().getFirst().label()).isEqualTo("t");
        Table unmatched = made.unmatched();
        assertThat(unmatched.rows()).isOne();
        assertThat(unmatched.strings(1).get(0)).isEqualTo("2");
        assertThat(unmatched.strings(3).get(0)).isEqualTo("t");
    }

    @Test
    void aBaselineOfZeroHasNoPercentageAndIsNotTheSame() {
        ConfigurationComparison made = of(
                run("b", List.of(timeline("total_time", 10, "exposed_comm_time", 0))),
                run("t", List.of(timeline("total_time", 10, "exposed_comm_time", 50))));

        Table change = made.timelineChange();
        int percent = change.schema().indexOf("time change % (test - baseline)");
        int verdict = change.schema().indexOf("verdict");
        assertThat(change.strings(1).get(1)).isEqualTo("exposed_comm_time");
        assertThat(change.columns().get(percent).isMissing(1)).isTrue();
        assertThat(change.strings(verdict).get(1)).isEqualTo("new");
        assertThat(change.strings(verdict).get(0)).isEqualTo("same");
    }

    @Test
    void oneRankWithoutAPartDoesNotSpoilTheGeometricMean() {
        assertThat(Averaging.GEOMETRIC.of(new double[] {5, 5, 0, 5})).isCloseTo(5, within(1e-12));
        assertThat(Averaging.GEOMETRIC.of(new double[] {0, 0})).isZero();
        assertThat(Averaging.GEOMETRIC.of(new double[] {Double.NaN})).isNaN();
    }

    @Test
    void runsOfDifferentNumbersOfStepsAreComparedByStep() {
        SortedMap<Integer, List<RankBreakdown>> two = new TreeMap<>(Map.of(0, Collections.nCopies(2, step(10))));
        SortedMap<Integer, List<RankBreakdown>> four = new TreeMap<>(Map.of(0, Collections.nCopies(4, step(9))));
        ConfigurationComparison made = ConfigurationComparison.of(
                List.of(
                        run("b", new RunBreakdown(byRank(totals(20)), two)),
                        run("t", new RunBreakdown(byRank(totals(36)), four))),
                USUAL);

        assertThat(made.perStep()).isTrue();
        assertThat(made.place(1).change().percent()).isCloseTo(-10, within(1e-9));
    }

    @Test
    void collectivesOfEqualNameInOtherGroupsStayApart() {
        ConfigurationComparison made = of(
                run("b", totals(10), calls("a", 100, "a", 100, "b", 10)),
                run("t", totals(10), calls("a", 120, "a", 120, "b", 10)));

        Table change = made.collectiveChange();
        int percent = change.schema().indexOf("latency change % (test - baseline)");
        assertThat(change.rows()).isEqualTo(2);
        assertThat(change.shown(percent, 0)).isCloseTo(20, within(1e-9));
        assertThat(change.shown(percent, 1)).isZero();
        assertThat(made.largestCallChange(1, true)).hasValueSatisfying(c -> {
            assertThat(c.key().group()).isEqualTo("a");
            assertThat(c.total().difference()).isCloseTo(0.04, within(1e-12));
        });
    }

    @Test
    void bandwidthsAreComputedFromSizesAndLatencies() {
        // The sheet says 1 and 1.5 of whatever unit; 1 MiB in 100 us are 10.48576 GB/s, 1.5 times that crosses a link.
        ConfigurationComparison made = of(run("b", totals(10), calls("a", 100)), run("t", totals(10), calls("a", 50)));

        Table change = made.collectiveChange();
        assertThat(change.shown(change.schema().indexOf("baseline bus bw GB/s"), 0))
                .isCloseTo(15.72864, within(1e-9));
        assertThat(change.shown(change.schema().indexOf("bus bw change % (test - baseline)"), 0))
                .isCloseTo(100, within(1e-9));
    }

    private static ConfigurationComparison of(RunSummary... runs) {
        return ConfigurationComparison.of(List.of(runs), USUAL);
    }

    private static RunSummary run(String label, List<Table> timelines, Table... calls) {
        return run(label, new RunBreakdown(byRank(timelines), new TreeMap<>()), calls);
    }

    private static RunSummary run(String label, RunBreakdown times, Table... calls) {
        return new RunSummary(
                label, Settings.UNKNOWN, times.ranks().size(), times, SummarySheets.collectives(List.of(calls)));
    }

    /** A run of so many equal ranks whose steps take this long, in ms. */
    private static RunSummary stepped(String label, int ranks, double... ms) {
        SortedMap<Integer, RankBreakdown> byRank = new TreeMap<>();
        SortedMap<Integer, List<RankBreakdown>> steps = new TreeMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            byRank.put(rank, step(Arrays.stream(ms).sum()));
            steps.put(
                    rank,
                    Arrays.stream(ms)
                            .mapToObj(ConfigurationComparisonTest::step)
                            .toList());
        }
        return run(label, new RunBreakdown(byRank, steps));
    }

    private static RankBreakdown step(double ms) {
        return new RankBreakdown(Map.of(RankBreakdown.TOTAL, new RankBreakdown.Time(ms, 100)));
    }

    private static SortedMap<Integer, RankBreakdown> byRank(List<Table> timelines) {
        SortedMap<Integer, RankBreakdown> byRank = new TreeMap<>();
        for (int rank = 0; rank < timelines.size(); rank++) {
            byRank.put(rank, SummarySheets.breakdown(timelines.get(rank)));
        }
        return byRank;
    }

    private static List<Table> totals(int... ms) {
        List<Table> timelines = new ArrayList<>();
        for (int time : ms) {
            timelines.add(timeline("total_time", time));
        }
        return timelines;
    }

    private static Table timeline(Object... typesAndMs) {
        TableBuilder table = new TableBuilder("gpu_timeline", "x", TIMELINE);
        for (int i = 0; i < typesAndMs.length; i += 2) {
            table.row(typesAndMs[i], (Integer) typesAndMs[i + 1] * 1_000_000L);
        }
        return table.build();
    }

    private static Table calls(Object... groupsAndLatencies) {
        TableBuilder table = new TableBuilder("nccl_implicit_sync", "x", CALLS);
        for (int i = 0; i < groupsAndLatencies.length; i += 2) {
            double latency = (Integer) groupsAndLatencies[i + 1];
            table.row("allreduce", groupsAndLatencies[i], 1.0, latency, 1.0, 1.5);
        }
        return table.build();
    }
}
