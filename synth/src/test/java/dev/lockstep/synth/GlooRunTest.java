// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.HostCollectives;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.synth.GlooRecipe.Stage;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GlooRunTest {
    private static GlooRecipe recipe(boolean devices) {
        return GlooRecipe.standard().withRanks(3).withSteps(4).onDevices(devices);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tracesAreSoundAndHoldWhatTheRecipeSays(boolean devices) throws IOException {
        Trace trace = TestTraces.read(GlooRun.bytes(recipe(devices), 1));
        DerivedCache cache = new DerivedCache(trace);
        HostCollectives collectives = cache.get(new HostCollectives.Key());
        assertThat(trace.diagnostics().problems()).isEmpty();
        assertThat(trace.info().rank().index()).isEqualTo(1);
        assertThat(trace.info().worldSize()).isEqualTo(3);
        assertThat(cache.get(new Steps.Key(null)).steps()).hasSize(4);
        assertThat(collectives.size()).isEqualTo(4 * 3);
        assertThat(IntStream.range(0, collectives.size()))
                .allMatch(i -> collectives.isApart(i) && collectives.issue(i) >= 0);
        long kernels = IntStream.range(0, trace.slices().size())
                .filter(i -> trace.slices().kind(i) == SliceKind.KERNEL)
                .count();
        assertThat(kernels > 0).isEqualTo(devices);
    }

    @Test
    void theSameRecipeGivesTheSameBytes() {
        assertThat(GlooRun.bytes(recipe(true), 2)).isEqualTo(GlooRun.bytes(recipe(true), 2));
        assertThat(GlooRun.bytes(recipe(true), 2))
                .isNotEqualTo(GlooRun.bytes(recipe(true).withSeed(2), 2));
    }

    @Test
    void aSlowStageOfOneRankHoldsUpTheRun() {
        for (Stage stage : Stage.values()) {
            GlooRun.Truth truth = GlooRun.truth(recipe(false).withSlow(1, stage, 5_000_000));
            assertThat(truth.runNanos() - truth.withoutSlowNanos()).isBetween(4 * 4_900_000L, 4 * 5_100_000L);
            assertThat(truth.latenessNanos()[1][2]).isBetween(4_500_000L, 5_500_000L);
        }
    }

    @Test
    void aRunIsWrittenWithItsTruth(@TempDir Path folder) throws IOException {
        GlooRun.write(folder, recipe(false).withSlow(2, Stage.DATA, 3_000_000), Layout.torchProfiler("trace.json"));
        assertThat(Files.readString(folder.resolve("truth.json")))
                .contains("\"stage\": \"data\"", "\"run_without_slow_ns\": ", "torch_profiler/rank2/trace.json");
        assertThat(folder.resolve("torch_profiler/rank0/trace.json")).exists();
    }

    @Test
    void recipesThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> Stage.of("loss")).hasMessageContaining("known: data, forward");
        assertThatThrownBy(() -> recipe(false).withRanks(1)).hasMessageContaining("2..1024");
        assertThatThrownBy(() -> recipe(false).withSlow(3, Stage.DATA, 1)).hasMessageContaining("one of the ranks");
        assertThat(recipe(false).withSlow(List.of()).slow()).isEmpty();
    }
}
