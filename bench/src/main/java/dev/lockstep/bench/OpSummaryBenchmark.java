// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.work.OpSummary;
import dev.lockstep.derive.DerivedCache;
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
 * How long it takes to group the operators of a trace by category, by name and by arguments: {@code group} alone,
 * {@code deriveAndGroup} with everything it stands on (call tree, launch links, busy times).
 *
 * <p>{@code ./lockstep-bench OpSummary}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class OpSummaryBenchmark {
    @Param("64")
    private int megabytes;

    private final OpSummary summary =
            new OpSummary(AnalysisRules.standard(), new OpSummary.Options(false, false, false));
    private Trace trace;
    private DerivedCache derived;

    @Setup
    public void prepare() throws IOException {
        trace = Samples.trace(megabytes);
        derived = new DerivedCache(trace);
        if (group().byName().isEmpty()) {
            throw new IllegalArgumentException("the trace holds no operator that launched anything");
        }
    }

    @Benchmark
    public OpSummary.Result group() {
        return summary.run(derived);
    }

    @Benchmark
    public OpSummary.Result deriveAndGroup() {
        return summary.run(new DerivedCache(trace));
    }
}
