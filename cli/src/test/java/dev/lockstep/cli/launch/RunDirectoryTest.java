// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunDirectoryTest {
    @TempDir
    Path folder;

    /** As {@code tensorboard_trace_handler} names them by default and with {@code worker_name}, and as folders of ranks do. */
    @ParameterizedTest
    @CsvSource({
        "'rank0/trace.json, rank1/a.json.gz, rank1/b.json', 2",
        "'node_1701.1699999999123.pt.trace.json, node_1702.1699999999124.pt.trace.json', 2",
        "'rank0.1699999999123.pt.trace.json.gz, rank0.1699999999999.pt.trace.json.gz, rank1.1.pt.trace.json.gz', 2",
        "'worker_a.1.pt.trace.json, worker_b.2.pt.trace.json, worker_b.3.pt.trace.json', 2",
        "'first/trace_10.json, first/trace_20.json, second/trace_10.json', 2",
        "'rank0/trace.json.zip, rank1/trace.pftrace', 2",
        "'rank0/notes.txt', 0",
    })
    void ranksThatLeftTracesAreCountedOnce(String files, int ranks) throws IOException {
        for (String file : files.split(", ")) {
            Path path = folder.resolve("torch_profiler").resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "{}");
        }

        assertThat(new RunDirectory(folder, LaunchNodes.alone(8)).tracedRanks()).isEqualTo(ranks);
    }

    @Test
    void tracesMayLieBehindALink() throws IOException {
        Path traces = Files.createDirectories(folder.resolve("elsewhere/rank0"));
        Files.writeString(traces.resolve("trace.json"), "{}");
        Path run = Files.createDirectory(folder.resolve("run"));
        Files.createSymbolicLink(run.resolve("torch_profiler"), traces.getParent());

        assertThat(new RunDirectory(run, LaunchNodes.alone(8)).tracedRanks()).isEqualTo(1);
    }

    @Test
    void whatWasMadeForARunThatWasNotStartedGoesUpToTheLaunch() throws IOException {
        for (String name : List.of("256thread/nccl_28channels", "256thread/nccl_42channels")) {
            Files.createDirectories(folder.resolve("out").resolve(name));
        }
        RunDirectory first = new RunDirectory(folder.resolve("out/256thread/nccl_28channels"), LaunchNodes.alone(8));
        RunDirectory second = new RunDirectory(folder.resolve("out/256thread/nccl_42channels"), LaunchNodes.alone(8));

        first.removeEmpty(folder.resolve("out"));
        assertThat(first.path()).doesNotExist();
        assertThat(second.path()).exists();

        second.removeEmpty(folder.resolve("out"));
        assertThat(folder.resolve("out")).isEmptyDirectory();
    }
}
