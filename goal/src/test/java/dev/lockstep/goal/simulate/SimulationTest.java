// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulatedTimes.Waiting;
import dev.lockstep.goal.model.SimulationRules;
import dev.lockstep.goal.stored.GoalFile;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.goal.stored.TwoRanks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulationTest {
    /** L 100, o 10, g 1, no O, G 2, everything up to 1000 bytes without rendezvous. */
    private static final Network SMALL = new Network(100, 10, 1, 0, 2, 1000);

    @TempDir
    Path folder;

    @Test
    void aMessageTakesOverheadLatencyAndItsBytes() throws IOException {
        SimulatedTimes times = run(SMALL, "a: calc 50\nb: send 5b to 1\nb requires a", "recv 5b from 0");

        // Sent from 50 to 60, under way for 100 + 4 * 2, then 1 for the card and 10 for the processor.
        assertThat(times.finishNs()).containsExactly(60, 179);
        assertThat(times.busyNs()).containsExactly(60, 11);
        assertThat(times.makespanNs()).isEqualTo(179);
        assertThat(times.idleNs(0)).isEqualTo(119);
        assertThat(times.stuck()).isZero();
    }

    @Test
    void withRendezvousTheSenderWaitsForItsReceiver() throws IOException {
        Network rendezvous = new Network(100, 10, 1, 0, 2, 0);

        SimulatedTimes times = run(rendezvous, "send 5b to 1", "a: calc 1000\nb: recv 5b from 0\nb requires a");

        // The message is there at 118; the receive starts at 1000 and takes 11; the sender waits, but is not busy.
        assertThat(times.finishNs()).containsExactly(1011, 1011);
        assertThat(times.busyNs()).containsExactly(10, 1011);
    }

    @Test
    void oneProcessorDoesOneThingAtATime() throws IOException {
        SimulatedTimes times = run(SMALL, "calc 10\ncalc 20\ncalc 5 cpu 1", "");

        assertThat(times.finishNs()).containsExactly(30, 0);
        assertThat(times.busyNs()).containsExactly(30, 0);
    }

    @Test
    void emptyMessagesCountAsOneByte() throws IOException {
        assertThat(run(SMALL, "send 0b to 1", "recv 0b from 0").finishNs()).containsExactly(10, 121);
    }

    @Test
    void twiceTheBandwidthHalvesTheBytes() throws IOException {
        String send = "send 501b to 1";
        String receive = "recv 501b from 0";

        assertThat(run(SMALL, send, receive).makespanNs()).isEqualTo(10 + 100 + 1000 + 11);
        assertThat(run(SMALL.wider(2), send, receive).makespanNs()).isEqualTo(10 + 100 + 500 + 11);
        assertThat(run(SMALL.faster(2), send, receive).makespanNs()).isEqualTo(10 + 50 + 500 + 11);
    }

    /** 10 for the message and 3 for each of four bytes, on both sides. */
    @Test
    void bytesMayCostTheProcessorTime() throws IOException {
        Network perByte = new Network(100, 10, 1, 3, 2, 1000);

        assertThat(run(perByte, "send 5b to 1", "recv 5b from 0").finishNs()).containsExactly(22, 22 + 108 + 1 + 22);
    }

    /** The card is busy for 1 + 4 * 2, so that the second message leaves at 9; a second card sends at once. */
    @Test
    void processorsShareACard() throws IOException {
        String receives = "recv 5b from 0\nrecv 5b from 0 tag 1 cpu 1";

        assertThat(run(SMALL, "send 5b to 1\nsend 5b to 1 tag 1 cpu 1", receives)
                        .finishNs())
                .containsExactly(19, 19 + 108 + 11);
        assertThat(run(SMALL, "send 5b to 1\nsend 5b to 1 tag 1 cpu 1 nic 1", receives)
                        .finishNs())
                .containsExactly(10, 10 + 108 + 11);
    }

    @Test
    void whatWaitsForSeveralStartsWhenTheLastHasEnded() throws IOException {
        assertThat(run(SMALL, "a: calc 30\nb: calc 50 cpu 1\nc: calc 5 cpu 2\nc requires a\nc requires b", "")
                        .finishNs())
                .containsExactly(55, 0);
    }

    @Test
    void whatWaitsForAStartDoesNotWaitForTheEnd() throws IOException {
        assertThat(run(SMALL, "a: calc 50\nb: send 5b to 1 cpu 1\nb irequires a", "recv 5b from 0")
                        .finishNs())
                .containsExactly(50, 10 + 108 + 11);
    }

    /** Whichever comes about last in the order of events: the start of a, or of b, which keeps another processor busy until 900. */
    @Test
    void whatWaitsForAStartAndAnEndWaitsForBoth() throws IOException {
        String waits = "\nc: calc 5 cpu 2\nc requires b\nc irequires a";

        assertThat(run(SMALL, "a: calc 50\nb: calc 900 cpu 1" + waits, "").finishNs())
                .containsExactly(905, 0);
        assertThat(run(SMALL, "b: calc 900\na: calc 50 cpu 1" + waits, "").finishNs())
                .containsExactly(905, 0);
    }

    /** Of those that wait for a processor each is looked at whenever it is free, or in a line one behind the other. */
    @Test
    void inLinesOnlyTheFirstIsLookedAtAgain() throws IOException {
        StoredSchedule schedule = read("calc 10\ncalc 10\ncalc 10\ncalc 10", "");

        SimulatedTimes looked = Simulation.run(schedule, SMALL, Activity.IGNORED, Long.MAX_VALUE);
        SimulatedTimes lined = Simulation.run(schedule, SMALL, Activity.IGNORED, 0);

        assertThat(looked.finishNs()).containsExactly(40, 0);
        assertThat(lined.finishNs()).containsExactly(40, 0);
        assertThat(Simulation.looks(schedule, SMALL, Long.MAX_VALUE)).isEqualTo(4 + 3 + 2 + 1);
        assertThat(Simulation.looks(schedule, SMALL, 0)).isEqualTo(4 + 3 + 2 + 1 - 3);
        assertThat(looked.events()).isEqualTo(4);
        assertThat(lined.events()).isEqualTo(4);
    }

    /** Sent every 10 ns, there from 110 on; taking one takes 11. Messages wait for the processor of their receives. */
    @Test
    void manyMessagesOfOneTagTakeAsLongInLines() throws IOException {
        int messages = 400;
        StoredSchedule schedule =
                read("send 1b to 1 tag 3\n".repeat(messages), "recv 1b from 0 tag 3\n".repeat(messages));

        SimulatedTimes looked = Simulation.run(schedule, SMALL, Activity.IGNORED, Long.MAX_VALUE);
        SimulatedTimes lined = Simulation.run(schedule, SMALL, Activity.IGNORED, 0);

        assertThat(looked.finishNs()).containsExactly(10 * messages, 110 + 11 * messages);
        assertThat(lined.finishNs()).containsExactly(10 * messages, 110 + 11 * messages);
        assertThat(lined.busyNs()).isEqualTo(looked.busyNs());
        assertThat(lined.stuck()).isZero();
        assertThat(Simulation.looks(schedule, SMALL, Long.MAX_VALUE)).isGreaterThan(50L * messages);
        assertThat(Simulation.looks(schedule, SMALL, 0)).isLessThan(7L * messages);
        assertThat(looked.events()).isEqualTo(3L * messages);
        assertThat(lined.events()).isEqualTo(3L * messages);
    }

    /** What a send waits for is its processor at one time and its card at another. */
    @Test
    void whoWaitsForTwoThingsChangesNoLine() throws IOException {
        int messages = 2_000;
        StringBuilder sends = new StringBuilder();
        StringBuilder receives = new StringBuilder();
        for (int i = 0; i < messages; i++) {
            int size = i % 2 == 0 ? 60_000 : 1;
            sends.append("send ").append(size).append("b to 1 tag ").append(i).append('\n');
            receives.append("recv ")
                    .append(size)
                    .append("b from 0 tag ")
                    .append(i)
                    .append('\n');
        }
        StoredSchedule schedule = read(sends.toString(), receives.toString());

        assertThat(Simulation.looks(schedule, Network.DEFAULT, 0)).isLessThan(12L * messages);
        SimulatedTimes lined = Simulation.run(schedule, Network.DEFAULT, Activity.IGNORED, 0);
        SimulatedTimes looked = Simulation.run(schedule, Network.DEFAULT, Activity.IGNORED, Long.MAX_VALUE);
        assertThat(lined.events()).isEqualTo(3L * messages).isEqualTo(looked.events());
        assertThat((double) lined.makespanNs() / looked.makespanNs()).isBetween(0.95, 1.05);
    }

    /** A receive whose message is there takes it while its processor calculates; LogGOPSim then takes that for free. */
    @Test
    void logGopSimsClockRunsBackwards() throws IOException {
        StoredSchedule schedule =
                read("a: send 1b to 1 tag 1", "b: calc 1000\nc: calc 500 cpu 1\nd: recv 1b from 0 tag 1\nd requires c");

        assertThat(Simulation.run(schedule, SMALL, SimulationRules.OWN, Activity.IGNORED)
                        .finishNs()[1])
                .isGreaterThan(1000);
        assertThat(Simulation.run(schedule, SMALL, SimulationRules.LOGGOPSIM, Activity.IGNORED)
                        .finishNs()[1])
                .isEqualTo(511);
    }

    /** Rank numbers decide which of two messages that come at the same time is taken first, and nothing else does. */
    @Test
    void otherNumbersOfRanksAreOtherOrders() throws IOException {
        Path file = folder.resolve("three.goal");
        Files.writeString(file, """
                num_ranks 3
                rank 0 {
                a: recv 1b from 1 tag 1
                b: recv 1b from 2 tag 1
                c: calc 500 cpu 1
                c requires a
                }
                rank 1 {
                send 1b to 0 tag 1
                }
                rank 2 {
                send 1b to 0 tag 1
                }
                """);
        StoredSchedule schedule = new GoalFile(file).read(20);
        int[][] orders = {{0, 1, 2}, {0, 2, 1}};
        assertThat(Stream.of(orders)
                        .map(order -> Simulation.run(schedule, SMALL, SimulationRules.OWN, Activity.IGNORED, order)
                                .makespanNs())
                        .distinct())
                .hasSize(2);
    }

    @Test
    void whatWaitsForEverIsNamed() throws IOException {
        SimulatedTimes times = run(SMALL, "a: recv 8b from 1\nb: calc 7\nb requires a", "calc 3");

        assertThat(times.stuck()).isEqualTo(2);
        assertThat(times.waiting()).containsExactly(new Waiting(0, 0));
    }

    @Test
    void activityIsToldAsItHappens() throws IOException {
        List<String> told = new ArrayList<>();
        StoredSchedule schedule = read("a: calc 50\nb: send 5b to 1\nb requires a", "recv 5b from 0");

        Simulation.run(
                schedule,
                SMALL,
                SimulationRules.OWN,
                (rank, kind, start, end) -> told.add(rank + " " + kind + " " + start + "-" + end));

        assertThat(told).containsExactly("0 3 0-50", "0 1 50-60", "1 2 168-179");
    }

    /** Recorded finishing times are those of LogGOPSim for exactly the recorded schedules. */
    @Test
    void recordedSchedulesFinishWhenRecorded() throws IOException {
        Path cases = shared().resolve("data/goal/cases");
        assumeTrue(Files.isDirectory(cases), "no recorded schedules at " + cases);
        List<Path> folders;
        try (Stream<Path> list = Files.list(cases)) {
            folders = list.sorted().toList();
        }
        assertThat(folders).isNotEmpty();
        for (Path recorded : folders) {
            StoredSchedule schedule = new GoalFile(recorded.resolve("expected/output.goal.gz")).read(1);
            SimulatedTimes times = Simulation.run(schedule, Network.DEFAULT, SimulationRules.OWN, Activity.IGNORED);
            assertThat(times.finishNs()).as(recorded.toString()).containsExactly(recordedTimes(recorded));
        }
    }

    private static long[] recordedTimes(Path recorded) throws IOException {
        String json = Files.readString(recorded.resolve("case.json"));
        Matcher list =
                Pattern.compile("\"finish_ns_by_rank\"\\s*:\\s*\\[([^]]*)]").matcher(json);
        assertThat(list.find()).isTrue();
        return Stream.of(list.group(1).split(","))
                .mapToLong(n -> Long.parseLong(n.strip()))
                .toArray();
    }

    private static Path shared() {
        String named = System.getProperty("lockstep.shared");
        return named != null
                ? Path.of(named)
                : Path.of(System.getProperty("basedir", "."), "..", "..", "shared")
                        .normalize();
    }

    private SimulatedTimes run(Network network, String first, String second) throws IOException {
        return Simulation.run(read(first, second), network, SimulationRules.OWN, Activity.IGNORED);
    }

    private StoredSchedule read(String first, String second) throws IOException {
        return TwoRanks.read(folder, first, second);
    }
}
