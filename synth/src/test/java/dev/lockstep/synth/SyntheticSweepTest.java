// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.TraceRecipe.Communication;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyntheticSweepTest {
    @TempDir
    Path directory;

    @Test
    void aGridHasABestSettingBetweenItsEnds() throws IOException {
        TraceRecipe base = TraceRecipe.standard().withLayers(4).withSteps(2);
        SweepRecipe sweep = SweepRecipe.grid(base, List.of(256, 512), List.of(14, 28, 42, 56, 70));
        SweepTruth truth = SyntheticSweep.write(
                directory, sweep, Layout.torchProfiler("t.json").only(0), Workers.none());
        assertThat(truth.runs()).hasSize(10);
        Communication best = truth.ranking().get(0).setting();
        assertThat(best.threads()).isEqualTo(512);
        assertThat(best.channels()).isBetween(28, 56);
        assertThat(truth.ranking().get(9).setting().threads()).isEqualTo(256);
        assertThat(directory.resolve("512thread/nccl_42channels/torch_profiler/rank0/t.json"))
                .exists();
        assertThat(directory.resolve("512thread/nccl_42channels/truth.json")).exists();
        assertThat(directory.resolve("truth.json")).content().contains("\"ranking\"");
    }

    @Test
    void configurationsAreNamedAfterTheirUnitsAndThreads() throws IOException {
        TraceRecipe base = SmallRecipes.small().withVendor(Vendor.ROCM);
        SweepRecipe sweep =
                SweepRecipe.comparison(base, List.of(new Communication(256, 56), new Communication(384, 37)));
        SweepTruth truth = SyntheticSweep.write(directory, sweep);
        assertThat(truth.runs())
                .extracting(SweepTruth.Entry::directory)
                .containsExactly("56cu_256threads", "37cu_384threads");
        assertThat(directory.resolve("37cu_384threads/torch_profiler/rank3/trace_step2.json"))
                .exists();
    }
}
