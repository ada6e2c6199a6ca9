// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static dev.lockstep.testkit.Pickled.change;
import static dev.lockstep.testkit.Pickled.frame;
import static dev.lockstep.testkit.Pickled.segment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.Pickled;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path snapshot(String name, long size) throws IOException {
        List<Object> stack = List.of(
                frame("malloc", "??", 0),
                frame("inner", "/usr/lib/python3.11/contextlib.py", 81),
                frame("forward", "/home/u/model.py", 42),
                frame("main", "/home/u/train.py", 7));
        Path file = folder.resolve(name);
        Files.write(
                file,
                Pickled.of(
                        Pickled.snapshot(
                                List.of(segment(0, 1L << 30, 1000)),
                                List.of(
                                        change("alloc", 16, size, 5, stack),
                                        change("free_completed", 16, size, 9, stack))),
                        4));
        return file;
    }

    private String sheet(String name) throws IOException {
        return Files.readString(folder.resolve("csv").resolve(name + ".csv"));
    }

    @Test
    void aSnapshotSaysWhoHoldsThePeak() throws IOException {
        int status = TestProgram.run(out, err, "memory", snapshot("a.pickle", 5000), "--csv", folder.resolve("csv"));

        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
        assertThat(sheet("memory_peak").lines())
                .contains(
                        "0,forward /home/u/model.py:42,,forward /home/u/model.py:42,,1,5000,83.33333333333333,step",
                        "0,baseline,,,,,1000,16.666666666666668,baseline");
        assertThat(sheet("memory_segments")).contains("0,0,1073741824,1073740824,1073740824,0");
        assertThat(out.toString())
                .contains("Device 0 at peak: 1 GiB reserved", "Device 0 allocates 5.86 KiB at its peak.");
    }

    @Test
    void memoryOfGraphsIsNoFragment() throws IOException {
        Map<String, Object> ofGraph = new LinkedHashMap<>(segment(0, 1L << 30, 0));
        ofGraph.put("segment_pool_id", List.of(0L, 3L));
        Map<String, Object> common = new LinkedHashMap<>(segment(0, 1 << 20, 1000));
        common.put("segment_pool_id", List.of(0L, 0L));
        Path file = folder.resolve("a.pickle");
        Files.write(
                file,
                Pickled.of(
                        Pickled.snapshot(List.of(ofGraph, common), List.of(change("alloc", 16, 500, 5, List.of()))),
                        4));

        assertThat(TestProgram.run(out, err, "memory", file, "--csv", folder.resolve("csv")))
                .isZero();
        assertThat(sheet("memory_segments")).contains("0,0,1073741824,1073741824,1073741824,3");
        assertThat(out.toString())
                .contains("1 GiB (99.9 %) of it unused in private pools")
                .doesNotContain("expandable_segments");
    }

    @Test
    void moreFramesNameTheOwnerOnRequest() throws IOException {
        TestProgram.run(
                out, err, "memory", snapshot("a.pickle", 5000), "--csv", folder.resolve("csv"), "--frame-depth", 2);

        assertThat(sheet("memory_ops")).contains("forward /home/u/model.py:42 < main /home/u/train.py:7");
    }

    @Test
    void twoSnapshotsSayWhatSetsThemApart() throws IOException {
        int status = TestProgram.run(
                out,
                err,
                "memory",
                snapshot("a.pickle", 5000),
                snapshot("b.pickle", 8000),
                "--csv",
                folder.resolve("csv"),
                "--html",
                folder.resolve("page.html"));

        assertThat(status).isZero();
        assertThat(sheet("memory_diff").lines())
                .containsExactly(
                        "device,owner,A,B,difference",
                        "0,forward /home/u/model.py:42,5000,8000,3000",
                        "0,baseline,1000,1000,0");
        assertThat(folder.resolve("page.html")).isNotEmptyFile();
    }

    @Test
    void reportAndInfoTakeSnapshotsToo() throws IOException {
        Path file = snapshot("a.pkl", 5000);

        assertThat(TestProgram.run(out, err, "report", file, "--csv", folder.resolve("csv")))
                .isZero();
        assertThat(sheet("memory_steps")).contains("0,all,1000,6000,5,1000,1,5000,1,5000,1073741824,1073735824");
        assertThat(TestProgram.run(out, err, "info", file)).isZero();
        assertThat(out.toString()).contains("memory-snapshot");
    }

    @Test
    void whatCouldRunLeavesNothingBehind() throws IOException {
        Path file = folder.resolve("evil.pickle");
        Files.writeString(file, "(dcos\nsystem\n(S'touch PWNED'\ntR.");

        int status = TestProgram.run(out, err, "memory", file, "--csv", folder.resolve("csv"));

        assertThat(status).isEqualTo(3);
        assertThat(err.toString()).contains("evil.pickle: byte 2: the pickle holds the instruction GLOBAL");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aTraceWithoutMemoryAndAnEmptyHistoryAreSaid() throws IOException {
        Path trace = folder.resolve("trace.json");
        Files.writeString(
                trace,
                "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 1,"
                        + " \"ts\": 1, \"dur\": 1}]}");
        assertThat(TestProgram.run(out, err, "memory", trace)).isEqualTo(5);
        assertThat(err.toString()).contains("profile_memory=True");

        Path empty = folder.resolve("empty.pickle");
        Files.write(empty, Pickled.of(Pickled.snapshot(List.of(), List.of()), 4));
        assertThat(TestProgram.run(out, err, "memory", empty)).isEqualTo(5);
        assertThat(err.toString()).contains("_record_memory_history");
    }

    @Test
    void foldersOfRunsAreNotSearchedForSnapshots() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        Files.move(snapshot("a.pickle", 5000), run.resolve("rank0.pickle"));
        Files.writeString(
                run.resolve("rank0.json"),
                "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 1,"
                        + " \"ts\": 1, \"dur\": 1}]}");

        TestProgram.run(out, err, "info", run);

        assertThat(out.toString()).contains("rank0.json").doesNotContain("rank0.pickle");
    }
}
