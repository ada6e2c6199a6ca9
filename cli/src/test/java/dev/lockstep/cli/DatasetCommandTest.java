// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.sql.ParquetFile;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.CsvFolder;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.tabular.Sheets;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetCommandTest {
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;
    private static final double ROUNDED = 1e-6;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path run;
    private Path dataset;

    @BeforeEach
    void writeRun() throws IOException {
        run = folder.resolve("run");
        dataset = folder.resolve("data");
        SyntheticRun.write(run, SyntheticTraces.smallRecipe(3).withClocks(400_000, 0), Layout.flat());
    }

    private int lockstep(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    private Path part(DatasetTable table, String name) {
        return dataset.resolve(table.name() + "/run=" + name + "/rank_block=00000/part-0.parquet");
    }

    /** All rows of a table. */
    private Table table(DatasetTable table) throws IOException {
        try (ParquetFile parquet = ParquetFile.open(part(table, "run"))) {
            assertThat(parquet.columns().keySet())
                    .containsExactlyElementsOf(table.schema().columns().stream()
                            .map(ColumnSpec::header)
                            .toList());
            return parquet.table(List.copyOf(parquet.columns().keySet()));
        }
    }

    private static LongColumn longs(Table table, String column) {
        return table.longs(table.schema().indexOf(column));
    }

    private static List<Long> where(Table table, String column, int rank) {
        List<Long> found = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            if (table.longs(0).get(row) == rank) {
                found.add(longs(table, column).get(row));
            }
        }
        return found;
    }

    private Table sheet(Path csv, String name) throws IOException {
        try (Sheets sheets = new CsvFolder().open(csv)) {
            return SheetTable.PLAIN.read(sheets, name, csv.toString(), column -> true);
        }
    }

    private static double number(Table sheet, int row, String header) {
        return ((Number) sheet.columns().get(sheet.schema().indexOf(header)).value(row)).doubleValue();
    }

    @Test
    void tablesSayWhatSheetsSay() throws IOException {
        assertThat(lockstep("dataset", run, "-o", dataset)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("3 of 3 ranks").contains("slices, collectives, steps");
        assertThat(lockstep("collectives", run, "--csv", folder.resolve("all"))).isZero();
        for (int rank = 0; rank < 3; rank++) {
            Path csv = folder.resolve("rank" + rank);
            assertThat(lockstep("report", run.resolve("rank" + rank + "_trace.json"), "--csv", csv))
                    .isZero();
            stepsAgree(rank, csv);
            kernelsAgree(rank, csv);
        }
        collectivesAgree(folder.resolve("all"));
    }

    @Test
    void ofTwoThatWriteOneRunAtTheSameTimeOneIsRefused() throws Exception {
        Path larger = folder.resolve("larger");
        SyntheticRun.write(larger, SyntheticTraces.smallRecipe(12), Layout.flat());
        StringWriter otherErr = new StringWriter();
        CompletableFuture<Integer> other = CompletableFuture.supplyAsync(
                () -> TestProgram.run(new StringWriter(), otherErr, "dataset", larger, "-o", dataset, "--run", "r"));
        while (!Files.exists(dataset) && !other.isDone()) {
            Thread.sleep(1);
        }

        int status = lockstep("dataset", run, "-o", dataset, "--run", "r");

        assertThat(List.of(status, other.get())).containsExactlyInAnyOrder(0, 2);
        assertThat(err + otherErr.toString()).contains("there is a run r already");
        assertThat(lockstep("sql", dataset, "SELECT count(*) FROM ranks", "--csv"))
                .as(err.toString())
                .isZero();
    }

    private void stepsAgree(int rank, Path csv) throws IOException {
        Table sheet = sheet(csv, "gpu_timeline_by_step");
        Table steps = table(DatasetTables.STEPS);
        Map<String, String> same = Map.of(
                "total time ms", "total_ns",
                "computation ms", "computation_ns",
                "exposed comm ms", "exposed_communication_ns",
                "exposed memcpy ms", "exposed_copies_ns",
                "idle ms", "idle_ns",
                "total comm ms", "communication_ns",
                "host time ms", "dur_ns");
        assertThat(sheet.rows()).isPositive();
        for (int row = 0; row < sheet.rows(); row++) {
            assertThat(where(steps, "step", rank).get(row)).isEqualTo((long) number(sheet, row, "step"));
            for (var pair : same.entrySet()) {
                assertThat(where(steps, pair.getValue(), rank).get(row) / NS_PER_MS)
                        .as(pair.getKey())
                        .isCloseTo(number(sheet, row, pair.getKey()), within(ROUNDED));
            }
        }
    }

    private void kernelsAgree(int rank, Path csv) throws IOException {
        Table sheet = sheet(csv, "kernel_summary");
        double listed = 0;
        for (int row = 0; row < sheet.rows(); row++) {
            listed += number(sheet, row, "Kernel duration (µs)_sum");
        }
        Table kernels = table(DatasetTables.KERNELS);
        Table slices = table(DatasetTables.SLICES);
        long single = 0;
        long copies = 0;
        for (int row = 0; row < slices.rows(); row++) {
            String kind = slices.strings(slices.schema().indexOf("kind")).get(row);
            if (slices.longs(0).get(row) == rank) {
                single += "kernel".equals(kind) ? longs(slices, "dur_ns").get(row) : 0;
                copies += "memcpy".equals(kind) || "memset".equals(kind)
                        ? longs(slices, "dur_ns").get(row)
                        : 0;
            }
        }
        assertThat(single / NS_PER_US).isCloseTo(listed, within(1e-3));
        assertThat(where(kernels, "sum_ns", rank).stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(single + copies);
    }

    private void collectivesAgree(Path csv) throws IOException {
        Table rows = table(DatasetTables.COLLECTIVES);
        Map<String, Long> waited = new TreeMap<>();
        for (int row = 0; row < rows.rows(); row++) {
            if (!rows.columns().get(rows.schema().indexOf("wait_ns")).isMissing(row)) {
                waited.merge(
                        String.valueOf(rows.strings(2).get(row)),
                        longs(rows, "wait_ns").get(row),
                        Long::sum);
            }
        }
        Table sheet = sheet(csv, "nccl_implicit_sync");
        assertThat(sheet.rows()).isPositive();
        for (int row = 0; row < sheet.rows(); row++) {
            String id = String.valueOf(sheet.columns().getFirst().value(row));
            assertThat(waited.get(id) / NS_PER_US).as(id).isCloseTo(number(sheet, row, "total_wait_us"), within(1e-3));
        }
        assertThat(where(table(DatasetTables.RANKS), "clock_offset_ns", 1).getFirst())
                .isNotZero();
    }

    @Test
    void slicesNameWhatLiesAroundThem() throws IOException {
        assertThat(lockstep("dataset", run, "-o", dataset)).isZero();
        Table slices = table(DatasetTables.SLICES);
        LongColumn parents = longs(slices, "parent_id");
        LongColumn ids = longs(slices, "id");
        int nested = 0;
        int first = 0;
        for (int row = 0; row < slices.rows(); row++) {
            first = ids.get(row) == 0 ? row : first;
            assertThat(ids.get(row)).isEqualTo(row - first);
            if (ids.get(row) > 0) {
                assertThat(longs(slices, "ts_ns").get(row))
                        .isGreaterThanOrEqualTo(longs(slices, "ts_ns").get(row - 1));
            }
            if (!parents.isMissing(row)) {
                int parent = first + (int) parents.get(row);
                nested++;
                assertThat(longs(slices, "depth").get(row))
                        .isEqualTo(longs(slices, "depth").get(parent) + 1);
                assertThat(longs(slices, "self_ns").get(parent)).isNotNegative();
            }
        }
        assertThat(nested).isPositive();
    }

    @Test
    void aSketchHasNoSingleSlices() throws IOException {
        assertThat(lockstep("dataset", run, "-o", dataset, "--level", "sketch")).isZero();
        assertThat(table(DatasetTables.SLICES).rows()).isZero();
        assertThat(table(DatasetTables.STEPS).rows()).isPositive();
        assertThat(table(DatasetTables.OPS).rows()).isPositive();
        assertThat(lockstep("dataset", run, "-o", dataset, "--level", "most")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("known: sketch, full");
    }

    /** The one answer of a query, as text. */
    private String asked(String query) {
        assertThat(lockstep("sql", dataset, query, "--csv")).as(query + err).isZero();
        return out.toString().lines().skip(1).reduce((a, b) -> a + ";" + b).orElse("");
    }

    @Test
    void slicesHaveArgumentsOnRequest() throws IOException {
        assertThat(lockstep("dataset", run, "-o", dataset, "--with", "args")).isZero();
        assertThat(asked("SELECT count(*) > 0, count(*) = count(CASE WHEN CAST(args ->> 'correlation' AS BIGINT) ="
                        + " correlation THEN 1 END) FROM slices WHERE correlation IS NOT NULL"))
                .isEqualTo("true,true");
        assertThat(asked("SELECT DISTINCT args ->> '$.\"Input Dims\"' FROM slices WHERE name = 'aten::mm' AND rank = 1"
                        + " ORDER BY 1"))
                .isEqualTo(asked("SELECT DISTINCT replace(dims, ' ', '') FROM ops WHERE name = 'aten::mm' AND rank = 1"
                        + " ORDER BY 1"));

        Path plain = folder.resolve("plain");
        assertThat(lockstep("dataset", run, "-o", plain)).isZero();
        dataset = plain;
        assertThat(asked("SELECT count(*) > 0, count(args) FROM slices")).isEqualTo("true,0");
        assertThat(lockstep("dataset", run, "-o", folder.resolve("other"), "--with", "all"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("known: args");
    }

    /** A product of matrices of m x k and k x n takes 2mkn operations; equal names have equal numbers, and no others have. */
    @Test
    void slicesHaveOperationsAndNumbersOfTheirNames() throws IOException {
        assertThat(lockstep("dataset", run, "-o", dataset, "--with", "args")).isZero();
        assertThat(asked("SELECT count(*) > 0, bool_and(flops = 2 * CAST(d[1][1] AS DOUBLE) * d[1][2] * d[2][2]) FROM"
                        + " (SELECT flops, CAST(args ->> '$.\"Input Dims\"' AS BIGINT[][]) AS d FROM slices"
                        + " WHERE name = 'aten::mm')"))
                .isEqualTo("true,true");
        assertThat(asked("SELECT count(flops) FROM slices WHERE kind <> 'cpu_op'"))
                .isEqualTo("0");
        assertThat(asked("SELECT count(DISTINCT name) = count(DISTINCT name_hash), count(name_hash) = count(*)"
                        + " FROM slices"))
                .isEqualTo("true,true");
    }

    @Test
    void countersAreThoseOfTheFileAndOfQueues() throws IOException {
        run = folder.resolve("rank0.json");
        Files.writeString(run, """
            {"traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 103, "args": {"name": "GPU 3 Counters"}},
            {"ph": "C", "name": "sm__cycles", "pid": 103, "ts": 10, "args": {"": 7.5}},
            {"ph": "C", "name": "sm__cycles", "pid": 103, "ts": 11, "args": {"": 8}},
            {"ph": "C", "name": "memory", "pid": 9, "ts": 10, "args": {"used": 1, "free": 2, "text": "no number"}},
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 9, "dur": 1,
             "args": {"correlation": 5}},
            {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 4,
             "args": {"device": 0, "stream": 7, "correlation": 5}},
            {"ph": "X", "cat": "cuda_profiler_range", "name": "gemm", "pid": 0, "tid": 8, "ts": 12, "dur": 1,
             "args": {"sm__inst": 40}}
            ]}\
            """);
        assertThat(lockstep("dataset", run, "-o", dataset, "--run", "one")).isZero();
        String rows =
                "SELECT (ts_ns - min(ts_ns) OVER ()) // 1000 AS us, counter, series, process, device, stream, kernel,"
                        + " value FROM counters";
        assertThat(asked(rows + " ORDER BY ts_ns, counter, series"))
                .isEqualTo("0,queue_length,,,0,7,,1;1,memory,free,process 9,,,,2;1,memory,used,process 9,,,,1;"
                        + "1,queue_length,,,0,7,,0;1,sm__cycles,,GPU 3 Counters,3,,,7.5;"
                        + "2,sm__cycles,,GPU 3 Counters,3,,,8;3,sm__inst,,,,,gemm,40");
        assertThat(asked("SELECT bool_and(ordered) FROM (SELECT (ts_ns, counter) >= lag((ts_ns, counter)) OVER () AS"
                        + " ordered FROM counters)"))
                .isEqualTo("true");
    }

    @Test
    void runsAreAddedAndNeverChanged() throws IOException {
        assertThat(lockstep("dataset", run, "-o", dataset, "--findings")).isZero();
        assertThat(table(DatasetTables.FINDINGS).rows()).isPositive();
        Map<String, String> before = TestProgram.files(dataset);

        assertThat(lockstep("dataset", run, "-o", dataset)).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("the run is added to it. (--run NAME)");
        assertThat(lockstep("dataset", run, "-o", dataset, "--run", "run")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("there is a run run already");
        assertThat(lockstep("dataset", run, "-o", dataset, "--run", "a/b")).isEqualTo(ExitStatus.USAGE);
        assertThat(TestProgram.files(dataset)).isEqualTo(before);

        assertThat(lockstep("dataset", run, "-o", dataset, "--run", "second")).isZero();
        Map<String, String> after = TestProgram.files(dataset);
        assertThat(after).containsAllEntriesOf(before).containsKey("_runs/second.json");
        assertThat(part(DatasetTables.SLICES, "second")).hasSameBinaryContentAs(part(DatasetTables.SLICES, "run"));
    }

    @Test
    void otherFoldersAreLeftAlone() throws IOException {
        Files.createDirectories(dataset);
        Files.writeString(dataset.resolve("mine.txt"), "mine");
        assertThat(lockstep("dataset", run, "-o", dataset)).isEqualTo(ExitStatus.USAGE);
        assertThat(TestProgram.files(dataset)).containsOnlyKeys("mine.txt");
    }

    @Test
    void aDamagedRankIsSaidAndTheOthersAreThere() throws IOException {
        Path damaged = run.resolve("rank1_trace.json");
        Files.writeString(damaged, Files.readString(damaged).substring(0, 20_000));
        Files.delete(run.resolve("rank0_trace.json"));
        assertThat(lockstep("dataset", run, "-o", dataset)).isEqualTo(ExitStatus.PARTIAL);
        Table ranks = table(DatasetTables.RANKS);
        assertThat(List.of(
                        ranks.strings(1).get(0),
                        ranks.strings(1).get(1),
                        ranks.strings(1).get(2)))
                .containsExactly("missing", "partial", "read");
        assertThat(table(DatasetTables.DIAGNOSTICS).rows()).isPositive();
        assertThat(where(table(DatasetTables.STEPS), "step", 2)).isNotEmpty();
    }

    @Test
    void nothingIsLeftWhereNothingCouldBeRead() throws IOException {
        for (int rank = 0; rank < 3; rank++) {
            Files.writeString(run.resolve("rank" + rank + "_trace.json"), "no trace");
        }
        assertThat(lockstep("dataset", run, "-o", dataset)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(dataset).doesNotExist();
    }
}
