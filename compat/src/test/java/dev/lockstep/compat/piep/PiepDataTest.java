// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.kernels.KeyField;
import dev.lockstep.kernels.ListedKernels;
import dev.lockstep.kernels.Tier;
import dev.lockstep.kernels.UniqueKernel;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.power.PowerLog;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.reconcile.MeasuredParts;
import dev.lockstep.replay.reconcile.Part;
import dev.lockstep.replay.reconcile.PartsEnergy;
import dev.lockstep.replay.reconcile.Reconciliation;
import dev.lockstep.replay.reconcile.ReplayResultFile;
import dev.lockstep.replay.reconcile.ResultsDialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Piep's published results, read back: sought at {@code -Dlockstep.shared}, else at {@code ../shared} of the checkout. */
class PiepDataTest {
    private static final Path DATA = data();

    @TempDir
    Path folder;

    private static Path data() {
        String named = System.getProperty("lockstep.shared");
        Path shared = named != null
                ? Path.of(named)
                : Path.of(System.getProperty("basedir", "."), "..", "..", "shared")
                        .normalize();
        return shared.resolve("data").resolve("piep");
    }

    @BeforeEach
    void dataIsThere() {
        assumeTrue(Files.isDirectory(DATA), "no results of piep at " + DATA);
    }

    private static Result kernels(String file, Selection selection) throws IOException {
        return ListedKernels.of(List.of(DATA.resolve(file)), List.of(), selection);
    }

    private static long unique(Result result, Tier tier) {
        return result.kernels().stream().filter(k -> k.tier() == tier).count();
    }

    private static long calls(Result result, Tier tier) {
        return result.kernels().stream()
                .filter(k -> k.tier() == tier)
                .mapToLong(UniqueKernel::calls)
                .sum();
    }

    @Test
    void bloomHas144KernelsInThreeTiersAnd25Passes() throws IOException {
        Result result = kernels("bloom/bloom_unique_kernels_compute.jsonl", Selection.standard());
        assertThat(result.kernels()).hasSize(144);
        assertThat(result.calls()).isEqualTo(17_186);
        assertThat(List.of(unique(result, Tier.RUNTIME), unique(result, Tier.MATRIX), unique(result, Tier.FRAMEWORK)))
                .containsExactly(68L, 23L, 53L);
        assertThat(List.of(calls(result, Tier.RUNTIME), calls(result, Tier.MATRIX), calls(result, Tier.FRAMEWORK)))
                .containsExactly(1_303L, 3_721L, 12_162L);
        assertThat(result.forwards().count()).isEqualTo(25);
        Result again = kernels("bloom/bloom_unique_kernels_compute.csv", Selection.standard());
        assertThat(again.kernels()).hasSize(144);
        assertThat(again.calls()).isEqualTo(17_186);
    }

    @Test
    void hostCallsAmongCountsAreNoKernels() throws IOException {
        Result result = kernels("bloom/bloom_kernel_counts.csv", Selection.standard());
        assertThat(result.totals().seen()).isEqualTo(38_714);
        assertThat(result.totals().deviceFiltered()).isEqualTo(21_528);
        assertThat(result.calls()).isEqualTo(17_186);
    }

    @Test
    void vicunaHas178KernelsOrHalfAsManyWithoutDevices() throws IOException {
        Selection piep = new Selection(KeyField.parse(PiepUnique.FIELDS), Set.of(), List.of(), null, 0);
        Result result = kernels("vicuna/unique_kernels_compute.csv", piep);
        assertThat(result.kernels()).hasSize(178);
        assertThat(result.calls()).isEqualTo(65_232);
        Result better = kernels("vicuna/unique_kernels_compute.csv", Selection.standard());
        assertThat(better.kernels()).hasSize(89).allMatch(k -> k.devices() == 2);
        assertThat(better.forwards().count()).isEqualTo(21);
    }

    @Test
    void vicunaFallsIntoTheTwelveGroupsOfItsBreakdown() throws IOException {
        Selection piep =
                new Selection(KeyField.parse(PiepUnique.FIELDS), Set.of(), List.of(), null, 0, PiepCategories.rules());
        Map<String, long[]> groups = new TreeMap<>();
        for (UniqueKernel kernel :
                kernels("vicuna/unique_kernels_compute.csv", piep).kernels()) {
            long[] group = groups.computeIfAbsent(kernel.category(), c -> new long[2]);
            group[0]++;
            group[1] += kernel.calls();
        }
        assertThat(groups.entrySet().stream().map(g -> g.getKey() + " " + g.getValue()[0] + " " + g.getValue()[1]))
                .containsExactlyInAnyOrder(
                        "memcpy 14 3000",
                        "memset 2 3840",
                        "vectorized_elementwise 70 22452",
                        "unrolled_elementwise 18 2922",
                        "elementwise 16 11052",
                        "reduce 12 2856",
                        "cat 10 5502",
                        "cub 4 88",
                        "gemm_ampere 10 6720",
                        "gemm_cutlass 6 2730",
                        "native_other 4 82",
                        "other 12 3988");
    }

    @Test
    void classifiedKernelsAreThoseThatPiepPublished() throws IOException {
        String layer = "{\"module\": \"Linear\", \"in_shape\": [1, 5, 1024], \"out_shape\": [1, 5, 3072]}\n";
        Path shapes = Files.writeString(folder.resolve("shapes.jsonl"), layer.repeat(2));
        Path target = folder.resolve("kernel_signatures.json");
        PiepSignatures.write(DATA.resolve("bloom/bloom_unique_kernels_compute.jsonl"), shapes, target);
        assertThat(Files.mismatch(target, DATA.resolve("kernel_replay_cpp/data/kernel_signatures.json")))
                .isEqualTo(-1);
    }

    @Test
    void theErrorsOf594And27PerCentAreReproducedAndCorrected() throws IOException {
        Path file = DATA.resolve("kernel_replay_cpp/results/isolated_kernels_timing.json");
        MeasuredParts isolated = new PiepResults().isolated(ReplayResultFile.document(file), "timing");
        ResultsDialect.Beside beside = new PiepResults().beside(file);
        List<PowerSeries> power = PowerLog.read(beside.power()).series();
        Reconciliation account =
                new Reconciliation(isolated, beside.whole(), isolated.forwards(0), PartsEnergy.of(isolated, power, 0));

        assertThat(account.errorAcrossUnits()).isCloseTo(594.19, within(0.01));
        assertThat(account.passes()).isEqualTo(25);
        assertThat(account.predicted() / 1e6).isCloseTo(3.24, within(0.01));
        assertThat(account.explained()).isCloseTo(0.28, within(0.005));

        double claimed = PiepResults.rectangles(isolated, power);
        assertThat(claimed).isCloseTo(3.0809, within(1e-4));
        assertThat(100 * (claimed - account.whole().joules()) / account.whole().joules())
                .isCloseTo(27.06, within(0.01));
        assertThat(account.miscounted())
                .hasSize(53)
                .allSatisfy(
                        part -> assertThat(part.runs() / part.possibleRuns()).isCloseTo(50, within(0.5)));
        assertThat(isolated.parts().stream()
                        .filter(Part::isMiscounted)
                        .map(Part::kind)
                        .distinct())
                .containsExactly("3 libtorch");
        assertThat(account.predictedJoules()).isCloseTo(0.305, within(0.001));
        assertThat(beside.claims())
                .extracting(f -> f.code())
                .containsExactly("claimed_time_error", "claimed_energy_error");
    }
}
