// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.memory.DeviceMemory;
import dev.lockstep.analyze.memory.KeptBlocks;
import dev.lockstep.analyze.memory.MemoryUse;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Finding;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.MemoryPlan;
import dev.lockstep.synth.MemoryTruth;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.RankTruth;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import dev.lockstep.synth.Workers;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was planted into the memory of synthetic runs is found, and nothing else. */
class SyntheticMemoryTest {
    private static final long MEBI = 1 << 20;

    @TempDir
    private Path folder = Path.of("");

    private static TraceRecipe recipe(int seed, MemoryPlan plan) {
        TraceRecipe recipe = TraceRecipe.standard()
                .withSeed(seed)
                .withRanks(2)
                .withLayers(2)
                .withSteps(3 + seed % 6)
                .withVendor(seed % 2 == 0 ? Vendor.CUDA : Vendor.ROCM)
                .withPythonStacks(seed % 3 == 0)
                .withClocks(500_000, seed % 4 == 0 ? 100 : 0);
        if (seed % 5 == 0) {
            recipe = recipe.withParallelism(new Parallelism(2, 1, 4, 1, Parallelism.Schedule.of("1f1b"), List.of()));
        }
        return recipe.withMemory(plan);
    }

    /** A rank of a run, as it was made and as it was found. */
    private record Found(MemoryTruth truth, MemoryUse.Result result) {
        DeviceMemory device() {
            return result.devices().getLast();
        }

        List<String> codes() {
            return MemoryFindings.of(result).stream().map(Finding::code).toList();
        }
    }

    private Found run(TraceRecipe recipe) throws IOException {
        RankTruth rank;
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            rank = SyntheticRun.write(folder.resolve("run"), recipe, Layout.flat(), Workers.of(pool))
                    .ranks()
                    .getLast();
        }
        Trace trace = TestTraces.read(Files.readAllBytes(folder.resolve("run").resolve(rank.path())));
        assertThat(trace.diagnostics().problems()).isEmpty();
        MemoryUse.Result result = new MemoryUse(null, 1).run(new DerivedCache(trace));
        return new Found(Objects.requireNonNull(rank.memory()), result);
    }

    private static void agrees(Found found) {
        MemoryTruth truth = found.truth;
        DeviceMemory.Span whole = found.device().whole();
        assertThat(whole.start()).isEqualTo(truth.baselineBytes());
        assertThat(whole.peak()).isEqualTo(truth.peak().bytes());
        assertThat(whole.peakAt()).isEqualTo(truth.peak().atNanos());
        assertThat(whole.reserved()).isEqualTo(truth.peak().reservedBytes());
        assertThat(whole.traffic().allocs()).isEqualTo((int) truth.allocations());
        assertThat(whole.traffic().frees()).isEqualTo((int) truth.frees());
        assertThat(found.device().steps().stream().map(DeviceMemory.Span::start))
                .containsExactlyElementsOf(truth.startBytes());
        assertThat(found.device().log().loss().unmatchedFrees()).isZero();
        assertThat(found.device().log().loss().brokenTotals()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void aCalmRunHasNoFindingButItsPeak(int seed) throws IOException {
        Found found = run(recipe(seed, MemoryPlan.plain()));

        agrees(found);
        assertThat(found.codes()).containsExactly("memory_peak");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aLeakIsFoundWithItsOwnerAndInterval(int seed) throws IOException {
        Found found = run(recipe(seed + 1, new MemoryPlan(seed * MEBI, 0, 0, 1)).withSteps(6 + seed));

        agrees(found);
        assertThat(found.codes()).contains("memory_leak");
        assertThat(found.device().growth().low()).isPositive();
        assertThat(found.device().growth().low()).isLessThanOrEqualTo((double) seed * MEBI);
        assertThat(found.device().growth().high()).isGreaterThanOrEqualTo((double) seed * MEBI);
        assertThat(found.device().keptFromSteps())
                .anyMatch(holder -> holder.owner().equals(found.truth.leakOwner()));
    }

    /** The first steps of a run begin without gradients, so that what is allocated at their starts does not lie on a line. */
    @ParameterizedTest
    @CsvSource({"1, 3", "2, 3", "3, 4", "4, 4", "5, 5", "6, 5", "7, 6", "10, 7"})
    void aLeakIsFoundInFewSteps(int seed, int steps) throws IOException {
        Found found = run(recipe(seed, new MemoryPlan(seed * MEBI, 0, 0, 1)).withSteps(steps));

        agrees(found);
        assertThat(found.codes()).contains("memory_leak");
        assertThat(found.device().kept())
                .containsExactly(new KeptBlocks(found.truth.leakOwner(), seed * MEBI, 1, steps));
        assertThat(found.device().growth().low())
                .isPositive()
                .isLessThanOrEqualTo(found.device().growth().mean());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aPeakIsFoundWithItsOwner(int seed) throws IOException {
        Found found = run(recipe(seed, new MemoryPlan(0, 0, 64L << 30, 2)));

        agrees(found);
        assertThat(found.device().holders().getFirst().owner()).isEqualTo(found.truth.peakOwner());
        assertThat(MemoryFindings.of(found.result))
                .filteredOn(finding -> finding.code().equals("memory_peak"))
                .allSatisfy(finding -> assertThat(finding.text())
                        .as("owners of next to nothing are not named")
                        .doesNotContain(" 0.0"));
        assertThat(found.device().steps().get(1).peak())
                .isEqualTo(found.device().whole().peak());
        assertThat(found.codes()).doesNotContain("memory_leak");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void whatIsHeldForNothingIsFound(int seed) throws IOException {
        Found found = run(recipe(seed, new MemoryPlan(0, 2L << 30, 0, 1)));

        agrees(found);
        assertThat(found.codes()).contains("memory_fragmentation").doesNotContain("memory_leak");
        assertThat(MemoryFindings.of(
                        new MemoryUse.Result(found.result.devices(), List.of(), List.of(), true, RecordingTool.TORCH)))
                .filteredOn(finding -> finding.code().equals("memory_fragmentation"))
                .singleElement()
                .asString()
                .contains("NOTICE", "private pools of CUDA graphs");
        assertThat(MemoryFindings.of(found.result, 80e9))
                .filteredOn(finding -> finding.code().equals("memory_fragmentation"))
                .singleElement()
                .asString()
                .contains("INFO");
    }
}
