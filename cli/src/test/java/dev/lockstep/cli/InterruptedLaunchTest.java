// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Launches in a program of their own: signals, and programs that are found on its PATH. */
class InterruptedLaunchTest {
    @TempDir
    private Path folder;

    private Path programs;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(folder.resolve("c.yaml"), "training: {max_steps: 3}\n");
        programs = Files.createDirectory(folder.resolve("programs"));
        Files.writeString(folder.resolve("train.py"), "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aSignalEndsTheProcessesOfTheRunAndNoOthers(String signal) throws Exception {
        assumeThat(Processes.ignores(signal)).isFalse();
        Processes.script(programs.resolve("torchrun"), """
            bash -c 'trap "" TERM INT; echo $$ > worker; while :; do sleep 0.1; done' train.py &
            trap 'echo asked > asked; exit 3' TERM
            while :; do sleep 0.1; done
            """);
        Process bystander = new ProcessBuilder("bash", "-c", "exec -a 'torchrun train.py' sleep 1000").start();
        try {
            Process launch =
                    start("sweep", "run", "-f", "c.yaml", "-c", "28,42", "-t", "256", "-o", "out", "--grace", "0.5");
            Path worker = folder.resolve("worker");
            while (!Files.exists(worker) || Files.readString(worker).isBlank()) {
                assertThat(launch.isAlive()).isTrue();
                Thread.sleep(20);
            }
            Thread.sleep(600); // the tree of processes is looked at now and then

            assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(launch.pid()))
                            .start()
                            .waitFor())
                    .isZero();

            assertThat(launch.waitFor()).isEqualTo(ExitStatus.INTERRUPTED);
            assertThat(Processes.isRunning(
                            Long.parseLong(Files.readString(worker).strip())))
                    .isFalse();
            assertThat(folder.resolve("asked")).exists();
            assertThat(bystander.isAlive()).isTrue();
        } finally {
            bystander.destroyForcibly();
        }
        Path run = folder.resolve("out/256thread/nccl_28channels");
        assertThat(Files.readString(run.resolve("lockstep_run.json")))
                .contains("\"status\" : \"STOPPED\"", "\"reason\" : \"stopped by the user\"");
        assertThat(Files.readString(folder.resolve("stdout")))
                .contains("256        28              STOPPED", "256        42              UNKNOWN    N/A");
        assertThat(folder.resolve("out/256thread/nccl_42channels")).doesNotExist();
        assertThat(summaries()).singleElement().asString().contains("STOPPED", "UNKNOWN    N/A");
        assertThat(Files.readString(folder.resolve("stdout"))).contains("Stopped. --resume goes on from here");

        Processes.script(programs.resolve("torchrun"), "exit 0");
        Process again = start(
                "sweep", "run", "-f", "c.yaml", "-c", "28,42", "-t", "256", "-o", "out", "--pause", "0", "--resume");
        assertThat(again.waitFor()).isZero();
        assertThat(folder.resolve("out/earlier_attempts/1/256thread/nccl_28channels/run_output.log"))
                .exists();
    }

    /** When its own files cannot be staged any more, and no run has been started. */
    @Test
    void aSignalBeforeTheFirstRunIsToldAsOneDuringIt() throws Exception {
        assumeThat(Processes.ignores("TERM")).isFalse();
        Processes.script(programs.resolve("git"), "kill -TERM $PPID; sleep 0.5");
        Processes.script(programs.resolve("torchrun"), "touch started");

        Process launch = start("sweep", "run", "-f", "c.yaml", "-c", "28,42", "-t", "256", "-o", "out");

        assertThat(launch.waitFor()).isEqualTo(ExitStatus.INTERRUPTED);
        assertThat(Files.readString(folder.resolve("stdout"))).contains("Stopped. --resume goes on from here");
        assertThat(summaries())
                .singleElement()
                .asString()
                .contains("28              UNKNOWN", "42              UNKNOWN");
        assertThat(folder.resolve("out/256thread")).doesNotExist();
        assertThat(folder.resolve("started")).doesNotExist();
    }

    private List<String> summaries() throws IOException {
        List<String> texts = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder.resolve("out"), "*_summary_*.txt")) {
            for (Path file : files) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    @Test
    void torchrunIsStartedAsTheOldLauncherDid() throws Exception {
        Processes.script(
                programs.resolve("torchrun"), "echo \"torchrun $*\"; env | grep -E '^(RCCL|NCCL|HSA|PYTORCH)_' | sort");

        Process launch = start("config", "run", "-c", "c.yaml", "-p", "56,256");

        assertThat(launch.waitFor()).isZero();
        Path base = onlyFolder(folder.resolve("experiments"));
        assertThat(base.getFileName().toString()).matches("rccl_warp_speed_\\d{8}_\\d{6}");
        Path run = folder.relativize(base).resolve("56cu_256threads");
        assertThat(folder.resolve(run).resolve("run_output.log"))
                .hasContent("torchrun --nproc_per_node 8 train.py --config c.yaml --override training.max_steps=100"
                        + " profiling.tensorboard=false training.output_dir="
                        + run + "\n"
                        + "HSA_ENABLE_SDMA=0\nPYTORCH_ROCM_PROFILER_ENABLE_TRACING=1\nRCCL_THREADS_PER_BLOCK=256\n"
                        + "RCCL_UNROLL_FACTOR=1\nRCCL_WARP_SPEED_CU_COUNT=56\nRCCL_WARP_SPEED_ENABLE=1");
    }

    @Test
    void resumingFindsTheLatestLaunch() throws Exception {
        Processes.script(programs.resolve("torchrun"), "[ -e mended ]");
        Path earlier = Files.createDirectories(folder.resolve("experiments/sweep_20250101_000000"));
        assertThat(start("sweep", "run", "-f", "c.yaml", "-c", "28", "-t", "256")
                        .waitFor())
                .isEqualTo(ExitStatus.NOTHING);
        Files.createFile(folder.resolve("mended"));

        assertThat(start("sweep", "run", "-f", "c.yaml", "-c", "28", "-t", "256", "--resume")
                        .waitFor())
                .isZero();

        assertThat(earlier).isEmptyDirectory();
        assertThat(folder.resolve("experiments").toFile().list()).hasSize(2);
    }

    @Test
    void containersAreMadeForEachRunAndStoppedByName() throws Exception {
        Processes.script(programs.resolve("docker"), """
            echo "docker $*" >> docker.log
            case "$*" in
            *" version") exit 0 ;;
            compose*run*) [ -e broken ] && exit 5; exit 0 ;;
            esac
            """);
        Files.createDirectory(folder.resolve("docker"));
        Files.writeString(folder.resolve("docker/docker-compose.yaml"), "services: {}\n");

        assertThat(start("config", "run", "-c", "c.yaml", "-p", "56,256", "-o", "out", "--container")
                        .waitFor())
                .isZero();
        assertThat(Files.readString(folder.resolve("docker.log")))
                .containsPattern("docker compose -f docker/docker-compose.yaml run --rm --no-deps -T --name"
                        + " lockstep-[0-9_]+-56cu_256threads -e RCCL_WARP_SPEED_ENABLE=1 .* rccl-warpspeed torchrun ")
                .doesNotContain("docker stop");
        Files.createFile(folder.resolve("broken"));
        assertThat(start("config", "run", "-c", "c.yaml", "-p", "56,256", "-o", "out2", "--container=other")
                        .waitFor())
                .isEqualTo(ExitStatus.NOTHING);
        assertThat(Files.readString(folder.resolve("docker.log")))
                .containsPattern(" other torchrun ")
                .containsPattern("docker stop -t 10 lockstep-[0-9_]+-56cu_256threads");
    }

    @Test
    void theProgramBeforeComposeTwoIsTakenWhereItIsAlone() throws Exception {
        Processes.script(programs.resolve("docker"), "exit 1");
        Processes.script(programs.resolve("docker-compose"), """
            echo "docker-compose $*" >> docker.log
            case "$*" in
            *" config") printf 'services: {rocm70: {volumes: ["%s:/workspace"]}}' "$(pwd -P)" ;;
            esac
            """);
        Files.writeString(folder.resolve("compose.yaml"), "services: {}\n");

        assertThat(start(
                                "sweep",
                                "run",
                                "-f",
                                "c.yaml",
                                "-c",
                                "28",
                                "-t",
                                "256",
                                "-o",
                                "out",
                                "--container",
                                "--compose-file",
                                "compose.yaml")
                        .waitFor())
                .as(Files.readString(folder.resolve("stderr")))
                .isZero();

        assertThat(Files.readString(folder.resolve("docker.log")))
                .containsPattern("docker-compose -f compose.yaml run --rm --no-deps -T --name \\S+ -w /workspace -e ");
    }

    @Test
    void nodesShareAFolderAndEachKeepsItsOwnLogAndManifest() throws Exception {
        Processes.script(programs.resolve("torchrun"), "echo \"torchrun $*\"; [ ! -e broken ]");
        assertThat(node(0).waitFor())
                .as(Files.readString(folder.resolve("stderr")))
                .isZero();
        assertThat(node(1).waitFor())
                .as(Files.readString(folder.resolve("stderr")))
                .isZero();

        Path run = folder.resolve("out/256thread/nccl_28channels");
        assertThat(Files.readString(run.resolve("run_output.node0.log")))
                .startsWith("torchrun --nnodes 3 --node_rank 0 --master_addr first --master_port 29500");
        assertThat(Files.readString(run.resolve("run_output.node1.log"))).contains("--node_rank 1");
        assertThat(Files.readString(run.resolve("lockstep_run.node1.json")))
                .contains("\"SUCCESS\"", "\"count\" : 3", "\"master\" : \"first:29500\"");
        assertThat(node(1).waitFor()).isEqualTo(ExitStatus.USAGE);
        assertThat(node(1, "--resume").waitFor()).isZero();

        Files.createFile(folder.resolve("broken"));
        assertThat(node(2).waitFor()).isEqualTo(ExitStatus.NOTHING);
        assertThat(node(2, "--resume").waitFor()).isEqualTo(ExitStatus.USAGE);
        assertThat(Files.readString(folder.resolve("stderr"))).contains("was begun by this node and not finished");
        assertThat(run.resolve("run_output.node0.log")).exists();
    }

    private Process node(int rank, String... more) throws IOException {
        List<String> line =
                new ArrayList<>(List.of("sweep", "run", "-f", "c.yaml", "-c", "28", "-t", "256", "-o", "out"));
        line.addAll(List.of("--nnodes", "3", "--node-rank", Integer.toString(rank), "--master", "first"));
        line.addAll(List.of(more));
        return start(line.toArray(String[]::new));
    }

    @Test
    void severalNodesAskForWhatTheyNeed() throws Exception {
        assertThat(start("sweep", "run", "-f", "c.yaml", "--nnodes", "2", "--master", "h:99999")
                        .waitFor())
                .isEqualTo(ExitStatus.USAGE);
        assertThat(Files.readString(folder.resolve("stderr")))
                .contains("--node-rank: which of the 2 nodes", "--output: several nodes", "is no HOST:PORT");
        assertThat(start("sweep", "run", "-f", "c.yaml", "--node-rank", "1").waitFor())
                .isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void aMissingEngineIsSaidSo() throws Exception {
        Processes.script(programs.resolve("docker"), "exit 1");
        Processes.script(programs.resolve("docker-compose"), "exit 1");
        Files.writeString(folder.resolve("compose.yaml"), "services: {}\n");

        Process launch =
                start("sweep", "run", "-f", "c.yaml", "-o", "out", "--container", "--compose-file", "compose.yaml");

        assertThat(launch.waitFor()).isEqualTo(ExitStatus.USAGE);
        assertThat(Files.readString(folder.resolve("stderr"))).contains("there is no engine for containers", "Hint:");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private Process start(String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("stdout").toFile())
                .redirectError(folder.resolve("stderr").toFile());
        builder.environment().merge("PATH", programs.toString(), (path, first) -> first + File.pathSeparator + path);
        builder.environment().keySet().removeIf(key -> key.matches("(RCCL|NCCL|HSA|PYTORCH)_.*"));
        return builder.start();
    }

    private static Path onlyFolder(Path parent) throws IOException {
        try (var children = Files.list(parent)) {
            List<Path> all = children.toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }
}
