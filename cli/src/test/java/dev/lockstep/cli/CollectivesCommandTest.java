// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectivesCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private Path traces(int ranks) throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(ranks).withStraggler(1, 1.4);
        Path into = Files.createDirectories(folder.resolve("run"));
        for (int rank = 0; rank < ranks; rank++) {
            Files.write(into.resolve("rank" + rank + "_trace.json"), SyntheticRun.bytes(recipe, rank));
        }
        return into;
    }

    @Test
    void everythingIsWrittenAndTheCulpritIsNamed() throws IOException {
        Path run = traces(4);
        Path into = folder.resolve("out");
        assertThat(run("collectives", run, "-o", into, "--json", folder.resolve("r.json")))
                .isZero();
        assertThat(TestProgram.files(into))
                .containsKeys(
                        "report.html",
                        "report.xlsx",
                        "csv/straggler_summary.csv",
                        "csv/nccl_implicit_sync.csv",
                        "csv/nccl_long.csv",
                        "csv/coverage.csv");
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("Rank 1 causes 99.7 % of it. Too few steps to rule out chance");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tracelens"})
    void neitherTheOrderOfFilesNorTheNumberOfThreadsMatters(String compat) throws IOException {
        Path run = traces(3);
        List<Path> traces = List.of(
                run.resolve("rank0_trace.json"), run.resolve("rank1_trace.json"), run.resolve("rank2_trace.json"));
        String[] mode = compat.isEmpty() ? new String[0] : new String[] {"--compat", compat};
        assertThat(run(args(mode, "collectives", run, "--csv", folder.resolve("a"), "--jobs", 1)))
                .isZero();
        assertThat(run(args(
                        mode,
                        "collectives",
                        traces.get(2),
                        traces.get(0),
                        traces.get(1),
                        "--csv",
                        folder.resolve("b"),
                        "--jobs",
                        4)))
                .isZero();
        Map<String, String> one = TestProgram.files(folder.resolve("a"));
        Map<String, String> other = TestProgram.files(folder.resolve("b"));
        assertThat(one).isNotEmpty();
        one.remove("coverage.csv"); // names the files as they were given
        other.remove("coverage.csv");
        assertThat(other).isEqualTo(one);
    }

    private static Object[] args(String[] more, Object... args) {
        return Stream.concat(Stream.of(args), Stream.of(more)).toArray();
    }

    /** What a merge writes is found in a folder, whatever its ending. */
    @ParameterizedTest
    @ValueSource(strings = {".json.gz", ".pftrace", ".perfetto-trace", ".perfetto-trace.gz"})
    void mergedTracesOfAFolderAreFound(String ending) throws IOException {
        Path merged = folder.resolve("merged/run" + ending);
        assertThat(run("merge", traces(2), "-o", merged)).isZero();
        assertThat(run("collectives", merged.getParent(), "--csv", folder.resolve("csv")))
                .isZero();
        assertThat(Files.readString(folder.resolve("csv/coverage.csv"))).contains("0,read,", "1,read,");
    }

    @Test
    void aFolderWithoutTracesSaysHowTracesEnd() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "nothing");
        assertThat(run("collectives", folder, "--csv", folder.resolve("csv"))).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("no traces in this directory", ".perfetto-trace.gz", " or ");
    }

    @Test
    void aMissingRankIsPartialAndSaid() throws IOException {
        Path run = traces(4);
        Files.delete(run.resolve("rank2_trace.json"));
        assertThat(run("collectives", run, "--csv", folder.resolve("csv"))).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).contains("no file for rank 2 of 4");
        assertThat(Files.readString(folder.resolve("csv/coverage.csv"))).contains("2,missing,");
        assertThat(run("collectives", run, "--csv", folder.resolve("csv"), "--allow-partial"))
                .isZero();
    }

    @Test
    void anUnreadableRankIsPartialOrAFailureWhenStrict() throws IOException {
        Path run = traces(2);
        Files.writeString(run.resolve("rank1_trace.json"), "nonsense");
        assertThat(run("collectives", run, "--csv", folder.resolve("csv"))).isEqualTo(ExitStatus.PARTIAL);
        assertThat(run("collectives", run, "--csv", folder.resolve("strict"), "--strict"))
                .isEqualTo(ExitStatus.UNREADABLE);
        assertThat(folder.resolve("strict")).doesNotExist();
    }

    @Test
    void ranksWithoutCommunicationAreNothingToDo() throws IOException {
        Path file = Files.writeString(
                folder.resolve("rank0.json"),
                TestTraces.document(new EventText().kernel("gemm", 0, 10, 1, 7).toString()));
        assertThat(run("collectives", file, "--csv", folder.resolve("csv"))).isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString())
                .contains("A run of one rank has none", "Record the device, too")
                .doesNotContain("ProfilerActivity");
        Files.writeString(file, Files.readString(file).replaceFirst("\\{", "{\"schemaVersion\": 1,"));
        assertThat(run("collectives", file, "--csv", folder.resolve("csv"))).isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString()).contains("ProfilerActivity.CUDA");
        assertThat(folder.resolve("csv")).doesNotExist();
    }

    @Test
    void wrongOptionsAreWrongArguments() throws IOException {
        Path run = traces(2);
        assertThat(run("collectives", run, "--compat", "nonsense")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("collectives", run, "--align", "nonsense")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("collectives", run, "--agg-metrics", "mean,nonsense")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString())
                .startsWith("lockstep: --agg-metrics does not know 'nonsense'")
                .contains("Hint: known: mean, median");
        assertThat(run("collectives", run, "--gpus-per-node", "0")).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void anInputIsNeverOverwritten() throws IOException {
        Path run = traces(2);
        String before = Files.readString(run.resolve("rank1_trace.json"));
        assertThat(run("collectives", run, "--json", run.resolve("rank1_trace.json")))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(Files.readString(run.resolve("rank1_trace.json"))).isEqualTo(before);
    }
}
