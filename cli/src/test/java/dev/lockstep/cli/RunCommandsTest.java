// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code config run} and {@code sweep run} with trainers that are shell scripts. */
class RunCommandsTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path base;

    @BeforeEach
    void writeConfiguration() throws IOException {
        Files.writeString(folder.resolve("c.yaml"), "training:\n  max_steps: 3\nprofiling:\n  enabled: false\n");
        base = folder.resolve("sweep");
    }

    @Test
    void aSweepRunsEveryCellInOrderAndWritesItDown() throws IOException {
        Path trainer = trainer("""
            echo "$RCCL_THREADS_PER_BLOCK $NCCL_MAX_NCHANNELS" >> "$ORDER"
            echo "out $*"; echo "err" >&2
            """);

        int status = sweep(trainer, "-c", "28,42", "-t", "256,512", "--env", "ORDER=" + folder.resolve("order"));

        assertThat(err.toString()).contains("switches recording off").doesNotContain("exit status");
        assertThat(status).isZero();
        assertThat(folder.resolve("order")).hasContent("256 28\n256 42\n512 28\n512 42");
        Path run = base.resolve("512thread/nccl_28channels");
        assertThat(Files.readString(run.resolve("run_output.log")))
                .isEqualTo("out --config " + folder.resolve("c.yaml")
                        + " --override training.max_steps=100 profiling.tensorboard=false training.output_dir=" + run
                        + "\nerr\n");
        assertThat(Files.readString(run.resolve("lockstep_run.json")))
                .contains("\"status\" : \"SUCCESS\"", "\"exit_code\" : 0", "\"NCCL_MAX_NCHANNELS\" : \"28\"")
                .contains("\"config_sha256\"", "\"java\"", "\"processors\"", "\"command\" : [", "\"ended\"");
        assertThat(summary()).contains("256        28              SUCCESS    0              \n");
        assertThat(out.toString()).contains("Next: lockstep sweep all " + base);
        assertThat(files("nccl_thread_sweep_2")).hasSize(1);
    }

    @Test
    void theServiceOfAContainerStandsBehindItsOption() {
        String config = folder.resolve("c.yaml").toString();

        int status = Main.run(
                new PrintWriter(out), new PrintWriter(err), "sweep", "run", "--container", "rocm70", "-f", config);

        assertThat(status).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("--container takes the service behind =: --container=rocm70");
    }

    @Test
    void someFailedRunsArePartialAndTheirLastLinesAreShown() throws IOException {
        Path trainer = trainer("""
            [ $NCCL_MAX_NCHANNELS = 28 ] || { for i in $(seq 30); do echo "line $i"; done; exit 7; }
            """);

        assertThat(sweep(trainer, "-c", "28,42", "-t", "256")).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString())
                .contains("256 threads, 42 channels: the trainer ended with exit status 7", "    line 30")
                .doesNotContain("    line 10\n");
        assertThat(summary()).contains("256        28              SUCCESS", "256        42              FAILED");
        assertThat(Files.readString(base.resolve("256thread/nccl_42channels/lockstep_run.json")))
                .contains("\"status\" : \"FAILED\"", "\"exit_code\" : 7", "\"reason\" : \"the trainer ended with exit");
        assertThat(sweep(trainer, "-c", "28,42", "-t", "256", "--resume", "--allow-partial"))
                .isZero();
    }

    @Test
    void aLaunchWithoutAnySuccessHasNothingToShow() throws IOException {
        assertThat(sweep(trainer("exit 1"), "-c", "28", "-t", "256")).isEqualTo(ExitStatus.NOTHING);
    }

    @Test
    void whatIsFinishedIsNotRunAgainAndWhatFailedIsPutAside() throws IOException {
        Path trainer = trainer("""
            echo run >> "$COUNT/$NCCL_MAX_NCHANNELS"
            touch "${4#training.output_dir=}/left_behind" 2>/dev/null
            [ $NCCL_MAX_NCHANNELS = 28 ] || [ -e "$COUNT/mended" ]
            """);
        String[] arguments = {"-c", "28,42", "-t", "256", "--env", "COUNT=" + folder};
        assertThat(sweep(trainer, arguments)).isEqualTo(ExitStatus.PARTIAL);
        Files.createFile(folder.resolve("mended"));
        String before = Files.readString(base.resolve("256thread/nccl_28channels/lockstep_run.json"));

        assertThat(sweep(trainer, with(arguments, "--resume"))).isZero();

        assertThat(folder.resolve("28")).hasContent("run");
        assertThat(folder.resolve("42")).hasContent("run\nrun");
        assertThat(Files.readString(base.resolve("256thread/nccl_28channels/lockstep_run.json")))
                .isEqualTo(before);
        assertThat(base.resolve("earlier_attempts/1/256thread/nccl_42channels/run_output.log"))
                .exists();
        assertThat(out.toString()).contains("1/2 256 threads, 28 channels: finished before");
    }

    @Test
    void whatWasFinishedWithOtherSettingsIsNotTakenForTheSame() throws IOException {
        Path trainer = trainer("exit 0");
        String[] arguments = {"-c", "28", "-t", "256"};
        assertThat(sweep(trainer, with(arguments, "--env", "A=1"))).isZero();

        assertThat(sweep(trainer, with(arguments, "--resume", "--env", "A=2", "--env", "B=3")))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("finished with other settings: B was unset, A has another value");
        Files.writeString(folder.resolve("c.yaml"), "training: {max_steps: 4}\n");
        assertThat(sweep(trainer, with(arguments, "--resume", "--env", "A=1", "--override", "x.y=1")))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("the command is another one, the configuration file has changed");
    }

    @Test
    void noSecretReachesAFileOrTheConsole() throws IOException {
        Path trainer = trainer("""
            echo "I was given $* with $HF_TOKEN and $OTHER"; env; exit 3
            """);
        String[] arguments = {
            "-c",
            "28",
            "-t",
            "256",
            "--tee",
            "--env",
            "HF_TOKEN=hfS3CRET77",
            "--env",
            "OTHER=v4lueOfIts0wn",
            "--env",
            "NCCL_IB_HCA=https://me:urlS3CRET77@h",
            "--override",
            "wandb.api_key=wbS3CRET77"
        };

        assertThat(sweep(trainer, with(arguments, "--dry-run"))).isZero();
        assertThat(out.toString())
                .contains("HF_TOKEN='***'", "wandb.api_key=***")
                .doesNotContain("S3CRET77");
        assertThat(sweep(trainer, arguments)).isEqualTo(ExitStatus.NOTHING);

        assertThat(out + "" + err).contains("with *** and v4lueOfIts0wn").doesNotContain("S3CRET77");
        for (String content : TestProgram.files(base).values()) {
            assertThat(content).doesNotContain("S3CRET77");
        }
        Path manifest = base.resolve("256thread/nccl_28channels/lockstep_run.json");
        assertThat(Files.readString(manifest))
                .contains("\"HF_TOKEN\" : null", "\"OTHER\" : null", "\"NCCL_IB_HCA\" : \"https://***@h\"")
                .contains("\"NCCL_MAX_NCHANNELS\" : \"28\"", "wandb.api_key=***")
                .doesNotContain("v4lueOfIts0wn");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(manifest)))
                .isEqualTo("rw-------");
    }

    @Test
    void secretsMayChangeBetweenALaunchAndItsResumption() throws IOException {
        Path trainer = trainer("exit 0");
        String[] arguments = {"-c", "28", "-t", "256", "--env", "A=1", "--override", "x.token=one111"};
        assertThat(sweep(trainer, with(arguments, "--env", "HF_TOKEN=first111")))
                .isZero();

        arguments[7] = "x.token=two222";
        assertThat(sweep(trainer, with(arguments, "--env", "HF_TOKEN=second222", "--resume")))
                .isZero();
        assertThat(sweep(trainer, with(arguments, "--resume"))).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("HF_TOKEN was set and is unset");
    }

    @Test
    void messagesDoNotRepeatSecrets() throws IOException {
        Path trainer = trainer("exit 0");

        assertThat(sweep(trainer, "--env", "HF-TOKEN=dashS3CRET77")).isEqualTo(ExitStatus.USAGE);
        assertThat(sweep(trainer, "--api-key=optionS3CRET77")).isEqualTo(ExitStatus.USAGE);
        assertThat(sweep(folder.resolve("API_KEY=programS3CRET77"))).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("***").doesNotContain("S3CRET77");
    }

    @Test
    void aSecondLaunchIntoTheSameFolderIsRefusedWhileTheFirstRuns() throws IOException {
        Path trainer = trainer("exit 0");
        Path lock = Files.createDirectories(base).resolve(".lockstep_launch");
        try (FileChannel other = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            other.write(ByteBuffer.wrap("process 7 on node3".getBytes(StandardCharsets.UTF_8)));
            other.lock(Long.MAX_VALUE - 1, 1, false);

            assertThat(sweep(trainer, "-c", "28", "-t", "256", "--resume")).isEqualTo(ExitStatus.USAGE);
            assertThat(err.toString())
                    .contains("another launch writes into " + base + ": process 7 on node3", "--output");
            assertThat(base.toFile().list()).containsExactly(".lockstep_launch");
        }
        // What a killed launch leaves is in nobody's way, and goes.
        assertThat(lock).exists();
        assertThat(sweep(trainer, "-c", "28", "-t", "256")).isZero();
        assertThat(lock).doesNotExist();
    }

    @Test
    void foldersThatAreThereAreLeftAlone() throws IOException {
        Path trainer = trainer("exit 0");
        Path there = Files.createDirectories(base.resolve("256thread/nccl_28channels"));
        Path file = Files.writeString(there.resolve("keep"), "me");

        assertThat(sweep(trainer, "-c", "28,42", "-t", "256")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains(there + " is there already", "--resume");
        assertThat(base.resolve("256thread/nccl_42channels")).doesNotExist();
        assertThat(sweep(trainer, "-c", "28,42", "-t", "256", "-s")).isZero();
        assertThat(there.toFile().list()).containsExactly("keep");
        assertThat(file).hasContent("me");
        assertThat(summary()).contains("256        28              SKIPPED    N/A");
    }

    @Test
    void ranksThatAreStartedDirectlySeeTheirPlaces() throws IOException {
        Path trainer = trainer("""
            echo "I am $RANK/$LOCAL_RANK of $WORLD_SIZE/$LOCAL_WORLD_SIZE at $MASTER_ADDR:$MASTER_PORT"
            """);

        assertThat(config(trainer, "--nproc", "3", "-p", "56,256")).isZero();
        String log = Files.readString(base.resolve("56cu_256threads/run_output.log"));
        assertThat(log.lines().sorted())
                .hasSize(3)
                .first()
                .asString()
                .matches("\\[rank0\\] I am 0/0 of 3/3 at 127\\.0\\.0\\.1:\\d+");
        assertThat(log.lines().map(line -> line.replaceAll(".*:", "")).distinct())
                .hasSize(1);
    }

    @Test
    void whenOneRankFailsTheOthersDoNotWaitForEver() throws IOException {
        Path trainer = trainer("""
            echo "rank $RANK is here"
            [ $RANK = 2 ] && exit 9
            sleep 1000
            """);

        assertThat(config(trainer, "--nproc", "3", "-p", "56,256")).isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString())
                .contains("56cu_256threads: rank 2 ended with exit status 9", "    [rank2] rank 2 is here");
        assertThat(Files.readString(base.resolve("56cu_256threads/lockstep_run.json")))
                .contains("\"exit_code\" : 9", "\"exit_code\" : 143");
        assertThat(summary()).contains("56cu_256threads      56         256             FAILED     (duration: ");
    }

    @Test
    void aRankThatIsKilledIsNamedWithTheSignal() throws IOException {
        Path trainer = trainer("[ $RANK = 1 ] && kill -9 $$\nsleep 1000");

        assertThat(config(trainer, "--nproc", "2", "-p", "56,256")).isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString()).contains("rank 1 ended with exit status 137 (signal 9)");
    }

    @Test
    void whatTakesTooLongIsEndedWithAllThatItStarted() throws IOException {
        Path trainer = trainer("""
            (trap '' TERM; echo $BASHPID > "$FOLDER/stubborn"; while :; do sleep 0.1; done) &
            sleep 1000
            """);

        assertThat(sweep(
                        trainer,
                        "-c",
                        "28",
                        "-t",
                        "256",
                        "--timeout",
                        "1.5",
                        "--grace",
                        "0.3",
                        "--env",
                        "FOLDER=" + folder))
                .isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString()).contains("took longer than 00:01");
        long stubborn =
                Long.parseLong(Files.readString(folder.resolve("stubborn")).strip());
        assertThat(Processes.isRunning(stubborn)).isFalse();
    }

    @Test
    void whatATrainerLeavesRunningIsEnded() throws IOException {
        Path trainer = trainer("""
            (echo $BASHPID > "$FOLDER/child"; exec sleep 1000) &
            sleep 1.5
            """);

        assertThat(sweep(trainer, "-c", "28", "-t", "256", "--env", "FOLDER=" + folder))
                .isZero();
        assertThat(Processes.isRunning(
                        Long.parseLong(Files.readString(folder.resolve("child")).strip())))
                .isFalse();
    }

    @Test
    void outputIsShownOnRequest() throws IOException {
        Path trainer = trainer("printf 'no newline at the end'");

        assertThat(sweep(trainer, "-c", "28", "-t", "256", "--tee")).isZero();
        assertThat(out.toString()).contains("no newline at the end\n");
        assertThat(base.resolve("256thread/nccl_28channels/run_output.log")).hasContent("no newline at the end\n");
    }

    @Test
    void quietLaunchesPrintNothingButStillWriteEverything() throws IOException {
        assertThat(sweep(trainer("exit 0"), "-c", "28", "-t", "256", "--quiet")).isZero();
        assertThat(out.toString()).isEmpty();
        assertThat(summary()).contains("SUCCESS");
    }

    @Test
    void optionsThatAreGivenAgainAddTheirValues() throws IOException {
        Path trainer = trainer("exit 0");

        assertThat(sweep(trainer, "--override", "a=1", "--override", "b=2", "c=3", "--dry-run"))
                .isZero();
        assertThat(out.toString()).contains(" a=1 b=2 c=3 ");
        assertThat(config(trainer, "-p", "1,2", "-p", "3,4", "--dry-run")).isZero();
        assertThat(out.toString()).contains("# 1/2: 1cu_2threads", "# 2/2: 3cu_4threads");
    }

    @Test
    void theLogHasTheVariablesThatTheTrainerIsGiven() throws IOException {
        assertThat(sweep(trainer("exit 0"), "-c", "28", "-t", "256", "--env", "NCCL_MAX_NCHANNELS=4"))
                .isZero();
        assertThat(out.toString()).contains("  NCCL_MAX_NCHANNELS=4\n").doesNotContain("NCCL_MAX_NCHANNELS=28");
    }

    @Test
    void placesWhereNoRanksCanMeetAreRefused() throws IOException {
        Path trainer = trainer("exit 0");
        for (String place : List.of("[", "[::1", "]:1", "[]:1", "h:0", ":1")) {
            assertThat(sweep(trainer, "--nnodes", "2", "--node-rank", "0", "--master", place))
                    .isEqualTo(ExitStatus.USAGE);
            assertThat(err.toString()).contains("--master: '" + place + "' is no HOST:PORT");
        }
        assertThat(sweep(trainer, "--nnodes", "2000000000", "--node-rank", "1", "--master", "[::1]:5", "--nproc", "2"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("--nnodes: 2000000000 nodes have more ranks than can be counted");
    }

    @Test
    void noSummaryIsWrittenIfNoneIsWanted() throws IOException {
        assertThat(sweep(trainer("exit 0"), "-c", "28", "-t", "256", "-n")).isZero();
        assertThat(files("nccl_thread_sweep_summary_")).isEmpty();
    }

    @Test
    void rankTracesThatAreMissingAreNamed() throws IOException {
        Files.writeString(folder.resolve("c.yaml"), "training: {}\n");
        Path trainer = trainer("""
            dir=${!#}; dir=${dir#training.output_dir=}
            mkdir -p "$dir/torch_profiler/rank0" && echo '{}' > "$dir/torch_profiler/rank0/trace.json"
            """);

        assertThat(sweep(trainer, "-c", "28", "-t", "256", "--nproc", "2")).isZero();
        assertThat(out.toString()).contains("traces of 1 rank\n");
        assertThat(err.toString()).contains("traces of 1 of 2 ranks");
    }

    @Test
    void aDryRunStartsAndWritesNothing() throws IOException {
        Path trainer = trainer("exit 1");

        assertThat(sweep(trainer, "-c", "28,42", "-t", "256", "--dry-run")).isZero();
        assertThat(base).doesNotExist();
        assertThat(out.toString())
                .contains("# 2/2: 256 threads, 42 channels", "NCCL_MAX_NCHANNELS=42 \\\n", trainer + " --config");
    }

    @Test
    void wrongArgumentsAreSaidBeforeAnythingStarts() throws IOException {
        Path trainer = trainer("exit 0");

        assertThat(sweep(trainer, "-c", "28,x", "-t", "0", "--timeout", "soon", "--env", "1=2"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString())
                .contains("--channels: 'x'", "--threads: '0'", "--timeout: 'soon'", "--env: '1=2' is no KEY=VALUE");
        assertThat(sweep(trainer, "--resume", "--skip-existing")).isEqualTo(ExitStatus.USAGE);
        assertThat(sweep(trainer, "--stats")).isEqualTo(ExitStatus.USAGE);
        assertThat(sweep(folder.resolve("absent.sh"), "-c", "28")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("there is no program " + folder.resolve("absent.sh"));
        assertThat(base).doesNotExist();
    }

    @Test
    void aConfigurationThatIsNoneIsSaidSo() throws IOException {
        Path trainer = trainer("exit 0");
        Files.writeString(folder.resolve("c.yaml"), "training: [1,\n");
        assertThat(sweep(trainer)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("c.yaml is neither YAML nor JSON");
        Files.writeString(folder.resolve("c.yaml"), "just words\n");
        assertThat(sweep(trainer)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("c.yaml holds no sections");
        Files.delete(folder.resolve("c.yaml"));
        assertThat(sweep(trainer)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("there is no such file\nHint: --config names it");
        assertThat(base).doesNotExist();
    }

    private int sweep(Path trainer, String... arguments) {
        return run(List.of("sweep", "run", "-f"), "command", trainer, arguments);
    }

    private int config(Path trainer, String... arguments) {
        return run(List.of("config", "run", "-c"), "direct", trainer, arguments);
    }

    private int run(List<String> command, String launcher, Path trainer, String... arguments) {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(folder.resolve("c.yaml").toString(), "-o", base.toString(), "--pause", "0"));
        line.addAll(List.of("--launcher", launcher));
        line.addAll(List.of(arguments));
        line.addAll(List.of("--", trainer.toString()));
        return Main.run(new PrintWriter(out), new PrintWriter(err), line.toArray(String[]::new));
    }

    private Path trainer(String script) throws IOException {
        return Processes.script(folder.resolve("trainer.sh"), script);
    }

    private String summary() throws IOException {
        String prefix = Files.exists(base.resolve("56cu_256threads"))
                ? "rccl_warp_speed_summary_"
                : "nccl_thread_sweep_summary_";
        return Files.readString(files(prefix).getLast());
    }

    private List<Path> files(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(base)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }
}
