// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.perfetto.PerfettoReader;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
        jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:Tier3BackEdgeThreshold=5000"})
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 5, time = 4)
public class ReadPerfettoBenchmark {
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
        SampleRanks ranks = SampleRanks.write(scratch, megabytes);
        bytes = ranks.bytes();
        session = new Session(Runtime.getRuntime().availableProcessors());
        Path merged = scratch.resolve("merged.pftrace");
        ranks.merge(session, merged);
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
}
