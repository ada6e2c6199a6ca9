// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.dataset.DatasetContent;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.dataset.RunRows.Kept;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.reporting.RunDataset;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.sql.ParquetDataset;
import dev.lockstep.write.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
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
 * How fast four ranks become a dataset in Parquet, from plain JSON in the page cache: reading, rows, packing. The figure to
 * look at is {@code MB}, megabytes of input a second.
 *
 * <p>{@code ./lockstep-bench Dataset}, {@code ./lockstep-bench -p megabytes=60 Dataset}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 5, time = 4)
@Fork(1)
public class DatasetBenchmark {
    @Param("30")
    private int megabytes;

    @Param({"SKETCH", "FULL"})
    private Level level;

    private Path scratch;
    private Session session;
    private SampleRanks ranks;

    @Setup
    public void prepare() throws IOException {
        scratch = Samples.scratch();
        ranks = SampleRanks.write(scratch, megabytes);
        session = new Session(Runtime.getRuntime().availableProcessors());
    }

    @TearDown
    public void cleanUp() throws IOException {
        session.close();
        Samples.delete(scratch);
    }

    @Benchmark
    public RankSet<Kept> write(Megabytes counter) throws IOException {
        try (ScratchFolder to = ScratchFolder.in(scratch);
                ParquetDataset parquet = ParquetDataset.in(to.path(), "run")) {
            RunDataset dataset = new RunDataset(
                    parquet, "run", DatasetContent.of(level), ranks.files().size());
            RankSet<Kept> read = RankSet.readInOrder(
                    session, ranks.files(), RankSelection.any(), Keep.MEANING, dataset::take, bytes -> {});
            dataset.finish(read, "run", session);
            parquet.finish(DatasetTables.ALL);
            counter.add(ranks.bytes());
            return read;
        }
    }
}
