// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.engine.RankSelection;
import dev.lockstep.engine.RankSet;
import dev.lockstep.engine.Session;
import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.Merge;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.merge.MergeSummary;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.write.TimelineOutput;
import dev.lockstep.write.TraceWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * How fast four ranks become one timeline, from plain JSON in the page cache to a file: reading, laying out, writing,
 * packing, each rank while the next is read. The figure to look at is {@code MB}, megabytes of input a second.
 * {@code quick} uses the compiler that the launcher runs merges with, {@code optimising} the JVM as it is.
 *
 * <p>{@code ./lockstep-bench Merge}, {@code ./lockstep-bench -p format=pftrace -p megabytes=60 Merge}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 5, time = 4)
public class MergeBenchmark {
    private static final int RANKS = 4;
    private static final long BYTES_PER_MEGABYTE = 1_000_000;

    @Param("30")
    private int megabytes;

    @Param({"json", "json.gz", "pftrace"})
    private String format;

    private Path scratch;
    private Path merged;
    private Session session;
    private List<Path> inputs;
    private long bytes;

    @Setup
    public void prepare() throws IOException {
        scratch = Samples.scratch();
        merged = scratch.resolve("merged." + format);
        TraceRecipe recipe = TraceRecipe.standard().withRanks(RANKS).withBytesPerRank(megabytes * BYTES_PER_MEGABYTE);
        SyntheticRun.write(scratch, recipe, Layout.flat());
        inputs = IntStream.range(0, RANKS)
                .mapToObj(rank -> scratch.resolve("rank" + rank + "_trace.json"))
                .toList();
        for (Path input : inputs) {
            bytes += Files.size(input);
        }
        session = new Session(Runtime.getRuntime().availableProcessors());
        if (merge().ranks().size() != RANKS) {
            throw new IllegalStateException("not all ranks were merged");
        }
    }

    @TearDown
    public void cleanUp() throws IOException {
        session.close();
        Samples.delete(scratch);
    }

    @Benchmark
    @Fork(
            value = 1,
            jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:C1MaxInlineSize=60"})
    public MergeSummary quick(Megabytes counter) throws IOException {
        MergeSummary summary = merge();
        counter.add(bytes);
        return summary;
    }

    @Benchmark
    @Fork(1)
    public MergeSummary optimising(Megabytes counter) throws IOException {
        MergeSummary summary = merge();
        counter.add(bytes);
        return summary;
    }

    private MergeSummary merge() throws IOException {
        TraceWriter writer = session.registry().traceWriterFor(merged);
        TraceWriter.Options options = new TraceWriter.Options(format.endsWith(".gz"), session.pool(), session.jobs());
        try (TimelineOutput output = writer.open(merged, options)) {
            Merge merge = new Merge(output, MergeOptions.standard(), Alignment.none());
            RankSet.readInOrder(
                    session, inputs, RankSelection.any(), Keep.RECORDING, trace -> add(merge, trace), read -> {});
            return merge.finish();
        }
    }

    private static boolean add(Merge merge, Trace trace) {
        try {
            merge.add(trace);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
