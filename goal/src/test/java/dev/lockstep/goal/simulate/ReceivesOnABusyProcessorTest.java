// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.goal.stored.TwoRanks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receives that share a processor with calculations, against a simulation of these alone. */
class ReceivesOnABusyProcessorTest {
    private static final Network NETWORK = new Network(100, 10, 1, 0, 2, 1000);
    private static final int TAKEN = 11;
    private static final int ARRIVAL = 110;

    @TempDir
    Path folder;

    @Test
    void aMessageThatIsThereWaitsForALongCalculation() throws IOException {
        StoredSchedule schedule = read(
                "send 1b to 1 tag 1",
                "a: calc 1000 cpu 1\nb: recv 1b from 0 tag 1\nc: calc 5000\nd: calc 7 cpu 2\nb requires a\nd requires b");

        SimulatedTimes times = run(schedule, Long.MAX_VALUE);

        assertThat(times.finishNs()).containsExactly(10, 5000 + TAKEN + 7);
        assertThat(times.idleNs(1)).isZero();
    }

    @Test
    void processorsAreFreeWhenASimpleSimulationSaysSo() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Case one = Case.of(random, 1 + random.nextInt(40));
            StoredSchedule schedule = read(one.sends(), one.receives());

            assertThat(run(schedule, Long.MAX_VALUE).finishNs()[1])
                    .as("seed %s", seed)
                    .isEqualTo(one.finish());
        }
    }

    @Test
    void noRankIsDoneBeforeItsProcessorsHaveCalculated() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            StoredSchedule schedule = anySchedule(new Random(seed));
            for (long looks : new long[] {0, Long.MAX_VALUE}) {
                SimulatedTimes times = run(schedule, looks);
                assertThat(times.stuck()).isZero();
                for (int rank = 0; rank < 2; rank++) {
                    assertThat(times.idleNs(rank)).as("seed %s", seed).isNotNegative();
                    assertThat(times.finishNs()[rank])
                            .as("seed %s", seed)
                            .isGreaterThanOrEqualTo(
                                    mostCalculated(schedule.ranks().get(rank)));
                }
            }
        }
    }

    /** On processor 0 of rank 1 a calculation and receives; all else has a processor and a card of its own. */
    private record Case(long calculation, long[] sentAt, long[] readyAt) {
        static Case of(Random random, int messages) {
            return new Case(
                    random.nextInt(3000),
                    random.longs(messages, 0, 3000).toArray(),
                    random.longs(messages, 0, 3000).toArray());
        }

        String sends() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < sentAt.length; i++) {
                text.append("c%d: calc %d cpu %d\ns%d: send 1b to 1 tag %d cpu %d nic %d\ns%d requires c%d\n"
                        .formatted(i, sentAt[i], i + 1, i, i, i + 1, i, i, i));
            }
            return text.toString();
        }

        String receives() {
            StringBuilder text = new StringBuilder("c: calc " + calculation + "\n");
            for (int i = 0; i < readyAt.length; i++) {
                text.append("c%d: calc %d cpu %d\nr%d: recv 1b from 0 tag %d nic %d\nr%d requires c%d\n"
                        .formatted(i, readyAt[i], i + 1, i, i, i, i, i));
            }
            return text.toString();
        }

        /** When the last processor is free. */
        long finish() {
            PriorityQueue<long[]> coming = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
            long last = 0;
            for (int i = 0; i < sentAt.length; i++) {
                long arrival = sentAt[i] + ARRIVAL;
                coming.add(new long[] {Math.max(arrival, readyAt[i]), arrival < readyAt[i] ? 1 : 0});
                last = Math.max(last, readyAt[i]);
            }
            long free = calculation;
            while (!coming.isEmpty()) {
                long[] next = coming.poll();
                boolean found = next[1] == 1;
                if (free > next[0] + (found ? TAKEN : 0)) {
                    coming.add(new long[] {free, 0});
                } else {
                    free = Math.max(free, next[0] + TAKEN);
                }
            }
            return Math.max(last, free);
        }
    }

    /** Operations of both ranks, of which each waits for some before it, so that messages are answered. */
    private StoredSchedule anySchedule(Random random) throws IOException {
        StringBuilder[] ranks = {new StringBuilder(), new StringBuilder()};
        int operations = 2 + random.nextInt(60);
        for (int i = 0; i < operations; i++) {
            int first = random.nextInt(2);
            boolean message = random.nextBoolean();
            for (int rank = 0; rank < 2; rank++) {
                if (!message && rank != first) {
                    continue;
                }
                String what = message
                        ? (rank == first ? "send %db to %d" : "recv %db from %d").formatted(i, 1 - rank) + " tag " + i
                        : "calc " + random.nextInt(500);
                String card = message ? " nic " + random.nextInt(2) : "";
                ranks[rank].append("l%d: %s cpu %d%s\n".formatted(i, what, random.nextInt(3), card));
                String label = "l" + random.nextInt(i + 1) + ":";
                if (!label.equals("l" + i + ":") && ranks[rank].indexOf(label) >= 0) {
                    ranks[rank].append("l%d requires %s\n".formatted(i, label.substring(0, label.length() - 1)));
                }
            }
        }
        return read(ranks[0].toString(), ranks[1].toString());
    }

    private static long mostCalculated(Operations rank) {
        long[] calculated = new long[3];
        for (int i = 0; i < rank.size(); i++) {
            calculated[rank.cpu(i)] += rank.kind(i) == Operations.CALC ? rank.amount(i) : 0;
        }
        return Arrays.stream(calculated).max().orElseThrow();
    }

    private static SimulatedTimes run(StoredSchedule schedule, long looks) {
        return Simulation.run(schedule, NETWORK, Activity.IGNORED, looks);
    }

    private StoredSchedule read(String first, String second) throws IOException {
        return TwoRanks.read(folder, first, second);
    }
}
