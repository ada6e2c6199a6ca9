// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.Lockstep.Options;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.MergeFilter;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.report.Report;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of two ranks that compute and reduce: rank 0 for 100 us and 50 us, rank 1 for 130 us and 20 us, from 1000 us on. */
class LockstepTest {
    private final Lockstep lockstep = Lockstep.open(new Options(2, false));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        lockstep.close();
    }

    @Test
    void tablesOfARankAreReadFromItsFile() throws IOException {
        Table timeline = lockstep.read(twoRanks()).rank(1).table("gpu_timeline");
        assertThat(column(timeline, "type")).startsWith("computation_time", "exposed_comm_time");
        assertThat(timeline.longs(1).get(0)).as("ns").isEqualTo(130_000);
        assertThat(timeline.shown(1, 1)).as("ms").isEqualTo(0.02);
    }

    @Test
    void ranksComeFromFilesFoldersAndPatterns() throws IOException {
        Path run = twoRanks();
        assertThat(ranks(lockstep.read(run))).containsExactly(0, 1);
        assertThat(ranks(lockstep.read(run.resolve("rank*.json")))).containsExactly(0, 1);
        assertThat(ranks(lockstep.read(run.resolve("rank1.json"), run.resolve("rank0.json"))))
                .containsExactly(0, 1);
        assertThat(ranks(lockstep.read(run.resolve("rank1.json")))).containsExactly(1);
    }

    @Test
    void oneRankIsReadWithoutTheOthers() throws IOException {
        Path run = twoRanks();
        Files.writeString(run.resolve("rank0.json"), "{\"distributedInfo\": {\"rank\": 0}, \"traceEvents\": [");
        List<Long> told = new ArrayList<>();
        assertThat(lockstep.read(run).withProgress(told::add).rank(1).source()).endsWith("rank1.json");
        assertThat(told).allMatch(bytes -> bytes <= size(run.resolve("rank1.json")));
    }

    @Test
    void theReportOfARunLiesAroundThoseOfItsRanks() throws IOException {
        Path out = folder.resolve("out");
        List<Path> written = lockstep.report(lockstep.read(twoRanks())).writeTo(out, "csv", "html");
        assertThat(written)
                .containsExactly(
                        out.resolve("csv"),
                        out.resolve("report.html"),
                        out.resolve("csv/rank0"),
                        out.resolve("rank0/report.html"),
                        out.resolve("csv/rank1"),
                        out.resolve("rank1/report.html"));
        assertThat(out.resolve("csv/rank1/gpu_timeline.csv")).content().contains("computation_time,0.13,");
    }

    /** As on a full disk: the folder of all ranks was made by one of them. */
    @Test
    void aReportThatFailsLeavesNoFolder() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        ReportWriter failing = new ReportWriter() {
            @Override
            public String id() {
                return "failing";
            }

            @Override
            public String help() {
                return "";
            }

            @Override
            public String ending() {
                return ".txt";
            }

            @Override
            public void write(Report report, Path target, CellStyle style) throws IOException {
                begun.countDown();
                try {
                    begun.await(1, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
                throw new IOException("full");
            }
        };
        Path out = folder.resolve("out");
        assertThatThrownBy(() -> lockstep.report(lockstep.read(twoRanks()))
                        .writeTo(Map.of(failing, out.resolve("deep/report.txt"))))
                .hasMessageContaining("full");
        assertThat(out).doesNotExist();
    }

    @Test
    void theReportOfOneRankLiesInTheFolderItself() throws IOException {
        Path out = folder.resolve("out");
        lockstep.report(lockstep.read(twoRanks().resolve("rank0.json"))).writeTo(out, "csv");
        assertThat(out.resolve("csv/gpu_timeline.csv")).content().contains("computation_time,0.1,");
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        Path run = twoRanks();
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> lockstep.read(run).rank(7))
                .withMessage(run + ": there is no rank 7")
                .satisfies(e -> assertThat(e.hint()).isEqualTo("There are 0, 1."));
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> lockstep.read(run).rank(0).table("gpu_timelines"))
                .satisfies(e -> assertThat(e.hint()).startsWith("There are ").contains(" gpu_timeline,"));
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> lockstep.read(folder.resolve("*.json")))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INPUT_NOT_FOUND));
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> lockstep.report(lockstep.read(run)).writeTo(folder.resolve("out"), "docx"))
                .withMessage("nothing here writes docx files");
    }

    @Test
    void severalTracesOfARankAreAnErrorUnlessOneIsChosen() throws IOException {
        Path run = twoRanks();
        Files.createDirectories(run.resolve("step_7"));
        Files.copy(run.resolve("rank1.json"), run.resolve("step_7/rank1.json"));
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> lockstep.read(run).ranks())
                .withMessageStartingWith("several traces for a rank:");
        RankSelection latest = new RankSelection(-1, null, true);
        assertThat(ranks(lockstep.read(List.of(run.toString()), latest))).containsExactly(0, 1);
    }

    @Test
    void damageIsToldOrAFailure() throws IOException {
        Path run = twoRanks();
        String whole = Files.readString(run.resolve("rank1.json"));
        Files.writeString(run.resolve("rank1.json"), whole.substring(0, whole.length() - 20));
        Run damaged = lockstep.read(run);
        assertThat(damaged.rank(1).partial()).isTrue();
        assertThat(damaged.members().get(1).status()).isEqualTo(Status.PARTIAL);
        try (Lockstep strict = Lockstep.open(Options.standard().withThreads(1).strictly())) {
            assertThatExceptionOfType(TraceFormatException.class)
                    .isThrownBy(() -> strict.read(run).ranks());
            assertThatExceptionOfType(TraceFormatException.class)
                    .isThrownBy(() -> strict.trace(run.resolve("rank1.json")));
        }
    }

    @Test
    void aMergeHoldsTheRanksThatAreWantedInTheFormatOfItsEnding() throws IOException {
        Run run = lockstep.read(twoRanks());
        MergeFilter one = new MergeFilter(List.of(MergeFilter.parse("rank=1", true)), false);
        MergeResult all = lockstep.merge(run).writeTo(folder.resolve("all.pftrace"));
        MergeResult second =
                lockstep.merge(run).with(new MergeOptions(one, true)).writeTo(folder.resolve("one.json"));
        assertThat(all.summary().slices()).isEqualTo(4);
        assertThat(all.manifest()).isNull();
        assertThat(ranks(lockstep.read(all.file()))).containsExactly(0, 1);
        assertThat(second.summary().slices()).isEqualTo(2);
        assertThat(second.file()).content().contains("[R1] gemm").doesNotContain("[R0] gemm");
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> lockstep.merge(run).writeTo(folder.resolve("all.txt")))
                .satisfies(e -> assertThat(e.hint()).contains(".pftrace"));
    }

    @Test
    void aMergeOnOneClockHasAManifestBesideIt() throws IOException {
        MergeResult result =
                lockstep.merge(lockstep.read(twoRanks())).withClocksAligned(2).writeTo(folder.resolve("all.json"));
        assertThat(result.manifest())
                .isEqualTo(folder.resolve("all.manifest.json"))
                .exists();
        assertThat(result.ranks().worldSize()).isEqualTo(2);
    }

    @Test
    void twoRecordingsDifferByTheirTotalTimes() throws IOException {
        Path slower = Files.writeString(folder.resolve("slower.json"), trace(0, 120, 60));
        DiffResult diff = lockstep.diff(lockstep.trace(twoRanks().resolve("rank0.json")), lockstep.trace(slower));
        assertThat(diff.baselineNs()).isEqualTo(150_000);
        assertThat(diff.candidateNs()).isEqualTo(180_000);
        assertThat(diff.isSlowerBy(20)).isFalse();
        assertThat(diff.isSlowerBy(19)).isTrue();
        assertThat(diff.report().tables()).isNotEmpty();
    }

    @Test
    void finishedReportsAreCompared() throws IOException {
        Path run = twoRanks();
        Files.writeString(run.resolve("rank0.json"), trace(0, 120, 60));
        Path before = report(Files.writeString(folder.resolve("one.json"), trace(0, 100, 50)), "before");
        Path after = report(run.resolve("rank0.json"), "after");
        ReportComparison.Compared compared =
                lockstep.compare(List.of(before, after)).read();
        assertThat(compared.names()).containsExactly("before", "after");
        assertThat(compared.slowdown(1)).isEqualTo(20);
        assertThat(lockstep.compare(List.of(before, after))
                        .named(List.of("a", "b"))
                        .read()
                        .names())
                .containsExactly("a", "b");
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> lockstep.compare(List.of(before, before)).read())
                .satisfies(e -> assertThat(e.setting()).isEqualTo("names of reports"));
    }

    private Path report(Path trace, String name) throws IOException {
        lockstep.report(lockstep.read(trace)).writeTo(folder.resolve(name), "csv");
        return folder.resolve(name);
    }

    @Test
    void aTraceIsCutIntoItsIterations() throws IOException {
        Path trace = Files.writeString(folder.resolve("steps.json"), steps(3));
        Split split = lockstep.split(trace).with(each());
        Split.Parts all = split.writeTo(folder.resolve("all"));
        assertThat(all.whole()).isTrue();
        assertThat(all.remarks()).isEmpty();
        assertThat(folder.resolve("all")).isDirectoryContaining(file -> file.endsWith("steps_iteration_2.json.gz"));
        SplitOptions some = new SplitOptions(
                new SplitOptions.Iterations(1, 9), false, false, false, SplitOptions.STEPS, null, "step");
        split.with(some).writeTo(folder.resolve("some"));
        assertThat(folder.resolve("some/steps_iterations_1-2.json.gz")).exists();
        SplitOptions none = new SplitOptions(
                new SplitOptions.Iterations(3, 4), false, false, false, SplitOptions.STEPS, null, "step");
        assertThatExceptionOfType(UserException.class)
                .isThrownBy(() -> split.with(none).writeTo(folder.resolve("none")))
                .withMessage("there are no iterations from 3 to 3: there are 3, counted from 0");
    }

    private static SplitOptions each() {
        return new SplitOptions(null, true, false, false, SplitOptions.STEPS, null, "step");
    }

    /** Steps that an annotation marks, each with a call. */
    private static String steps(int count) {
        StringBuilder events = new StringBuilder("{\"traceEvents\": [");
        for (int i = 0; i < count; i++) {
            events.append(String.format(Locale.ROOT, """
                %s{"ph": "X", "cat": "user_annotation", "name": "step", "pid": 1, "tid": 1, "ts": %d, "dur": 90},
                {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": %d, "dur": 50}
                """, i == 0 ? "" : ",", 1000 + 100 * i, 1010 + 100 * i));
        }
        return events.append("]}").toString();
    }

    private Path twoRanks() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        Files.writeString(run.resolve("rank0.json"), trace(0, 100, 50));
        Files.writeString(run.resolve("rank1.json"), trace(1, 130, 20));
        return run;
    }

    /** A kernel that computes, and after it one that reduces; us. */
    private static String trace(int rank, int compute, int reduce) {
        return String.format(Locale.ROOT, """
            {"distributedInfo": {"rank": %d, "world_size": 2}, "traceEvents": [
             {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1000, "dur": %d,
              "args": {"device": 0, "stream": 7}},
             {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "pid": 0, "tid": 7,
              "ts": %d, "dur": %d,
              "args": {"device": 0, "stream": 7, "Collective name": "allreduce", "In msg nelems": 1024,
               "Group size": 2, "Process Group Name": "0", "dtype": "Float"}}
            ]}
            """, rank, compute, 1000 + compute, reduce);
    }

    private static List<Integer> ranks(Run run) throws IOException {
        return run.ranks().stream().map(RankResult::rank).toList();
    }

    private static List<String> column(Table table, String header) {
        int column = table.schema().indexOf(header);
        List<String> cells = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            cells.add(table.strings(column).get(row));
        }
        return cells;
    }

    private static long size(Path file) {
        return file.toFile().length();
    }
}
