// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Jobs of an AIU on some ranks, made from nothing. Each goes through transfer in, preparation, execution and transfer out; cycle
 * counters, which wrap, say the same as the host's times. Transfers run beside the executions of others. Times are in ns.
 *
 * @param jobs by rank
 * @param cycles how many cycles are so many ns as {@code perNs} says
 */
record MadeFlex(List<List<Job>> jobs, long cycles, long perNs) {
    private static final List<String> NAMES = List.of("mm", "add", "softmax_fwd", "mm");
    private static final long[][] RATES = {{1, 1}, {1, 2}, {4, 5}, {14, 25}};
    private static final List<String> STEPS = List.of(" DmaI", " Cmpt Prep", " Cmpt Exec", " DmaO");
    private static final int IN = 0;
    private static final int EXECUTES = 2;
    private static final int OUT = 3;

    /**
     * A job.
     *
     * @param moments when its four steps begin, and when the last ends
     * @param recorded which of its steps are in the file
     * @param bytes that each transfer moves
     */
    record Job(String name, long[] moments, boolean[] recorded, long bytes) {}

    static MadeFlex of(RandomGenerator random) {
        long[] rate = RATES[random.nextInt(RATES.length)];
        long unit = rate[1];
        List<List<Job>> ranks = new ArrayList<>();
        for (int rank = 1 + random.nextInt(3); rank > 0; rank--) {
            List<Job> jobs = new ArrayList<>();
            long in = unit * random.nextLong(1_000_000_000_000L / unit);
            long free = in;
            for (int i = 0; i < 5 + random.nextInt(20); i++) {
                long[] moments = new long[5];
                moments[0] = in + unit * random.nextLong(400);
                moments[1] = moments[0] + unit * (40 + random.nextLong(2_000));
                moments[2] = Math.max(moments[1], free) + unit * (40 + random.nextLong(500));
                moments[3] = moments[2] + unit * (40 + random.nextLong(random.nextInt(5) == 0 ? 400_000 : 4_000));
                moments[4] = moments[3] + unit * (40 + random.nextLong(2_000));
                in = moments[1];
                free = moments[4];
                boolean[] recorded = {random.nextInt(6) > 0, random.nextInt(6) > 0, true, random.nextInt(6) > 0};
                String name = NAMES.get(random.nextInt(NAMES.size())) + "_" + (i % 7);
                jobs.add(new Job(name, moments, recorded, random.nextLong(1, 1 << 30)));
            }
            ranks.add(jobs);
        }
        return new MadeFlex(ranks, rate[0], rate[1]);
    }

    /** The same that long later. */
    MadeFlex later(long ns) {
        return new MadeFlex(
                jobs.stream()
                        .map(rank -> rank.stream()
                                .map(job -> new Job(
                                        job.name,
                                        Arrays.stream(job.moments)
                                                .map(t -> t + ns)
                                                .toArray(),
                                        job.recorded,
                                        job.bytes))
                                .toList())
                        .toList(),
                cycles,
                perNs);
    }

    /** How many ranks there are. */
    int ranks() {
        return jobs.size();
    }

    /** What a rank executes, and, as stream 1, what it transfers. */
    List<MadeWorld.Kernel> work(int rank) {
        List<MadeWorld.Kernel> work = new ArrayList<>();
        for (Job job : jobs.get(rank)) {
            for (int step : new int[] {IN, EXECUTES, OUT}) {
                if (job.recorded[step]) {
                    work.add(new MadeWorld.Kernel(
                            job.name + STEPS.get(step),
                            job.moments[step],
                            job.moments[step + 1],
                            step == EXECUTES ? 0 : 1,
                            0,
                            0,
                            work.size() + 1));
                }
            }
        }
        return work;
    }

    /** How many bytes a rank transfers, by the name of the transfer. */
    Map<String, Long> bytes(int rank) {
        Map<String, Long> bytes = new TreeMap<>();
        for (Job job : jobs.get(rank)) {
            for (int step : new int[] {IN, OUT}) {
                if (job.recorded[step]) {
                    bytes.merge(job.name + STEPS.get(step), job.bytes, Long::sum);
                }
            }
        }
        return bytes;
    }

    /** All ranks in one file, events in any order. */
    String text(RandomGenerator random) {
        List<String> events = new ArrayList<>();
        for (int rank = 0; rank < ranks(); rank++) {
            events.addAll(events(rank));
        }
        Collections.shuffle(events, random);
        return random.nextBoolean()
                ? "[\n" + String.join(",\n", events) + "\n]\n"
                : "{\"traceEvents\": [\n" + String.join(",\n", events) + "\n]}\n";
    }

    /** A rank in a file of its own. */
    String text(int rank) {
        return "[\n" + String.join(",\n", events(rank)) + "\n]\n";
    }

    private List<String> events(int rank) {
        List<String> events = new ArrayList<>();
        for (Job job : jobs.get(rank)) {
            StringBuilder counters = new StringBuilder();
            for (int i = 0; i < job.moments.length; i++) {
                counters.append(i == 0 ? "" : ", ")
                        .append("\"TS" + (i + 1) + "\": \"" + Math.floorMod(job.moments[i] / perNs * cycles, 1L << 32)
                                + "\"");
            }
            for (int step = 0; step < STEPS.size(); step++) {
                if (job.recorded[step]) {
                    long takes = job.moments[step + 1] - job.moments[step];
                    boolean moves = step == IN || step == OUT;
                    events.add("{\"ph\": \"X\", \"name\": \"" + job.name + STEPS.get(step) + "\", \"pid\": " + rank
                            + ", \"tid\": " + (11 + step) + ", \"ts\": " + us(job.moments[step]) + ", \"dur\": "
                            + us(takes) + ", \"attr\": {" + counters
                            + (moves ? ", \"Bytes\": \"" + job.bytes + "\"" : "") + "}}");
                }
            }
        }
        return events;
    }

    private static String us(long ns) {
        return BigDecimal.valueOf(ns, 3).toPlainString();
    }
}
