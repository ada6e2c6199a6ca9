// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every edit, alone and together with every other one. */
class EditPairsTest {
    /** They change nothing. */
    private static final List<String> NEUTRAL =
            List.of("host=x1", "kernel:*=x1", "op:*=x1", "class:communication=x1", "class:copy=x1", "kernel:none=x0");

    /** They only shorten. */
    private static final List<String> SHORTER = List.of(
            "kernel:*gemm*=x0.5",
            "op:aten::*=x0.9",
            "class:communication=x0",
            "class:copy=x0",
            "class:computation=x0.7",
            "host=x0.5",
            "launch=0");

    private static final List<String> SHORTER_FOR_ONE =
            List.of("kernel:*=roofline", "op:*=roofline", "class:computation=roofline");

    private static final List<String> SHORTER_FOR_ALL = List.of(
            "rank:1=x0.5", "rank:1:host=x0.5", "class:late_peer=0", "collective:*=x0.5", "collective:all_reduce=0us");

    /** What waits for the first of fused kernels waits for all; times that are given hold whatever they were before. */
    private static final List<String> OTHER =
            List.of("fuse:*elementwise*,*", "fuse:*,*,*=x0.8", "rank:1=median", "collective:*=bandwidth:100000GB/s!");

    private static TraceRecipe recipe(int seed) {
        TraceRecipe small =
                SyntheticTraces.smallRecipe(2).withSeed(seed).withSteps(1).withSyncEvents(seed % 2 == 0);
        return seed % 3 == 0
                ? small.withParallelism(new Parallelism(2, 1, 3, 1, Schedule.ONE_F_ONE_B, List.of()))
                : small;
    }

    private static List<Table> ofOne(TraceRecipe recipe, List<String> edits) {
        WorkRules rules = WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("MI300X"));
        Trace trace = SyntheticTraces.synthetic(recipe).getFirst();
        return new Dependencies(rules, null, new ReportOptions.Paths("all", edits))
                .run(new DerivedCache(trace))
                .tables();
    }

    private static List<Table> ofAll(TraceRecipe recipe, List<String> edits) {
        List<RankPart> parts = new ArrayList<>();
        List<RankCollectives> collectives = new ArrayList<>();
        for (Trace trace : SyntheticTraces.synthetic(recipe)) {
            DerivedCache cache = new DerivedCache(trace);
            parts.add(RankPart.of(cache, AnalysisRules.standard()));
            collectives.add(cache.get(RankCollectives.Key.standard()));
        }
        return RunDependencies.joined(parts, Collectives.of(collectives, CollectiveOptions.standard()))
                .tables(new ReportOptions.Paths(null, edits), WorkerThreads.none());
    }

    private static List<String> with(List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    /** All scenarios in question, alone and in ordered pairs. */
    private static List<String> scenarios(List<String> edits) {
        List<String> all = new ArrayList<>(edits);
        for (String first : edits) {
            for (String second : edits) {
                all.add(first + ";" + second);
            }
        }
        return all;
    }

    private static void judge(List<Table> tables, List<String> shorter, List<String> neutral, List<String> other) {
        Table sheet = tables.stream()
                .filter(table -> table.name().equals("what_if"))
                .findFirst()
                .orElseThrow();
        Map<String, Long> after = new LinkedHashMap<>();
        for (int row = 0; row < sheet.rows(); row++) {
            after.put(
                    sheet.strings(sheet.schema().indexOf("edit")).get(row),
                    sheet.longs(sheet.schema().indexOf("after_us")).get(row));
        }
        long before = sheet.longs(sheet.schema().indexOf("before_us")).get(0);
        for (String one : neutral) {
            assertThat(after).as(one).containsEntry(one, before);
            for (String edit : with(with(shorter, neutral), other)) {
                assertThat(after.get(one + ";" + edit)).as(one + ";" + edit).isEqualTo(after.get(edit));
                assertThat(after.get(edit + ";" + one)).as(edit + ";" + one).isEqualTo(after.get(edit));
            }
        }
        for (String one : shorter) {
            assertThat(after.get(one)).as(one).isLessThanOrEqualTo(before);
            for (String more : shorter) {
                assertThat(after.get(one + ";" + more))
                        .as(one + ";" + more)
                        .isLessThanOrEqualTo(Math.min(after.get(one), after.get(more)));
            }
        }
        assertThat(shorter.stream().filter(one -> after.get(one) < before).count())
                .as("edits that gain something: %s", after)
                .isGreaterThanOrEqualTo(shorter.size() - 3L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void ofOneRankNeutralEditsChangeNothingAndShorterOnesNeverCost(int seed) {
        List<String> shorter = with(SHORTER, SHORTER_FOR_ONE);
        List<String> neutral = with(NEUTRAL, List.of("rank:0=median"));

        List<String> other = OTHER.subList(0, 2);
        judge(ofOne(recipe(seed), scenarios(with(with(shorter, neutral), other))), shorter, neutral, other);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void ofAllRanksNeutralEditsChangeNothingAndShorterOnesNeverCost(int seed) {
        List<String> shorter = with(SHORTER, SHORTER_FOR_ALL);
        List<String> neutral = with(NEUTRAL, List.of("rank:7=median", "rank:7:host=median", "collective:*=x1"));

        judge(ofAll(recipe(seed), scenarios(with(with(shorter, neutral), OTHER))), shorter, neutral, OTHER);
    }
}
