// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.Comparator;
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
 * How long it takes to sort {@code rows} rows by a time stamp: {@code longOrder} is ours, {@code boxedRows} is what the
 * JDK offers for the same task, {@code keysAlone} sorts the stamps and loses the rows, a bound that a comparison sort
 * cannot beat. {@code order=shuffled} is random, {@code order=streams} as traces come: eight runs, each in order, mixed
 * with each other. The copy that each invocation sorts is made within the time.
 *
 * <p>{@code ./lockstep-bench Sort}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SortBenchmark {
    private static final long SEED = 1;
    private static final int STREAMS = 8;
    private static final int LONGEST_NS = 20_000;

    @Param("1000000")
    private int rows;

    @Param({"shuffled", "streams"})
    private String order;

    private long[] keys;
    private int[] identity;

    @Setup
    public void prepare() {
        SplittableRandom random = new SplittableRandom(SEED);
        keys = new long[rows];
        identity = new int[rows];
        long[] clocks = new long[STREAMS];
        for (int i = 0; i < rows; i++) {
            int stream = random.nextInt(STREAMS);
            clocks[stream] += random.nextInt(LONGEST_NS);
            keys[i] = order.equals("streams") ? clocks[stream] : random.nextLong((long) rows * LONGEST_NS / STREAMS);
            identity[i] = i;
        }
        if (!Arrays.equals(longOrder(), boxedRows())) {
            throw new IllegalStateException("the sorts disagree");
        }
    }

    @Benchmark
    public int[] longOrder() {
        int[] sorted = identity.clone();
        LongOrder.sort(keys.clone(), sorted);
        return sorted;
    }

    @Benchmark
    public int[] boxedRows() {
        Integer[] boxed = new Integer[rows];
        Arrays.setAll(boxed, i -> i);
        Arrays.sort(boxed, Comparator.comparingLong(row -> keys[row]));
        int[] sorted = new int[rows];
        Arrays.setAll(sorted, i -> boxed[i]);
        return sorted;
    }

    @Benchmark
    public long[] keysAlone() {
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
