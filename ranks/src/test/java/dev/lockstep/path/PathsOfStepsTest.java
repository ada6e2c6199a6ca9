// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.Steps;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of single steps across ranks, whose clocks differ. */
class PathsOfStepsTest {
    private static final int RANKS = 4;
    private static final int STEPS = 3;

    /** Of a window: where its rows begin and end, and the time of its rows. */
    private record Tiled(long start, long end, long sum) {}

    private final List<Trace> traces;
    private final Collectives collectives;

    PathsOfStepsTest() {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(RANKS)
                .withSyncEvents(true)
                .withSteps(STEPS)
                .withSeed(11);
        traces = SyntheticTraces.synthetic(recipe);
        collectives = Collectives.of(
                traces.stream()
                        .map(trace -> new DerivedCache(trace).get(RankCollectives.Key.standard()))
                        .toList(),
                CollectiveOptions.standard());
    }

    private List<Table> tables(String window) {
        List<RankPart> parts = traces.stream()
                .map(trace -> RankPart.of(new DerivedCache(trace), AnalysisRules.standard(), window))
                .toList();
        return RunDependencies.joined(parts, collectives)
                .tables(new ReportOptions.Paths(window, List.of()), WorkerThreads.none());
    }

    private Map<String, Tiled> windows(String asked) {
        Table path = tables(asked).stream()
                .filter(table -> table.name().equals("critical_path"))
                .findFirst()
                .orElseThrow();
        Map<String, Tiled> windows = new LinkedHashMap<>();
        for (int row = 0; row < path.rows(); row++) {
            String window = path.strings(path.schema().indexOf("window")).get(row);
            long start = path.longs(path.schema().indexOf("start us")).get(row);
            long duration = path.longs(path.schema().indexOf("duration us")).get(row);
            Tiled before = windows.getOrDefault(window, new Tiled(start, start, 0));
            assertThat(start).as("%s, row %d", window, row).isEqualTo(before.end);
            windows.put(window, new Tiled(before.start, start + duration, before.sum + duration));
        }
        return windows;
    }

    private long at(int rank, long time) {
        return collectives.clock().at(rank, time);
    }

    @Test
    void aStepLastsFromTheFirstBeginningToTheLastEndOfAllRanks() {
        List<Tiled> found = new ArrayList<>(windows("step").values());
        assertThat(found).hasSize(STEPS);
        for (int step = 0; step < STEPS; step++) {
            long start = Long.MAX_VALUE;
            long end = Long.MIN_VALUE;
            for (int rank = 0; rank < RANKS; rank++) {
                Step own = new DerivedCache(traces.get(rank))
                        .get(new Steps.Key(null))
                        .steps()
                        .get(step);
                start = Math.min(start, at(rank, own.start()));
                end = Math.max(end, at(rank, own.end()));
            }
            assertThat(found.get(step)).isEqualTo(new Tiled(start, end, end - start));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ProfilerStep#1", "all"})
    void oneWindowHasOnePath(String window) {
        assertThat(windows(window)).hasSize(1);
    }

    @Test
    void theWholeRecordingIsTheUsual() {
        assertThat(windows("all")).isEqualTo(windows(null));
    }

    @Test
    void whatNoRankMarksIsSaid() {
        assertThatThrownBy(() -> tables("nothing"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no annotations nothing");
    }
}
