// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.torch.TorchTraceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
 * How fast the reader of profiler JSON makes a whole {@link Trace}: cutting, parsing, interning, joining the parts,
 * sorting and freezing. {@code source} tells the text in memory, the plain file (from the page cache) and the packed
 * file apart; {@code threads=1} is one thread alone, {@code threads=0} a worker for each core beside the thread that
 * reads. The figure to look at is {@code MB}, megabytes of unpacked text a second.
 *
 * <p>{@code ./lockstep-bench ReadTrace}, {@code ./lockstep-bench -p source=memory -p threads=1 -p megabytes=600
 * ReadTrace}, {@code ./lockstep-bench -Dlockstep.trace=FILE ReadTrace}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class ReadTraceBenchmark {
    @Param("64")
    private int megabytes;

    @Param({"memory", "file", "gzip"})
    private String source;

    @Param({"1", "0"})
    private int threads;

    private final TorchTraceReader reader = new TorchTraceReader();
    private Path scratch;
    private ExecutorService pool;
    private ReadOptions options;
    private TraceInput input;
    private byte[] text;

    @Setup
    public void prepare() throws IOException {
        scratch = Samples.scratch();
        Path made = Samples.file(scratch, megabytes);
        text = Samples.text(made);
        input = TraceInput.of(source.equals("gzip") ? Samples.packed(scratch, made) : Samples.plain(scratch, made));
        int workers = threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
        pool = Executors.newFixedThreadPool(workers);
        options = threads == 1 ? ReadOptions.sequential() : new ReadOptions(pool, workers, bytes -> {});
    }

    @TearDown
    public void cleanUp() throws IOException {
        pool.shutdown();
        Samples.delete(scratch);
    }

    @Benchmark
    public List<Trace> read(Megabytes counter) throws IOException {
        Diagnostics diagnostics = new Diagnostics();
        try (PrefixedSource content = source.equals("memory") ? inMemory() : input.open(diagnostics)) {
            List<Trace> traces = reader.read(input, content, diagnostics, options);
            counter.add(text.length);
            return traces;
        }
    }

    private PrefixedSource inMemory() {
        int head = Math.min(text.length, TraceInput.HEAD);
        ByteSource rest = new StreamSource(new ByteArrayInputStream(text, head, text.length - head));
        return new PrefixedSource(Arrays.copyOf(text, head), rest);
    }
}
