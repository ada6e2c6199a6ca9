// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CsvWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast a table with the usual kinds of cells (names that need quotes, counts, exact times, doubles, arguments)
 * becomes a CSV file, in each style. The figure to look at is {@code MB}, megabytes of CSV a second; the file goes to
 * the directory for temporary files.
 *
 * <p>{@code ./lockstep-bench CsvWriter}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CsvWriterBenchmark {
    private static final long SEED = 1;
    private static final Schema SCHEMA = Schema.of(
            ColumnSpec.text("name", "A name like those of kernels."),
            ColumnSpec.count("count", "A count."),
            ColumnSpec.whole("time", Unit.NANOSECONDS, Unit.MICROSECONDS, "A time."),
            ColumnSpec.real("mean", Unit.NANOSECONDS, Unit.MICROSECONDS, "A mean."),
            ColumnSpec.percent("share", "A share."),
            ColumnSpec.arguments("input dims", "Shapes."),
            ColumnSpec.bool("again", "A truth value."));

    @Param("100000")
    private int rows;

    @Param
    private CellStyle style;

    private final CsvWriter writer = new CsvWriter();
    private Report report;
    private Path directory;
    private long size;

    @Setup
    public void prepare() throws IOException {
        directory = Samples.scratch();
        report = new Report("rows", "", List.of(new TableSection(table())));
        writer.write(report, directory, style);
        size = Files.size(directory.resolve("rows.csv"));
    }

    @TearDown
    public void cleanUp() throws IOException {
        Samples.delete(directory);
    }

    @Benchmark
    public void write(Megabytes counter) throws IOException {
        writer.write(report, directory, style);
        counter.add(size);
    }

    private Table table() {
        SplittableRandom random = new SplittableRandom(SEED);
        TableBuilder table = new TableBuilder("rows", "Rows", SCHEMA);
        for (int i = 0; i < rows; i++) {
            long time = random.nextLong(1_000_000_000);
            int count = 1 + random.nextInt(1000);
            table.row(
                    "void gemm_kernel<float, " + random.nextInt(512) + ">(Params)",
                    count,
                    time,
                    (double) time / count,
                    random.nextDouble(100),
                    "[[" + random.nextInt(4096) + ", 1024], [], [1024, " + random.nextInt(4096) + "]]",
                    random.nextBoolean());
        }
        return table.build();
    }
}
