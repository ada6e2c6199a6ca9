// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulationRules;
import dev.lockstep.goal.simulate.Activity;
import dev.lockstep.goal.simulate.Simulation;
import dev.lockstep.goal.stored.Dependents;
import dev.lockstep.goal.stored.Flaws;
import dev.lockstep.goal.stored.GoalFile;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.goal.testkit.RandomSchedules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that share source, destination and tag may meet in any order. */
class MessageOrdersTest {
    private static final List<Network> NETWORKS = List.of(
            Network.DEFAULT,
            new Network(3700, 200, 5, 0, 0.04, 100),
            new Network(3700, 200, 5, 0, 0.04, Long.MAX_VALUE),
            new Network(0, 1, 1, 1, 2, 0),
            new Network(10, 5000, 1, 0, 9, 8));

    /** Rank 0 takes 1 byte, then sends; its other receive of that tag takes 4096 bytes. Which comes first, nothing says. */
    private static final String CROSSED = """
            num_ranks 2
            rank 0 {
            a: recv 1b from 1 tag 2
            b: send 8b to 1 tag 1
            c: recv 4096b from 1 tag 2
            b requires a
            }
            rank 1 {
            a: send 1b to 0 tag 2
            b: recv 8b from 0 tag 1
            c: send 4096b to 0 tag 2
            b requires a
            c requires b
            }
            """;

    @TempDir
    Path folder;

    private StoredSchedule read(String text) throws IOException {
        Path file = folder.resolve("schedule.goal");
        Files.writeString(file, text);
        return new GoalFile(file).read(20);
    }

    @Test
    void aDeadlockInAnotherOrderIsFound() throws IOException {
        StoredSchedule schedule = read(CROSSED);
        Flaws flaws = ScheduleVerification.check(schedule);
        assertThat(flaws.count()).isEqualTo(1);
        assertThat(flaws.first().getFirst().text())
                .isEqualTo(
                        "deadlock when messages of one tag meet in another order than in the file: if %s send 1b to 0"
                                + " tag 2 meets %s recv 4096b from 1 tag 2, 4 operations never end, among them %s recv 1b from 1"
                                + " tag 2, %s recv 8b from 0 tag 1");
        assertThat(flaws.open()).isNull();
    }

    @Test
    void messagesOneBehindTheOtherHaveOneOrder() throws IOException {
        StringBuilder first = new StringBuilder();
        StringBuilder second = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            String word = i % 2 == 0 ? "send 8b to" : "recv 8b from";
            String other = i % 2 == 0 ? "recv 8b from" : "send 8b to";
            String behind = i == 0 ? "" : "l%d requires l%d\n".formatted(i, i - 1);
            first.append("l%d: %s 1 tag 7\n%s".formatted(i, word, behind));
            second.append("l%d: %s 0 tag 7\n%s".formatted(i, other, behind));
        }
        StoredSchedule schedule = read("num_ranks 2\nrank 0 {\n" + first + "}\nrank 1 {\n" + second + "}\n");
        assertThat(proven(schedule)).isTrue();
        assertThat(ScheduleVerification.check(schedule).count()).isZero();
    }

    /** Nothing says which of them is first, and nothing depends on it. */
    @Test
    void messagesThatAllBeginAreProvenWithoutTrying() throws IOException {
        String text = "num_ranks 2\nrank 0 {\nz: recv 1b from 1 tag 9\n"
                + IntStream.range(0, 400)
                        .mapToObj("a%1$d: send 1b to 1 tag 1\n"::formatted)
                        .reduce("", String::concat)
                + "}\nrank 1 {\n"
                + IntStream.range(0, 400)
                        .mapToObj("a%1$d: recv 1b from 0 tag 1\n"::formatted)
                        .reduce("", String::concat)
                + "z: send 1b to 0 tag 9\nz requires a0\n}\n";
        assertThat(proven(read(text))).isTrue();
    }

    @Test
    void whatIsTooLargeToBeTriedIsLeftOpen() throws IOException {
        Flaws flaws = ScheduleVerification.check(
                read(CROSSED.replace("rank 0 {\n", "rank 0 {\n" + "calc 1\n".repeat(100_000))));
        assertThat(flaws.count()).isZero();
        assertThat(flaws.open())
                .isNotNull()
                .extracting(Flaws.Flaw::text)
                .isEqualTo(
                        "not proven for every order: 2 messages from rank 1 to rank 0 have tag 2; unless they meet in the"
                                + " order of the file, %s recv 1b from 1 tag 2 may wait for ever");
    }

    /** What is called correct must run to its end on every network, and however ranks are numbered. */
    @Test
    void noScheduleThatIsCalledCorrectIsADeadlock() throws IOException {
        int deadlocks = 0;
        int correct = 0;
        int open = 0;
        for (long seed = 0; seed < 600; seed++) {
            StoredSchedule schedule = read(RandomSchedules.text(seed, 4 + (int) (seed % 12), 1 + (int) (seed % 3)));
            Flaws flaws = ScheduleVerification.check(schedule);
            boolean ends = true;
            for (Network network : NETWORKS) {
                for (int[] order : orders(schedule.ranks().size())) {
                    SimulatedTimes times =
                            Simulation.run(schedule, network, SimulationRules.OWN, Activity.IGNORED, order);
                    ends &= times.stuck() == 0;
                }
            }
            open += flaws.open() == null ? 0 : 1;
            if (flaws.count() == 0 && flaws.open() == null) {
                assertThat(ends).as("seed %d is called correct", seed).isTrue();
                correct++;
            }
            deadlocks += ends ? 0 : 1;
        }
        assertThat(deadlocks).as("deadlocks").isGreaterThan(20);
        assertThat(correct).as("correct").isGreaterThan(200);
        assertThat(open).as("left open").isZero();
    }

    private static List<int[]> orders(int ranks) {
        List<int[]> orders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
            if (i > 0) {
                Collections.shuffle(order, new Random(i));
            }
            orders.add(order.stream().mapToInt(rank -> rank).toArray());
        }
        return orders;
    }

    /** All orders are tried, in a way that knows nothing of proofs. */
    @Test
    void aScheduleIsCorrectIfAndOnlyIfNoOrderIsADeadlock() throws IOException {
        int proofs = 0;
        int wrong = 0;
        for (long seed = 1_000; seed < 1_800; seed++) {
            StoredSchedule schedule = read(RandomSchedules.text(seed, 3 + (int) (seed % 6), 1 + (int) (seed % 2)));
            boolean ends = true;
            for (long from : new long[] {0, 8, 4096, Long.MAX_VALUE}) {
                ends &= new Tries(schedule, from).end();
            }
            Flaws flaws = ScheduleVerification.check(schedule);
            assertThat(flaws.count() == 0 && flaws.open() == null)
                    .as("seed %d", seed)
                    .isEqualTo(ends);
            boolean proven = proven(schedule);
            assertThat(ends || !proven).as("proof of seed %d", seed).isTrue();
            proofs += proven ? 1 : 0;
            wrong += ends ? 0 : 1;
        }
        assertThat(wrong).isGreaterThan(20);
        assertThat(proofs).as("of %d that end", 800 - wrong).isGreaterThan((800 - wrong) * 8 / 10);
    }

    private static boolean proven(StoredSchedule schedule) {
        Channels channels = Channels.of(schedule);
        MessagePairing pairing = MessagePairing.of(schedule, channels, new Flaws(1));
        return AnyOrder.of(schedule.ranks(), pairing, SharedChannels.of(schedule, channels))
                .isProven();
    }

    /** Every way in which a small schedule can go on: {@code done} holds what has begun, met or ended, by name. */
    private record Tries(List<Operations> ranks, long rendezvousFrom, Set<Set<String>> seen) {
        private Tries(StoredSchedule schedule, long rendezvousFrom) {
            this(schedule.ranks(), rendezvousFrom, new HashSet<>());
        }

        private boolean end() {
            return end(new HashSet<>());
        }

        private boolean end(Set<String> before) {
            Set<String> done = begun(before);
            if (!seen.add(done)) {
                return true;
            }
            boolean stands = true;
            for (int from = 0; from < ranks.size(); from++) {
                for (int send = 0; send < ranks.get(from).size(); send++) {
                    if (!free(done, from, send, Operations.SEND)) {
                        continue;
                    }
                    int to = ranks.get(from).peer(send);
                    for (int receive = 0; receive < ranks.get(to).size(); receive++) {
                        boolean meet = free(done, to, receive, Operations.RECV)
                                && ranks.get(to).peer(receive) == from
                                && ranks.get(to).tag(receive) == ranks.get(from).tag(send);
                        if (meet) {
                            stands = false;
                            Set<String> next = new HashSet<>(done);
                            next.addAll(List.of(
                                    "met " + from + " " + send,
                                    "met " + to + " " + receive,
                                    "ended " + from + " " + send,
                                    "ended " + to + " " + receive));
                            if (!end(next)) {
                                return false;
                            }
                        }
                    }
                }
            }
            return !stands
                    || done.stream().filter(one -> one.startsWith("ended")).count()
                            == ranks.stream().mapToLong(Operations::size).sum();
        }

        private boolean free(Set<String> done, int rank, int operation, byte kind) {
            String name = rank + " " + operation;
            return ranks.get(rank).kind(operation) == kind
                    && done.contains("began " + name)
                    && !done.contains("met " + name);
        }

        private Set<String> begun(Set<String> before) {
            Set<String> done = new HashSet<>(before);
            int size;
            do {
                size = done.size();
                for (int rank = 0; rank < ranks.size(); rank++) {
                    for (int i = 0; i < ranks.get(rank).size(); i++) {
                        if (ready(done, rank, i)) {
                            done.add("began " + rank + " " + i);
                            byte kind = ranks.get(rank).kind(i);
                            boolean atOnce =
                                    kind == Operations.SEND && ranks.get(rank).amount(i) < rendezvousFrom;
                            if (kind == Operations.CALC || atOnce) {
                                done.add("ended " + rank + " " + i);
                            }
                        }
                    }
                }
            } while (done.size() > size);
            return done;
        }

        private boolean ready(Set<String> done, int rank, int operation) {
            return holds(done, "began ", rank, ranks.get(rank).afterStart(), operation)
                    && holds(done, "ended ", rank, ranks.get(rank).afterEnd(), operation);
        }

        private boolean holds(Set<String> done, String what, int rank, Dependents dependents, int operation) {
            for (int i = 0; i < ranks.get(rank).size(); i++) {
                for (int d = dependents.from(i); d < dependents.to(i); d++) {
                    if (dependents.target(d) == operation && !done.contains(what + rank + " " + i)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
