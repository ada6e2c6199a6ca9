// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.torch.TorchTraceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long the reader of profiler JSON takes for text in which events are damaged so that each could be read to the end of
 * the file in vain. Twice the megabytes should take twice the time.
 *
 * <p>{@code ./lockstep-bench Recovery}, {@code ./lockstep-bench -p damage=UNCLOSED -p megabytes=32 Recovery}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class RecoveryBenchmark {
    /** What is repeated. */
    public enum Damage {
        /** Arguments that are never closed. */
        UNCLOSED("{'ph':'X','name':'k','pid':1,'tid':1,'ts':1,'dur':1,'args':{'a':[1,{'b':2}"),
        /** The same behind a name with quotes in it, so that the event is read twice. */
        QUOTES("{'ph':'X','name':'k'k'','pid':1,'tid':1,'ts':1,'dur':1,'args':{'a':[1,{'b':2}"),
        /** Objects without a phase, of which none is an event. */
        NO_PHASE("{'id':["),
        /** Events without a value. */
        NO_VALUE("{'ph':'X','ts':}");

        private final String text;

        Damage(String text) {
            this.text = text.replace('\'', '"');
        }
    }

    @Param
    private Damage damage;

    @Param({"1", "2", "4"})
    private int megabytes;

    private byte[] text;

    @Setup
    public void prepare() {
        String sound = "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}";
        String all = sound + ("," + damage.text).repeat((megabytes << 20) / (damage.text.length() + 1)) + "]}";
        text = all.getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    public List<Trace> read() throws IOException {
        int head = Math.min(text.length, TraceInput.HEAD);
        StreamSource rest = new StreamSource(new ByteArrayInputStream(text, head, text.length - head));
        try (PrefixedSource content = new PrefixedSource(Arrays.copyOf(text, head), rest)) {
            TraceInput input = TraceInput.of(Path.of("damaged.json"));
            return new TorchTraceReader().read(input, content, new Diagnostics(), ReadOptions.sequential());
        }
    }
}
