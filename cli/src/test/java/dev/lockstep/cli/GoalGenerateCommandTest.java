// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recorded schedules are sought at {@code -Dlockstep.shared}, else at {@code ../shared} of the checkout. */
class GoalGenerateCommandTest {
    private static final Path DATA = shared().resolve("data/goal");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private static Path shared() {
        String named = System.getProperty("lockstep.shared");
        return (named != null ? Path.of(named) : Path.of(System.getProperty("basedir", "."), "..", "..", "shared"))
                .toAbsolutePath()
                .normalize();
    }

    private int run(String name, String... options) {
        assumeTrue(Files.isDirectory(DATA), () -> "no recorded schedules at " + DATA);
        List<String> args = new ArrayList<>(List.of(
                "goal",
                "-i",
                DATA.resolve("cases/" + name + "/input").toString(),
                "-s",
                DATA.resolve("npkit_data_summary_Simple.json").toString(),
                "-l",
                DATA.resolve("npkit_data_summary_LL.json").toString()));
        args.addAll(List.of(options));
        return Main.run(new PrintWriter(out), new PrintWriter(err), args.toArray(String[]::new));
    }

    private int verify(Path file) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), "goal", "verify", file.toString());
    }

    private static List<String> lines(Path gz) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(gz)), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }

    /** Operations whose times were drawn when the schedule was recorded, as rank and place. */
    private static Set<String> drawn(Path expected) throws IOException {
        Set<String> drawn = new HashSet<>();
        for (String line : lines(expected.resolve("costs.tsv.gz"))) {
            String[] cells = line.split("\t");
            drawn.add(cells[0] + "\t" + cells[1]);
        }
        return drawn;
    }

    /** Without the times that were drawn. */
    private static List<String> comparable(List<String> lines, Set<String> drawn) {
        List<String> comparable = new ArrayList<>();
        int rank = -1;
        int operation = 0;
        for (String line : lines) {
            String said = line;
            if (line.startsWith("rank ")) {
                rank++;
                operation = 0;
            } else if (line.contains(": ") && drawn.contains(rank + "\t" + operation++)) {
                said = line.replaceFirst("calc \\d+", "calc");
            }
            comparable.add(said);
        }
        return comparable;
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "merged", "protocols", "rings", "streams"})
    void theReferencesSchedulesAreReproducedLineByLine(String name) throws IOException {
        Path result = folder.resolve(name);
        String[] merge = name.equals("merged") ? new String[] {"-m"} : new String[0];
        String[] options = Stream.concat(Stream.of("-o", result.toString(), "--compat", "reference"), Stream.of(merge))
                .toArray(String[]::new);

        assertThat(run(name, options)).as(err::toString).isZero();

        Path expected = DATA.resolve("cases/" + name + "/expected");
        Set<String> drawn = drawn(expected);
        assertThat(comparable(Files.readAllLines(result.resolve("output.goal")), drawn))
                .isEqualTo(comparable(lines(expected.resolve("output.goal.gz")), drawn));
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "merged", "protocols", "rings", "streams"})
    void ownSchedulesAreCorrectAndSmallerWhateverTheOptions(String name) throws IOException {
        Path plain = folder.resolve("plain");
        Path more = folder.resolve("more");

        assertThat(run(name, "-o", plain.toString())).as(err::toString).isZero();
        assertThat(run(name, "-o", more.toString(), "-m", "--cross-stream", "--whole-window", "--seed", "3"))
                .as(err::toString)
                .isZero();

        assertThat(verify(plain.resolve("output.goal"))).as(err::toString).isZero();
        assertThat(verify(more.resolve("output.goal"))).as(err::toString).isZero();
        assertThat(Files.readAllLines(plain.resolve("output.goal")))
                .hasSizeLessThan(lines(DATA.resolve("cases/" + name + "/expected/output.goal.gz"))
                        .size());
    }

    @Test
    void bytesDoNotDependOnWorkers() throws IOException {
        Path one = folder.resolve("one");
        Path many = folder.resolve("many");

        assertThat(run("rings", "-o", one.toString(), "--seed", "9", "-w", "1")).isZero();
        assertThat(run("rings", "-o", many.toString(), "--seed", "9", "-p", "-r", "-w", "9"))
                .isZero();

        assertThat(many.resolve("output.goal")).hasSameBinaryContentAs(one.resolve("output.goal"));
        assertThat(many).isDirectoryNotContaining("glob:**rank_*");
    }

    @Test
    void whatIsGivenForTracesThatSayLessIsSaidToBeUnused() throws IOException {
        Path plain = folder.resolve("plain");
        Path told = folder.resolve("told");

        assertThat(run("small", "-o", plain.toString())).isZero();
        assertThat(err.toString()).doesNotContain("is not used");
        assertThat(run("small", "-o", told.toString(), "--channels", "4")).isZero();

        assertThat(err.toString()).contains("what was given for recordings that do not say them is not used");
        assertThat(told.resolve("output.goal")).hasSameBinaryContentAs(plain.resolve("output.goal"));
    }

    @Test
    void partsAreTheWholeWithoutItsFirstLine() throws IOException {
        Path result = folder.resolve("parts");

        assertThat(run("small", "-o", result.toString(), "-p", "-c")).isZero();

        StringBuilder parts = new StringBuilder("num_ranks 4\n");
        for (int rank = 0; rank < 4; rank++) {
            parts.append(Files.readString(result.resolve("rank_" + rank + ".goal")));
        }
        assertThat(result.resolve("output.goal")).hasContent(parts.toString());
    }

    @Test
    void labelsStandInTagsAndInTheTable() throws IOException {
        Path result = folder.resolve("labels");

        assertThat(run("streams", "-o", result.toString(), "--label", "parallelism + 10 * communicator"))
                .as(err::toString)
                .isZero();

        List<String> table = Files.readAllLines(result.resolve("tags.tsv"));
        assertThat(table).contains("0\t2\t21\t721\t100\t8\t21\tSend\t0xc0000000\t0\tPP");
        assertThat(verify(result.resolve("output.goal"))).isZero();
    }

    @Test
    void tagsThatHaveNoRoomAreRefusedBeforeAnythingIsWritten() {
        Path result = folder.resolve("none");

        assertThat(run("small", "-o", result.toString(), "--label", "sequence * 1000000000"))
                .isEqualTo(2);
        assertThat(run("small", "-o", result.toString(), "--tag-width", "1,0")).isEqualTo(2);
        assertThat(run("small", "-o", result.toString(), "--compat", "reference", "--tag-width", "1,5"))
                .isEqualTo(2);

        assertThat(err.toString())
                .contains("--label")
                .contains("--tag-width 2,0")
                .contains("--tag-width 2,5");
        assertThat(result).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-m", "--compat=reference"})
    void moreOperationsThanAllowedAreRefusedBeforeAnythingIsWritten(String option) throws IOException {
        Path all = folder.resolve("all");
        assertThat(run("small", "-o", all.toString(), option)).as(err::toString).isZero();
        long operations = count(all, ": ");
        long messages = count(all, ": send") + count(all, ": recv");
        Path enough = folder.resolve("enough");
        Path few = folder.resolve("few");

        assertThat(run("small", "-o", enough.toString(), option, "--max-operations=" + operations))
                .isZero();
        assertThat(run("small", "-o", few.toString(), option, "--max-operations=" + (messages - 1)))
                .isEqualTo(3);

        assertThat(err.toString())
                .contains("the schedule would have more than " + (messages - 1) + " operations", "--max-operations N");
        assertThat(few).doesNotExist();
    }

    private static long count(Path schedule, String what) throws IOException {
        try (Stream<String> lines = Files.lines(schedule.resolve("output.goal"))) {
            return lines.filter(line -> line.contains(what)).count();
        }
    }

    /**
     * Sixteen all-reduces of 512 GiB each, which their ranks name in some bytes; a schedule of them has 34 million messages.
     */
    @Test
    void sizesThatNoRunHasDoNotFillTheDisk() throws IOException {
        Path traces = Files.createDirectory(folder.resolve("traces"));
        for (int rank = 0; rank < 2; rank++) {
            String calls = IntStream.range(0, 16).mapToObj("""
                    {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ts": %d00, "dur": 50,
                     "pid": 0, "tid": 20, "args": {"device": 0, "stream": 20, "grid": [1, 1, 1], "block": [512, 1, 1],
                     "Collective name": "allreduce", "In msg nelems": 137438953472, "Out msg nelems": 137438953472,
                     "Group size": 2, "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}}
                    """::formatted).collect(Collectors.joining(","));
            Files.writeString(traces.resolve("rank" + rank + ".json"), """
                    {"distributedInfo": {"rank": %d, "world_size": 2}, "traceEvents": [%s]}
                    """.formatted(rank, calls));
        }
        Path result = folder.resolve("result");

        int status = Main.run(
                new PrintWriter(out), new PrintWriter(err), "goal", "-i", traces.toString(), "-o", result.toString());

        assertThat(status).as(err::toString).isEqualTo(3);
        assertThat(err.toString())
                .contains(traces + ": the schedule would have more than 16777216 operations", "allow more");
        assertThat(result).doesNotExist();
    }

    @Test
    void costsNeedNoTablesUnlessTheReferenceIsWanted() throws IOException {
        assumeTrue(Files.isDirectory(DATA), () -> "no recorded schedules at " + DATA);
        String input = DATA.resolve("cases/small/input").toString();
        Path result = folder.resolve("usual");

        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "goal", "-i", input, "-o", result.toString()))
                .as(err::toString)
                .isZero();
        assertThat(Main.run(
                        new PrintWriter(out),
                        new PrintWriter(err),
                        "goal",
                        "-i",
                        input,
                        "-o",
                        folder.resolve("none").toString(),
                        "--compat",
                        "reference"))
                .isEqualTo(2);

        assertThat(result.resolve("assumptions.tsv")).content().contains("assumed\tcosts_assumed\t1");
        assertThat(err.toString()).contains("missing required option: --npkit_data_simple");
    }

    /** One table alone is refused, and what is said of it is about the options that were given. */
    @ParameterizedTest
    @CsvSource({"-s, '-s wants --npkit_data_ll, too'", "-l, '-l wants --npkit_data_simple, too'"})
    void costsOfOneProtocolAloneAreRefused(String option, String message) throws IOException {
        Path result = folder.resolve("half");

        assertThat(Main.run(
                        new PrintWriter(out),
                        new PrintWriter(err),
                        "goal",
                        "-i",
                        Files.createDirectories(folder.resolve("traces")).toString(),
                        "-o",
                        result.toString(),
                        option,
                        "costs.json"))
                .isEqualTo(2);

        assertThat(err.toString()).contains(message).contains("or of neither").doesNotContain("compat");
        assertThat(result).doesNotExist();
    }

    @Test
    void theIntermediateFileHoldsWholeCollectives() throws IOException {
        Path result = folder.resolve("intermediate");

        assertThat(run("small", "-o", result.toString(), "--intermediate_goal_only"))
                .isZero();

        assertThat(Files.readAllLines(result.resolve("Events_Dependency.goal")))
                .startsWith("num_ranks 4", "rank 0 {")
                .contains("l2: AllReduce 8388608 bytes comm 0 gpu 0 stream 0x55d0c0a01000 seq 0 end");
        assertThat(result.resolve("output.goal")).doesNotExist();
    }

    @Test
    void aDirectoryWithoutTracesIsNothingToDo() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path table = Files.writeString(
                folder.resolve("t.json"),
                "{\"NPKIT_EVENT_GPU_RECV_REDUCE_SEND\":{\"4\":[1]},\"NPKIT_EVENT_GPU_DIRECT_RECV_COPY_SEND\":{\"4\":[1]}}");
        String costs = table.toString();

        int status = Main.run(
                new PrintWriter(out),
                new PrintWriter(err),
                "goal",
                "--from",
                "nsys",
                "-i",
                empty.toString(),
                "-o",
                folder.resolve("o").toString(),
                "-s",
                costs,
                "-l",
                costs);

        assertThat(status).isEqualTo(5);
    }
}
