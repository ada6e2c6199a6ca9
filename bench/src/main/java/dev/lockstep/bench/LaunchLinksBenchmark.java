// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
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
 * How long it takes to find the host call that launched each device activity of a trace, by each rule.
 *
 * <p>{@code ./lockstep-bench LaunchLinks}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LaunchLinksBenchmark {
    @Param("64")
    private int megabytes;

    @Param
    private LaunchRule rule;

    private Trace trace;

    @Setup
    public void prepare() throws IOException {
        trace = Samples.trace(megabytes);
        LaunchLinks links = link();
        for (int i = 0; i < trace.slices().size(); i++) {
            if (links.launchOf(i) >= 0) {
                return;
            }
        }
        throw new IllegalArgumentException("the trace holds no device activity with a known launch");
    }

    @Benchmark
    public LaunchLinks link() {
        return new LaunchLinks.Key(rule).derive(trace, new DerivedCache(trace));
    }
}
