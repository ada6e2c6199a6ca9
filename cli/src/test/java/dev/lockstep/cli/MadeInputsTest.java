// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.cli.MadeReport.Item;
import dev.lockstep.cli.MadeWorld.Kernel;
import dev.lockstep.cli.MadeWorld.Sum;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;

/**
 * Traces of FLEX, workbooks and tables in Parquet that are made from nothing, in whatever way their formats allow: what the program
 * says of them is what is true of them.
 */
class MadeInputsTest extends SeededProperties {
    private static final int SEEDS = 3;
    private static final Offset<Double> NEARLY = within(1e-6);

    MadeInputsTest() {
        super(SEEDS);
    }

    @Override
    Map<String, Property> properties() {
        Map<String, Property> all = new TreeMap<>();
        all.put("flex made", this::ranksOfFlexAreWhatTheirCountersSay);
        all.put("workbooks made", this::finishedReportsAreComparedWhateverHoldsThem);
        all.put("parquet made", this::operationsOfAJobCostWhatTheyCost);
        return all;
    }

    private void ranksOfFlexAreWhatTheirCountersSay(RandomGenerator random) throws IOException {
        MadeFlex made = MadeFlex.of(random);
        Path file = MadeWorld.write(place("made.json"), made.text(random));
        for (int rank = 0; rank < made.ranks(); rank++) {
            demandWork(made, rank, file, "--rank", rank);
            demandWork(made, rank, MadeWorld.write(place("rank" + rank + ".json"), made.text(rank)));
        }
        MadeFlex later = made.later(made.perNs() * random.nextLong(1_000_000_000L));
        demandWork(later, 0, MadeWorld.write(place("rank0.json"), later.text(0)));
        Path merge = place("merge.json.gz");
        run("merge", file, "-o", merge);
        demandWork(made, 0, merge, "--rank", 0);
    }

    private void demandWork(MadeFlex made, int rank, Path trace, Object... options) throws IOException {
        Path csv = place("csv");
        List<Object> line = new ArrayList<>(List.of("report", trace, "--csv", csv));
        line.addAll(List.of(options));
        run(line.toArray());
        MadeWorld work = new MadeWorld(List.of(), made.work(rank));
        Predicate<Kernel> computes = kernel -> kernel.stream() == 0;
        Map<String, BigDecimal> parts = sums(csv.resolve("gpu_timeline.csv"), "type", "time ms");
        assertThat(millis(parts, "total_time")).as("%s", trace).isEqualTo(work.total());
        assertThat(millis(parts, "busy_time")).isEqualTo(work.busy(k -> true));
        assertThat(millis(parts, "computation_time")).isEqualTo(work.busy(computes));
        assertThat(millis(parts, "total_memcpy_time")).isEqualTo(work.busy(computes.negate()));
        assertThat(millis(parts, "exposed_memcpy_time")).isEqualTo(work.busy(k -> true) - work.busy(computes));
        Map<String, Sum> kernels = new TreeMap<>();
        for (Map<String, String> row : rows(csv.resolve("kernel_summary.csv"))) {
            kernels.put(
                    cell(row, "Kernel name"),
                    new Sum(
                            Long.parseLong(cell(row, "Kernel duration (µs)_count")),
                            ns(new BigDecimal(cell(row, "Kernel duration (µs)_sum")))));
        }
        assertThat(kernels)
                .as("%s", trace)
                .isEqualTo(new MadeWorld(
                                List.of(),
                                work.kernels().stream().filter(computes).toList())
                        .byKernel());
    }

    private void finishedReportsAreComparedWhateverHoldsThem(RandomGenerator random) throws IOException {
        MadeReport before = MadeReport.of(random);
        MadeReport after = MadeReport.of(random);
        Path csv = compared(before.csv(random, place("a")), after.csv(random, place("b")));
        Path workbooks = compared(before.workbook(random, place("a.xlsx")), after.workbook(random, place("b.xlsx")));
        Path mixed = compared(before.parquet(random, place("a")), after.workbook(random, place("b.xlsx")));
        assertThat(TestProgram.files(workbooks)).isEqualTo(TestProgram.files(csv));
        assertThat(TestProgram.files(mixed)).isEqualTo(TestProgram.files(csv));

        Map<String, BigDecimal> totals = sums(csv.resolve("overview.csv"), "report", "total time ms");
        assertThat(millis(totals, "a")).isEqualTo(before.total());
        assertThat(millis(totals, "b")).isEqualTo(after.total());
        demandDifferences(csv, "operator", before, after, before.operators(), after.operators());
        demandDifferences(csv, "kernel", before, after, before.kernels(), after.kernels());
    }

    private Path compared(Path before, Path after) throws IOException {
        Path csv = place("compared");
        run("compare", before, after, "--names", "a,b", "--csv", csv);
        return csv;
    }

    private static void demandDifferences(
            Path csv, String by, MadeReport before, MadeReport after, Map<String, Item> baseline, Map<String, Item> now)
            throws IOException {
        Map<String, BigDecimal> found = sums(csv.resolve("contributions_by_" + by + ".csv"), by, "difference ms");
        assertThat(found.values().stream().mapToDouble(BigDecimal::doubleValue).sum())
                .isCloseTo((after.total() - before.total()) / 1e6, NEARLY);
        Map<String, Item> all = new TreeMap<>(baseline);
        all.putAll(now);
        Item none = new Item(0, 0);
        all.forEach((name, any) -> assertThat(found.get(name))
                .as(name)
                .isNotNull()
                .extracting(BigDecimal::doubleValue)
                .satisfies(ms -> assertThat(ms)
                        .isCloseTo(
                                (now.getOrDefault(name, none).ns()
                                                - baseline.getOrDefault(name, none)
                                                        .ns())
                                        / 1e6,
                                NEARLY)));
    }

    private void operationsOfAJobCostWhatTheyCost(RandomGenerator random) throws IOException {
        MadeJob job = MadeJob.of(random);
        Path sheets = priced(job, random);
        assertThat(TestProgram.files(priced(job, random))).isEqualTo(TestProgram.files(sheets));
        priced(job.reversed(), random);
        priced(job.times(2), random);
    }

    private Path priced(MadeJob job, RandomGenerator random) throws IOException {
        Path csv = place("csv");
        Path table = job.write(random, place("job.parquet"));
        run("stragglers", "--table", table, "--csv", csv, "--decompose-threshold", "0");
        List<Map<String, String>> steps = rows(csv.resolve("straggler_steps.csv"));
        assertThat(steps).hasSize(job.steps().size());
        for (int step = 0; step < steps.size(); step++) {
            demand(steps.get(step), "replayed us", job.replayed(step));
            demand(steps.get(step), "ideal us", job.ideal());
        }
        int workers = 0;
        for (Map<String, String> row : rows(csv.resolve("straggler_whatif.csv"))) {
            if (cell(row, "scope").equals("rank")) {
                int worker = Integer.parseInt(cell(row, "subject").replaceAll("\\D+(\\d+).*", "$1")) / 8;
                demand(row, "slowdown", job.slowdown(worker));
                workers++;
            }
        }
        assertThat(workers).isEqualTo(job.workers());
        return csv;
    }

    private static void demand(Map<String, String> row, String column, double value) {
        assertThat(Double.parseDouble(cell(row, column)))
                .as("%s of %s", column, row)
                .isCloseTo(value, within(1e-6 * value));
    }
}
