// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.model.IntervalSet;
import java.util.SplittableRandom;
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
 * How long the algebra of intervals takes on two sets of {@code intervals} disjoint intervals each, which overlap each
 * other at random: kernels of two streams, as it were.
 *
 * <p>{@code ./lockstep-bench IntervalSet}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class IntervalSetBenchmark {
    private static final long SEED = 1;
    private static final int LONGEST_NS = 20_000;

    @Param("1000000")
    private int intervals;

    private IntervalSet left;
    private IntervalSet right;
    private long[] starts;
    private long[] ends;

    @Setup
    public void prepare() {
        SplittableRandom random = new SplittableRandom(SEED);
        left = random(random);
        right = random(random);
        starts = new long[intervals];
        ends = new long[intervals];
        for (int i = 0; i < intervals; i++) {
            starts[i] = left.start(i);
            ends[i] = left.end(i) + random.nextInt(2) * LONGEST_NS;
        }
    }

    private IntervalSet random(SplittableRandom random) {
        IntervalSet.Builder builder = new IntervalSet.Builder();
        long at = 0;
        for (int i = 0; i < intervals; i++) {
            at += 1 + random.nextInt(LONGEST_NS);
            long end = at + 1 + random.nextInt(LONGEST_NS);
            builder.add(at, end);
            at = end;
        }
        return builder.build();
    }

    /** Joins intervals, about half of which run into the next. */
    @Benchmark
    public IntervalSet build() {
        IntervalSet.Builder builder = new IntervalSet.Builder();
        for (int i = 0; i < starts.length; i++) {
            builder.add(starts[i], ends[i]);
        }
        return builder.build();
    }

    @Benchmark
    public IntervalSet union() {
        return left.union(right);
    }

    @Benchmark
    public IntervalSet intersect() {
        return left.intersect(right);
    }

    @Benchmark
    public IntervalSet minus() {
        return left.minus(right);
    }

    @Benchmark
    public IntervalSet gaps() {
        return left.gaps();
    }
}
