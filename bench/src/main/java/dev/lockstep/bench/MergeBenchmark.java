// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.merge.MergeSummary;
import dev.lockstep.session.Session;
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
    @Param("30")
    private int megabytes;

    @Param({"json", "json.gz", "pftrace"})
    private String format;

    private Path scratch;
    private Path merged;
    private Session session;
    private SampleRanks ranks;

    @Setup
    public void prepare() throws IOException {
        scratch = Samples.scratch();
        merged = scratch.resolve("merged." + format);
        ranks = SampleRanks.write(scratch, megabytes);
        session = new Session(Runtime.getRuntime().availableProcessors());
        if (ranks.merge(session, merged).ranks().size() != SampleRanks.COUNT) {
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
            jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:Tier3BackEdgeThreshold=5000"})
    public MergeSummary quick(Megabytes counter) throws IOException {
        MergeSummary summary = ranks.merge(session, merged);
        counter.add(ranks.bytes());
        return summary;
    }

    @Benchmark
    @Fork(1)
    public MergeSummary optimising(Megabytes counter) throws IOException {
        MergeSummary summary = ranks.merge(session, merged);
        counter.add(ranks.bytes());
        return summary;
    }
}
