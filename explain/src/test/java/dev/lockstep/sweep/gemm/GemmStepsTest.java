// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import dev.lockstep.reporting.OwnReports;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.RunReports;
import dev.lockstep.sweep.SmallSweep;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.testkit.TextWorkbooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The three steps where something is missing. On rank 1 of every configuration of {@link SmallSweep} products take 100 µs alone
 * and 140 µs beside the all-reduce, on rank 0 100 and 130.
 */
@ExtendWith(TextWorkbooks.class)
class GemmStepsTest {
    private static final String ROWS = """
            threads,channel,rank,kernel_name,kernel_time_min_us,kernel_time_max_us,min_duration_timestamp_ms,max_duration_timestamp_ms
            256,28,0,gemm_bf16,100,130,0.05,0.25
            256,28,1,gemm_bf16,100,140,0.05,0.25
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void write() throws IOException {
        SmallSweep.configuration(folder.resolve("256thread/nccl_28channels"), 400);
        SmallSweep.configuration(folder.resolve("512thread/nccl_28channels"), 350);
    }

    private interface Step {
        GemmFile of(GemmSteps steps) throws IOException;
    }

    private GemmFile step(Step step) throws IOException {
        try (Session session = new Session(1)) {
            return step.of(new GemmSteps(session, Sweep.at(folder), PassOptions.standard()));
        }
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("rows.csv"), text);
    }

    /** The cells of these columns, a line for each row. */
    private static List<String> cells(GemmFile file, String... heads) {
        List<List<String>> lines = new ArrayList<>();
        file.text().lines().forEach(line -> lines.add(List.of(line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1))));
        return lines.stream()
                .skip(1)
                .map(line -> Stream.of(heads)
                        .map(head -> line.get(lines.getFirst().indexOf(head)))
                        .reduce((a, b) -> a + " " + b)
                        .orElseThrow())
                .toList();
    }

    private static List<String> said(GemmFile file) {
        return file.coverage().parts().stream()
                .filter(part -> !part.state().isWhole())
                .map(GemmStepsTest::said)
                .toList();
    }

    private static String said(Part part) {
        return part.configuration() + " " + part.rank() + " " + part.state() + " " + part.note();
    }

    /** Makes the reports of all configurations and takes the traces of the first away. */
    private void reportAndForget() throws IOException {
        try (Session session = new Session(1)) {
            RunReports.of(session, Sweep.at(folder), PassOptions.standard(), new OwnReports());
        }
        try (Stream<Path> files = Files.walk(folder.resolve("256thread/nccl_28channels/torch_profiler"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void reportsServeWhereThereAreNoTraces() throws IOException {
        reportAndForget();

        GemmFile file = step(steps -> steps.variance(Selection.ALL, 5));

        assertThat(cells(file, "configuration", "source", "rank", "time_diff_us", "mean_us", "n", "lost_time_us"))
                .containsExactlyInAnyOrder(
                        "256thread_28ch report 1 40 120 4 ",
                        "256thread_28ch report 0 30 115 4 ",
                        "512thread_28ch trace 1 40 120 4 40",
                        "512thread_28ch trace 0 30 115 4 30");
        assertThat(file.rows()).isEqualTo(4);
        assertThat(file.remarks())
                .startsWith("1 of 2 configurations have no traces: their rows come from reports, are those of whole"
                        + " operators, and are ordered by their range");
        assertThat(said(file)).isEmpty();
    }

    @Test
    void reportsOfWantedRanksAloneServe() throws IOException {
        reportAndForget();

        GemmFile file = step(steps -> steps.variance(new Selection(List.of(), List.of(), List.of(1, 5)), 5));

        assertThat(cells(file, "configuration", "rank"))
                .containsExactlyInAnyOrder("256thread_28ch 1", "512thread_28ch 1");
        assertThat(said(file))
                .containsExactlyInAnyOrder(
                        "256thread_28ch 5 missing no trace of this rank",
                        "512thread_28ch 5 missing no trace of this rank");
    }

    @Test
    void collectivesOfReportsServeWhereThereAreNoTraces() throws IOException {
        reportAndForget();

        GemmFile file = step(steps -> steps.overlap(file(ROWS)).file());

        assertThat(cells(
                        file,
                        "rank",
                        "overlapping_collective_count",
                        "overlapping_collective_names",
                        "max_overlap_percentage",
                        "total_overlap_duration_ms",
                        "n_alone"))
                .containsExactly("0 1 allreduce 100 0.13 ", "1 1 allreduce 100 0.14 ");
        assertThat(file.remarks())
                .anySatisfy(remark -> assertThat(remark)
                        .isEqualTo("256thread_28ch has no traces: its collectives come from collective_28ch.xlsx,"
                                + " and whether communication slows a kernel cannot be told"));
    }

    /** The product from 50 to 150 meets nothing, that from 150 to 250 half of what begins at 200. */
    @Test
    void overlapIsThatOfTheTimesInTheFile() throws IOException {
        GemmFile file = step(steps -> steps.overlap(
                        file(ROWS.replace("130,0.05,0.25", "100,0.05,0.05").replace("140,0.05,0.25", "100,0.05,0.17")))
                .file());

        assertThat(cells(
                        file,
                        "rank",
                        "overlapping_collective_count",
                        "max_overlap_percentage",
                        "total_overlap_duration_ms"))
                .containsExactly("0 0 0 0", "1 1 50 0.05");
    }

    @Test
    void namedCombinationsThatTheSweepLacksAreMissing() throws IOException {
        GemmFile file = step(steps -> steps.variance(new Selection(List.of(256, 1024), List.of(28), List.of(0)), 1));

        assertThat(cells(file, "configuration", "rank")).containsExactly("256thread_28ch 0");
        assertThat(said(file)).containsExactly("1024thread_28ch -1 missing the sweep has no such configuration");
        assertThat(file.coverage().parts())
                .as("ranks that nobody wants are not expected")
                .extracting(Part::rank)
                .containsExactly(0, -1);
    }

    @Test
    void kernelsOfOtherDurationsAreSaid() throws IOException {
        // 140 µs were found: 147 are 4.8 % of 147 away, 148 are 5.4 % of 148 away.
        GemmFile near = step(steps -> steps.timestamps(file(ROWS.replace("140", "147")), 0.05));
        GemmFile far = step(steps -> steps.timestamps(file(ROWS.replace("140", "148")), 0.05));
        GemmFile shorter =
                step(steps -> steps.timestamps(file(ROWS.replace("1,gemm_bf16,100", "1,gemm_bf16,90")), 0.05));

        assertThat(near.remarks()).isEmpty();
        String remark =
                "1 of 2 rows have kernels whose durations are not those of the file: was it made from these traces?";
        assertThat(far.remarks()).containsExactly(remark);
        assertThat(shorter.remarks()).containsExactly(remark);
        assertThat(cells(far, "min_duration_timestamp_ms", "max_duration_timestamp_ms", "max_duration_found_us"))
                .containsExactly("0.05 0.25 130", "0.05 0.25 140");
    }

    @Test
    void rowsWithoutKernelsStayBlankAndAreCounted() throws IOException {
        Path rows = file(ROWS + "256,28,1,other,1,2,,\n" + "1024,28,0,gemm_bf16,1,2,,\n");

        GemmFile file = step(steps -> steps.timestamps(rows, 0.05));

        assertThat(cells(file, "kernel_name", "max_duration_found_us"))
                .containsExactly("gemm_bf16 130", "gemm_bf16 140", "other ", "gemm_bf16 ");
        assertThat(file.remarks()).containsExactly("2 of 4 rows have no kernels in the traces, and so not a time");
        assertThat(said(file)).containsExactly("1024thread_28ch -1 missing the sweep has no such configuration");
    }

    @Test
    void onlyConfigurationsThatRowsNameAreRead() throws IOException {
        GemmFile file = step(steps -> steps.timestamps(file(ROWS), 0.05));

        assertThat(file.coverage().parts()).extracting(Part::configuration).containsOnly("256thread_28ch");
    }

    @Test
    void aSweepWithoutProductsHasNoFile() throws IOException {
        String plain = TestTraces.document(new EventText()
                .op("aten::relu", 0, 10_000)
                .launch("relu", 1_000, 20_000, 5_000, 1, 7)
                .toString());
        Path only = folder.resolve("only");
        Path trace = only.resolve("256thread/nccl_28channels/torch_profiler/rank0/x.json");
        Files.createDirectories(trace.getParent());
        Files.writeString(trace, plain);
        try (Session session = new Session(1)) {
            GemmSteps steps = new GemmSteps(session, Sweep.at(only), PassOptions.standard());
            assertThatThrownBy(() -> steps.variance(Selection.ALL, 5))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("no matrix multiplication was found");
        }
        assertThatThrownBy(() -> GemmSteps.wanted(Sweep.at(only), new Selection(List.of(7), List.of(), List.of())))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("none of the wanted configurations");
    }
}
