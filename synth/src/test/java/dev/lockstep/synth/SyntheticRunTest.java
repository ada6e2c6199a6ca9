// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.synth.ParsedTrace.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyntheticRunTest {
    private final TraceRecipe recipe = SmallRecipes.small();

    @TempDir
    Path directory;

    @Test
    void allRanksAtOnceAreThoseOfEach() {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(3).withBytesPerRank(60_000);

        List<byte[]> all = SyntheticRun.bytes(recipe);

        assertThat(all).hasSize(3);
        for (int rank = 0; rank < 3; rank++) {
            assertThat(all.get(rank)).isEqualTo(SyntheticRun.bytes(recipe, rank));
        }
    }

    @Test
    void sameRecipeGivesSameBytesForAnyNumberOfThreads() throws IOException {
        for (Layout layout : List.of(Layout.flat(), Layout.flat().gzip())) {
            Path one = directory.resolve("one" + layout.compressed());
            Path many = directory.resolve("many" + layout.compressed());
            SyntheticRun.write(one, recipe, layout);
            try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
                SyntheticRun.write(many, recipe, layout, Workers.of(executor));
            }
            for (Path file : files(one)) {
                assertThat(many.resolve(one.relativize(file))).hasSameBinaryContentAs(file);
            }
            assertThat(files(many)).hasSize(5);
        }
    }

    @Test
    void compressedTextIsTheSameText() throws IOException {
        SyntheticRun.write(directory, recipe, Layout.flat().gzip().only(1));
        byte[] compressed = Files.readAllBytes(directory.resolve("rank1_trace.json.gz"));
        assertThat(compressed).startsWith(0x1f, 0x8b, 8, 0, 0, 0, 0, 0);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String plain = new String(SyntheticRun.bytes(recipe, 1), StandardCharsets.UTF_8);
            assertThat(text.replace("rank1_trace.json.gz", "rank1_trace.json")).isEqualTo(plain);
        }
    }

    /** What was made of a recipe once is made of it for ever: figures of old runs must stay comparable. */
    @ParameterizedTest
    @CsvSource({"CUDA, 4031406193", "ROCM, 3364346063"})
    void whatTheRecipesOfOldMakeStaysAsItWas(Vendor vendor, long sum) {
        CRC32C checksum = new CRC32C();
        TraceRecipe sharded = recipe.withVendor(vendor).withShardRanks(2).withClocks(500_000, 20);
        for (int rank = 0; rank < 4; rank++) {
            checksum.update(SyntheticRun.bytes(sharded, rank));
        }
        assertThat(checksum.getValue()).isEqualTo(sum);
    }

    @Test
    void anotherSeedGivesOtherTimes() {
        assertThat(SyntheticRun.bytes(recipe.withSeed(2), 0)).isNotEqualTo(SyntheticRun.bytes(recipe, 0));
    }

    @Test
    void truthAgreesWithTheTraces() throws IOException {
        RunTruth truth = SyntheticRun.write(directory, recipe.withClocks(1_000_000, 50), Layout.flat());
        assertThat(truth.ranks()).hasSize(4);
        for (RankTruth rank : truth.ranks()) {
            byte[] text = Files.readAllBytes(directory.resolve(rank.path()));
            assertThat(rank.bytes()).isEqualTo(text.length);
            ParsedTrace trace = ParsedTrace.of(text);
            for (RankTruth.CategoryTotal total : rank.totals()) {
                List<Event> events = trace.complete(total.category());
                assertThat(events).hasSize((int) total.count());
                assertThat(events.stream().mapToLong(Event::duration).sum()).isEqualTo(total.nanos());
            }
            assertThat(trace.collectives()).hasSize((int) truth.collectives().stream()
                    .mapToLong(RunTruth.CollectiveTotal::countPerRank)
                    .sum());
        }
        assertThat(ParsedTrace.of(Files.readAllBytes(directory.resolve("truth.json")))
                        .root())
                .containsKeys("recipe", "ranks");
    }

    @Test
    void theStragglerAndOnlyTheStragglerIsSlow() throws IOException {
        RunTruth slow = SyntheticRun.write(directory, recipe, Layout.flat());
        RunTruth even = SyntheticRun.write(directory, recipe.withStraggler(TraceRecipe.NO_STRAGGLER, 1), Layout.flat());
        for (int rank = 0; rank < 4; rank++) {
            long excess = sum(slow.ranks().get(rank).excessNanosByStep());
            long compute = sum(slow.ranks().get(rank).computeNanosByStep());
            if (rank == 2) {
                assertThat(excess).isBetween(compute * 49 / 100, compute * 51 / 100);
            } else {
                assertThat(excess).isZero();
            }
            assertThat(sum(even.ranks().get(rank).excessNanosByStep())).isZero();
        }
        assertThat(slow.meanStepNanos()).isGreaterThan(even.meanStepNanos() * 3 / 2);
    }

    private static long sum(List<Long> nanos) {
        return nanos.stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void stepsAreChosenToReachASize() throws IOException {
        RunTruth truth = SyntheticRun.write(
                directory, recipe.withBytesPerRank(5_000_000), Layout.flat().only(0));
        assertThat(truth.ranks().get(0).bytes()).isBetween(4_750_000L, 5_250_000L);
        assertThat(truth.steps()).isGreaterThan(5);
    }

    @Test
    void tracesLieWhereTheLayoutSays() throws IOException {
        SyntheticRun.write(
                directory, recipe, Layout.torchProfiler("trace_step10.json").gzip());
        assertThat(files(directory))
                .extracting(file -> directory.relativize(file).toString().replace('\\', '/'))
                .containsExactly(
                        "torch_profiler/rank0/trace_step10.json.gz",
                        "torch_profiler/rank1/trace_step10.json.gz",
                        "torch_profiler/rank2/trace_step10.json.gz",
                        "torch_profiler/rank3/trace_step10.json.gz",
                        "truth.json");
        assertThatIllegalArgumentException().isThrownBy(() -> Layout.torchProfiler("../x.json"));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        SyntheticRun.write(directory, recipe, Layout.flat().only(4)));
    }

    @Test
    void aDirectoryThatLeadsElsewhereIsRefused() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path run = Files.createDirectory(directory.resolve("run"));
        Files.createSymbolicLink(run.resolve("torch_profiler"), elsewhere);
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> SyntheticRun.write(run, recipe, Layout.torchProfiler("t.json")))
                .withMessageContaining("outside");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aFailureLeavesNothingHalfWritten() throws IOException {
        Files.createDirectories(directory.resolve("rank3_trace.json/in the way"));
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> SyntheticRun.write(directory, recipe, Layout.flat()))
                .withMessageContaining("rank3_trace.json");
        assertThat(directory.toFile().list()).containsExactly("rank3_trace.json");
    }

    @Test
    void aSingleRankIsAJobToo() {
        ParsedTrace trace = ParsedTrace.of(TraceRecipe.standard().withRanks(1).withSteps(1), 0);
        assertThat(trace.collectives()).isNotEmpty();
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @Test
    void aTraceOfASyntheticRankIsSound() {
        Trace trace = SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(2), 1);
        assertThat(trace.diagnostics().problems()).isEmpty();
        assertThat(trace.info().rank().index()).isEqualTo(1);
        assertThat(trace.info().worldSize()).isEqualTo(2);
    }
}
