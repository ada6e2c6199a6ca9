// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.PerformanceReport;
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
 * How long it takes, between reading and writing, to explain a trace: all derived structures and all analyses of
 * {@code report}, on one thread.
 *
 * <p>{@code ./lockstep-bench Analyses}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AnalysesBenchmark {
    @Param("64")
    private int megabytes;

    private Trace trace;

    @Setup
    public void prepare() throws IOException {
        trace = Samples.trace(megabytes);
    }

    @Benchmark
    public Report analyse() {
        return PerformanceReport.of(trace, ReportOptions.standard());
    }
}
