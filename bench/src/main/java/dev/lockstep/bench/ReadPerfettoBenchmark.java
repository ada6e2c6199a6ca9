// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.engine.RankSelection;
import dev.lockstep.engine.RankSet;
import dev.lockstep.engine.Session;
import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.Merge;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.perfetto.PerfettoReader;
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
 * How fast a merge of four ranks in Perfetto's format becomes traces again, by the quick compiler, as the launcher reads
 * them. {@code keep} tells apart what analyses and what merges ask for. The figure to look at is {@code MB}, megabytes of
 * the JSON that was merged a second, to be held against {@link ReadTraceBenchmark}.
 *
 * <p>{@code ./lockstep-bench ReadPerfetto}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:C1MaxInlineSize=60"})
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 5, time = 4)
public class ReadPerfettoBenchmark {
    private static final int RANKS = 4;
    private static final long BYTES_PER_MEGABYTE = 1_000_000;

    @Param("30")
    private int megabytes;

    @Param({"MEANING", "RECORDING"})
    private Keep keep;

    private Path scratch;
    private Session session;
    private TraceInput input;
    private ReadOptions options;
    private long bytes;

    @Setup
    public void prepare() throws IOException {
        scratch = Samples.scratch();
        TraceRecipe recipe = TraceRecipe.standard().withRanks(RANKS).withBytesPerRank(megabytes * BYTES_PER_MEGABYTE);
        SyntheticRun.write(scratch, recipe, Layout.flat());
        List<Path> ranks = IntStream.range(0, RANKS)
                .mapToObj(rank -> scratch.resolve("rank" + rank + "_trace.json"))
                .toList();
        for (Path rank : ranks) {
            bytes += Files.size(rank);
        }
        session = new Session(Runtime.getRuntime().availableProcessors());
        Path merged = scratch.resolve("merged.pftrace");
        merge(ranks, merged);
        input = TraceInput.of(merged);
        options = new ReadOptions(session.pool(), session.jobs(), read -> {}, keep);
    }

    @TearDown
    public void cleanUp() throws IOException {
        session.close();
        Samples.delete(scratch);
    }

    @Benchmark
    public List<Trace> read(Megabytes counter) throws IOException {
        Diagnostics diagnostics = new Diagnostics();
        try (PrefixedSource content = input.open(diagnostics)) {
            List<Trace> traces = new PerfettoReader().read(input, content, diagnostics, options);
            counter.add(bytes);
            return traces;
        }
    }

    private void merge(List<Path> ranks, Path into) throws IOException {
        TraceWriter writer = session.registry().traceWriterFor(into);
        try (TimelineOutput output =
                writer.open(into, new TraceWriter.Options(false, session.pool(), session.jobs()))) {
            Merge merge = new Merge(output, MergeOptions.standard(), Alignment.none());
            RankSet.readInOrder(
                    session, ranks, RankSelection.any(), Keep.RECORDING, trace -> add(merge, trace), read -> {});
            merge.finish();
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
