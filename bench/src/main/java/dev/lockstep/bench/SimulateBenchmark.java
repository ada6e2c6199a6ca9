// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.goal.Goal;
import dev.lockstep.goal.GoalSchedule;
import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.SimulatedTimes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast schedules are simulated on one core. {@code rings} are sixteen ranks that reduce around rings on eight channels,
 * {@code queue} the same number of operations, three thousand of which always wait for one processor. The figures to look at
 * are {@code operations} and {@code events} a second; three million events are the least that is wanted, and operations of
 * ten times the size must take ten times as long.
 *
 * <p>{@code ./lockstep-bench Simulate}, {@code ./lockstep-bench -p operations=10000000 -Xmx8g Simulate}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 5, time = 4)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC"})
public class SimulateBenchmark {
    private static final int RANKS = 16;
    private static final int CHANNELS = 8;
    private static final int CHUNK = 131_072;
    private static final int WAITING = 3000;
    private static final long SEED = 24;

    @Param("1000000")
    private int operations;

    @Param({"rings", "queue"})
    private String shape;

    private GoalSchedule schedule;

    /** What was simulated. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Simulated {
        public long operations;
        public long events;

        @Setup(Level.Iteration)
        public void reset() {
            operations = 0;
            events = 0;
        }
    }

    @Setup
    public void prepare() throws IOException {
        Path scratch = Samples.scratch();
        try {
            Path file = scratch.resolve("made.goal");
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
                out.println("num_ranks " + RANKS);
                for (int rank = 0; rank < RANKS; rank++) {
                    out.println("rank " + rank + " {");
                    if (shape.equals("rings")) {
                        rings(out, rank);
                    } else {
                        queue(out, rank);
                    }
                    out.println("}");
                }
            }
            schedule = Goal.read(file);
        } finally {
            Samples.delete(scratch);
        }
        if (schedule.simulate(Network.DEFAULT).stuck() > 0) {
            throw new IllegalStateException("the made schedule is a deadlock");
        }
    }

    /** Steps of three operations on each channel: a chunk comes, is reduced, and goes on. */
    private void rings(PrintWriter out, int rank) {
        int next = (rank + 1) % RANKS;
        int before = (rank + RANKS - 1) % RANKS;
        int steps = operations / RANKS / CHANNELS / 3;
        for (int channel = 0; channel < CHANNELS; channel++) {
            String place = " cpu " + channel + " nic 0";
            for (int step = 0; step < steps; step++) {
                String name = "c" + channel + "_" + step;
                long tag = (long) step * CHANNELS + channel;
                out.println(name + "s: send " + CHUNK + "b to " + next + " tag " + tag + place);
                out.println(name + "r: recv " + CHUNK + "b from " + before + " tag " + tag + place);
                out.println(name + "c: calc 4000 cpu " + channel);
                out.println(name + "c requires " + name + "r");
                if (step > 0) {
                    out.println(name + "s requires c" + channel + "_" + (step - 1) + "c");
                    out.println(name + "r requires c" + channel + "_" + (step - 1) + "c");
                }
            }
        }
    }

    /** Bursts of calculations on one processor, each behind the one before. */
    private void queue(PrintWriter out, int rank) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED + rank);
        int bursts = Math.max(1, operations / RANKS / (WAITING + 1));
        for (int burst = 0; burst < bursts; burst++) {
            for (int i = 0; i < WAITING; i++) {
                String name = "b" + burst + "_" + i;
                out.println(name + ": calc " + random.nextInt(10, 5000) + " cpu 0");
                if (burst > 0) {
                    out.println(name + " requires e" + (burst - 1));
                }
            }
            out.println("e" + burst + ": calc 5 cpu 1");
            for (int i = 0; i < WAITING; i++) {
                out.println("e" + burst + " requires b" + burst + "_" + i);
            }
        }
    }

    @Benchmark
    public SimulatedTimes simulate(Simulated counter) throws IOException {
        SimulatedTimes times = schedule.simulate(Network.DEFAULT);
        counter.operations += operations;
        counter.events += times.events();
        return times;
    }
}
