// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Nesting;
import dev.lockstep.model.Trace;
import java.io.IOException;
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
 * How long it takes to find which host call encloses which, over all threads of a trace, by each rule of nesting.
 *
 * <p>{@code ./lockstep-bench CallTree}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CallTreeBenchmark {
    @Param("64")
    private int megabytes;

    @Param
    private Nesting nesting;

    private Trace trace;

    @Setup
    public void prepare() throws IOException {
        trace = Samples.trace(megabytes);
        if (build().size() == 0) {
            throw new IllegalArgumentException("the trace holds no host calls");
        }
    }

    @Benchmark
    public CallTree build() {
        return new CallTree.Key(nesting, false).derive(trace, new DerivedCache(trace));
    }
}
