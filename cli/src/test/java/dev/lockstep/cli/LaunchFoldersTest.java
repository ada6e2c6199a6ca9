// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What launches do in their folders, whatever lies there and whatever trainers do to it. */
class LaunchFoldersTest {
    private static final String RUN = "256thread/nccl_28channels";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path base;
    private Path elsewhere;

    @BeforeEach
    void writeConfiguration() throws IOException {
        Files.writeString(folder.resolve("c.yaml"), "training: {max_steps: 3}\nprofiling: {enabled: false}\n");
        base = Files.createDirectory(folder.resolve("out"));
        elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    }

    @Test
    void aLinkInPlaceOfTheLockIsNotFollowed() throws IOException {
        Path precious = Files.writeString(elsewhere.resolve("file"), "precious");
        Files.createSymbolicLink(base.resolve(".lockstep_launch"), precious);

        assertThat(sweep(List.of(), "true", "{output}")).isEqualTo(ExitStatus.USAGE);
        assertThat(precious).hasContent("precious");
        assertThat(err.toString())
                .contains("cannot write " + base.resolve(".lockstep_launch") + ": a link stands there");
    }

    @Test
    void aFolderOfRunsThatALinkLeadsAwayIsRefused() throws IOException {
        Files.createSymbolicLink(base.resolve("256thread"), elsewhere);

        assertThat(sweep(List.of(), "true", "{output}")).isEqualTo(ExitStatus.USAGE);
        assertThat(elsewhere).isEmptyDirectory();
        assertThat(err.toString()).contains("a link leads out of " + base + ", and nobody named it");
    }

    @Test
    void aLogThatALinkLeadsAwayIsRefused() throws IOException {
        Path run = Files.createDirectories(base.resolve(RUN));
        Files.createSymbolicLink(run.resolve("run_output.node0.log"), elsewhere.resolve("log"));

        List<String> nodes = List.of("--nnodes", "2", "--node-rank", "0", "--master", "h:1");
        assertThat(sweep(nodes, "true", "{output}")).isEqualTo(ExitStatus.USAGE);
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void earlierAttemptsAreNotMovedThroughALink() throws IOException {
        assertThat(sweep(List.of(), "false", "{output}")).isEqualTo(ExitStatus.NOTHING);
        Files.createSymbolicLink(base.resolve("earlier_attempts"), elsewhere);

        assertThat(sweep(List.of("--resume"), "true", "{output}")).isEqualTo(ExitStatus.USAGE);
        assertThat(elsewhere).isEmptyDirectory();
        assertThat(base.resolve(RUN).resolve("run_output.log")).exists();
    }

    @Test
    void finishedRunsMayLieElsewhere() throws IOException {
        assertThat(sweep(List.of(), "true", "{output}")).isZero();
        Files.move(base.resolve("256thread"), elsewhere.resolve("moved"));
        Files.createSymbolicLink(base.resolve("256thread"), elsewhere.resolve("moved"));

        assertThat(sweep(List.of("--resume"), "true", "{output}")).isZero();
        assertThat(out.toString()).contains("256 threads, 28 channels: finished before");
    }

    @Test
    void whatStandsInPlaceOfARunsFolderIsNamed() throws IOException {
        Path run = base.resolve(RUN);
        Files.createDirectories(run.getParent());
        Files.createFile(run);
        assertThat(sweep(List.of("--resume"), "true", "{output}")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("cannot write " + run + ": what stands there is no folder");

        Files.delete(run);
        Files.createSymbolicLink(run, folder.resolve("nowhere"));
        assertThat(sweep(List.of("-s"), "true", "{output}")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("cannot write " + run + ": what stands there is no folder");
    }

    @Test
    void aTrainerThatReplacesItsFolderFailsAloneAndTheOthersGoOn() throws IOException {
        String replace = "[ $NCCL_MAX_NCHANNELS = 42 ] || { rm -rf \"$0\"; echo > \"$0\"; }";

        assertThat(sweep(List.of("-c", "28,42"), "bash", "-c", replace, "{output}"))
                .isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString())
                .contains("256 threads, 28 channels: the trainer removed or replaced the folder of its run");
        assertThat(base.resolve("256thread/nccl_42channels/run_output.log")).exists();
    }

    @Test
    void aRunWithoutItsLogIsNoSuccess() throws IOException {
        assertThat(sweep(List.of(), "rm", "-r", "{output}")).isEqualTo(ExitStatus.NOTHING);
        assertThat(Files.readString(base.resolve(RUN).resolve("lockstep_run.json")))
                .contains("\"status\" : \"FAILED\"", "the trainer removed or replaced");
    }

    /** Shells name it in a variable that is called like a password. */
    @Test
    void theCurrentFolderIsNoSecret() throws IOException {
        assertThat(sweep(List.of(), "bash", "-c", "pwd", "{output}")).isZero();
        assertThat(base.resolve(RUN).resolve("run_output.log"))
                .hasContent(Path.of("").toAbsolutePath().toString());
    }

    /** Characters that YAML does not know, a long name and a long word. */
    @Test
    void finishedRunsAreKnownAgainWhateverTheirWordsHold() throws IOException {
        List<String> odd = List.of("--env", "N" + "a".repeat(2000) + "=1");
        String[] words = {"true", "{output}", "\u007f\u0085\u0001", "x".repeat(100_000), "y".repeat(100_000)};
        String[] many = Arrays.copyOf(words, 12);
        Arrays.fill(many, words.length, many.length, "z".repeat(100_000));
        assertThat(sweep(odd, many)).isZero();

        List<String> again = new ArrayList<>(odd);
        again.add("--resume");
        assertThat(sweep(again, many)).isZero();
        assertThat(out.toString()).contains("256 threads, 28 channels: finished before");
        assertThat(base.resolve("earlier_attempts")).doesNotExist();
    }

    private int sweep(List<String> options, String... trainer) {
        List<Object> line = new ArrayList<>(
                List.of("sweep", "run", "-f", folder.resolve("c.yaml"), "-o", base, "--pause", "0", "--nproc", "1"));
        line.addAll(List.of("--launcher", "command", "-t", "256"));
        if (!options.contains("-c")) {
            line.addAll(List.of("-c", "28"));
        }
        line.addAll(options);
        line.add("--");
        line.addAll(List.of(trainer));
        return TestProgram.run(out, err, line.toArray());
    }
}
