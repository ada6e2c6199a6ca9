// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.PairwisePlan;
import dev.lockstep.goal.recording.Plan.Part;
import dev.lockstep.goal.recording.RecordedOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole schedules of small collectives, each number of which can be worked out by hand; see {@link PlannedRun} for costs. */
class GoldenScheduleTest {
    @TempDir
    Path folder;

    /** 300 elements of 4 bytes are three chunks of 400 bytes. Reducing one takes 400 ns, with copying it 400 + 800. */
    @Test
    void aRingReducesInOneRoundAndHandsResultsAroundInTheNext() throws IOException {
        String schedule = PlannedRun.apart(3)
                .all(
                        NcclFunction.ALL_REDUCE,
                        1200,
                        plan(NcclAlgorithm.RING, NcclProtocol.SIMPLE, 0, new ChannelWork(300, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 400b to 1 tag 0 cpu 0 nic 0
            l1: recv 400b from 2 tag 0 cpu 0 nic 0
            l2: calc 400 cpu 0
            l2 requires l1
            l3: send 400b to 1 tag 1 cpu 0 nic 0
            l3 requires l2
            l4: recv 400b from 2 tag 1 cpu 0 nic 0
            l5: calc 1200 cpu 0
            l5 requires l4
            l6: send 400b to 1 tag 2 cpu 0 nic 0
            l6 requires l5
            l7: recv 400b from 2 tag 2 cpu 0 nic 0
            l8: calc 800 cpu 0
            l8 requires l7
            l9: send 400b to 1 tag 3 cpu 0 nic 0
            l9 requires l8
            l10: recv 400b from 2 tag 3 cpu 0 nic 0
            """);
    }

    /** 250 elements in chunks of 84: 336, 336 and 328 bytes; rank 0 begins with the last one. */
    @Test
    void theLastRoundOfARingHasSmallerChunks() throws IOException {
        String schedule = PlannedRun.apart(3)
                .all(
                        NcclFunction.ALL_REDUCE,
                        1000,
                        plan(NcclAlgorithm.RING, NcclProtocol.SIMPLE, 0, new ChannelWork(250, 100, 84, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 328b to 1 tag 0 cpu 0 nic 0
            l1: recv 336b from 2 tag 0 cpu 0 nic 0
            l2: calc 336 cpu 0
            l2 requires l1
            l3: send 336b to 1 tag 1 cpu 0 nic 0
            l3 requires l2
            l4: recv 336b from 2 tag 1 cpu 0 nic 0
            l5: calc 1008 cpu 0
            l5 requires l4
            l6: send 336b to 1 tag 2 cpu 0 nic 0
            l6 requires l5
            l7: recv 328b from 2 tag 2 cpu 0 nic 0
            l8: calc 656 cpu 0
            l8 requires l7
            l9: send 328b to 1 tag 3 cpu 0 nic 0
            l9 requires l8
            l10: recv 336b from 2 tag 3 cpu 0 nic 0
            """);
    }

    /** 400 bytes take 800 on the wire; working on them costs 3 + 4 ns a byte of data. */
    @Test
    void withLlEveryFourBytesCarryFourBytesOfFlags() throws IOException {
        String schedule = PlannedRun.apart(2)
                .all(
                        NcclFunction.ALL_REDUCE,
                        800,
                        plan(NcclAlgorithm.RING, NcclProtocol.LL, 0, new ChannelWork(200, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 800b to 1 tag 0 cpu 0 nic 0
            l1: recv 800b from 1 tag 0 cpu 0 nic 0
            l2: calc 2800 cpu 0
            l2 requires l1
            l3: send 800b to 1 tag 1 cpu 0 nic 0
            l3 requires l2
            l4: recv 800b from 1 tag 1 cpu 0 nic 0
            """);
    }

    /** 480 bytes take four lines; working on them costs 5 + 6 ns a byte of data. */
    @Test
    void withLl128EveryLineOf128BytesCarries120() throws IOException {
        String schedule = PlannedRun.apart(2)
                .all(
                        NcclFunction.ALL_REDUCE,
                        960,
                        plan(NcclAlgorithm.RING, NcclProtocol.LL128, 0, new ChannelWork(240, 120, 120, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 512b to 1 tag 0 cpu 0 nic 0
            l1: recv 512b from 1 tag 0 cpu 0 nic 0
            l2: calc 5280 cpu 0
            l2 requires l1
            l3: send 512b to 1 tag 1 cpu 0 nic 0
            l3 requires l2
            l4: recv 512b from 1 tag 1 cpu 0 nic 0
            """);
    }

    /** At 1000 bytes/us, 400 bytes take 400 ns on both sides; the network card is the one of the node. */
    @Test
    void withinANodeMessagesAreEmptyAndTheTransferIsATime() throws IOException {
        String schedule = new PlannedRun("n", "n")
                .all(
                        NcclFunction.ALL_REDUCE,
                        800,
                        plan(NcclAlgorithm.RING, NcclProtocol.SIMPLE, 0, new ChannelWork(200, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 0b to 1 tag 0 cpu 0 nic 7
            l1: calc 400 cpu 0
            l1 requires l0
            l2: recv 0b from 1 tag 0 cpu 0 nic 7
            l3: calc 400 cpu 0
            l3 requires l2
            l4: calc 1200 cpu 0
            l4 requires l3
            l5: send 0b to 1 tag 1 cpu 0 nic 7
            l5 requires l4
            l6: calc 400 cpu 0
            l6 requires l5
            l7: recv 0b from 1 tag 1 cpu 0 nic 7
            l8: calc 400 cpu 0
            l8 requires l7
            """);
    }

    /** The second channel moves half as much. */
    @Test
    void channelsHaveTheirOwnProcessorsAndTags() throws IOException {
        String schedule = PlannedRun.apart(2)
                .all(
                        NcclFunction.ALL_REDUCE,
                        1200,
                        plan(
                                NcclAlgorithm.RING,
                                NcclProtocol.SIMPLE,
                                0,
                                new ChannelWork(200, 100, 100, true),
                                new ChannelWork(100, 50, 50, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 400b to 1 tag 0 cpu 0 nic 0
            l1: recv 400b from 1 tag 0 cpu 0 nic 0
            l2: calc 1200 cpu 0
            l2 requires l1
            l3: send 400b to 1 tag 1 cpu 0 nic 0
            l3 requires l2
            l4: recv 400b from 1 tag 1 cpu 0 nic 0
            l5: send 200b to 1 tag 2 cpu 1 nic 0
            l6: recv 200b from 1 tag 2 cpu 1 nic 0
            l7: calc 600 cpu 1
            l7 requires l6
            l8: send 200b to 1 tag 3 cpu 1 nic 0
            l8 requires l7
            l9: recv 200b from 1 tag 3 cpu 1 nic 0
            """);
    }

    /** Two slices of 2048 bytes at most hold 4000 bytes: 2000 and 2000, a multiple of 16 each. */
    @Test
    void simpleCutsChunksIntoSlices() throws IOException {
        String schedule = PlannedRun.apart(2)
                .all(
                        NcclFunction.BROADCAST,
                        4000,
                        new CollectivePlan(
                                NcclAlgorithm.RING,
                                NcclProtocol.SIMPLE,
                                0,
                                4,
                                2,
                                1,
                                1024,
                                List.of(new ChannelWork(1000, 1024, 1024, true))))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 2000b to 1 tag 0 cpu 0 nic 0
            l1: send 2000b to 1 tag 1 cpu 0 nic 0
            """);
        assertThat(rank(1, schedule)).isEqualTo("""
            l0: recv 2000b from 0 tag 0 cpu 0 nic 0
            l1: recv 2000b from 0 tag 1 cpu 0 nic 0
            """);
    }

    /** The ring is 1, 2, 0; who is in between copies, 2 ns a byte. */
    @Test
    void aBroadcastGoesFromItsRootToTheRankBeforeIt() throws IOException {
        String schedule = PlannedRun.apart(3)
                .all(
                        NcclFunction.BROADCAST,
                        400,
                        plan(NcclAlgorithm.RING, NcclProtocol.SIMPLE, 1, new ChannelWork(100, 100, 100, false)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: recv 400b from 2 tag 0 cpu 0 nic 0
            """);
        assertThat(rank(1, schedule)).isEqualTo("""
            l0: send 400b to 2 tag 0 cpu 0 nic 0
            """);
        assertThat(rank(2, schedule)).isEqualTo("""
            l0: recv 400b from 1 tag 0 cpu 0 nic 0
            l1: calc 800 cpu 0
            l1 requires l0
            l2: send 400b to 0 tag 0 cpu 0 nic 0
            l2 requires l1
            """);
    }

    /** The rank behind the root begins, and the root alone copies the sum. */
    @Test
    void aReduceEndsAtItsRoot() throws IOException {
        String schedule = PlannedRun.apart(3)
                .all(
                        NcclFunction.REDUCE,
                        400,
                        plan(NcclAlgorithm.RING, NcclProtocol.SIMPLE, 1, new ChannelWork(100, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: recv 400b from 2 tag 0 cpu 0 nic 0
            l1: calc 400 cpu 0
            l1 requires l0
            l2: send 400b to 1 tag 0 cpu 0 nic 0
            l2 requires l1
            """);
        assertThat(rank(1, schedule)).isEqualTo("""
            l0: recv 400b from 0 tag 0 cpu 0 nic 0
            l1: calc 1200 cpu 0
            l1 requires l0
            """);
        assertThat(rank(2, schedule)).isEqualTo("""
            l0: send 400b to 0 tag 0 cpu 0 nic 0
            """);
    }

    /** What does not lie in place is copied first. */
    @Test
    void anAllGatherHandsEveryPartAround() throws IOException {
        String schedule = PlannedRun.apart(3)
                .all(
                        NcclFunction.ALL_GATHER,
                        400,
                        plan(NcclAlgorithm.RING, NcclProtocol.SIMPLE, 0, new ChannelWork(100, 100, 100, false)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: calc 800 cpu 0
            l1: send 400b to 1 tag 0 cpu 0 nic 0
            l1 requires l0
            l2: recv 400b from 2 tag 0 cpu 0 nic 0
            l3: calc 800 cpu 0
            l3 requires l2
            l4: send 400b to 1 tag 1 cpu 0 nic 0
            l4 requires l3
            l5: recv 400b from 2 tag 1 cpu 0 nic 0
            """);
    }

    @Test
    void aReduceScatterEndsWithTheOwnPart() throws IOException {
        String schedule = PlannedRun.apart(3)
                .all(
                        NcclFunction.REDUCE_SCATTER,
                        400,
                        plan(NcclAlgorithm.RING, NcclProtocol.SIMPLE, 0, new ChannelWork(100, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 400b to 1 tag 0 cpu 0 nic 0
            l1: recv 400b from 2 tag 0 cpu 0 nic 0
            l2: calc 400 cpu 0
            l2 requires l1
            l3: send 400b to 1 tag 1 cpu 0 nic 0
            l3 requires l2
            l4: recv 400b from 2 tag 1 cpu 0 nic 0
            l5: calc 1200 cpu 0
            l5 requires l4
            """);
    }

    /** Rank 0 is the root and adds what both children send; it copies the sum with the last. */
    @Test
    void aTreeTakesSumsUpAndResultsDown() throws IOException {
        String schedule = PlannedRun.apart(3)
                .all(
                        NcclFunction.ALL_REDUCE,
                        400,
                        plan(NcclAlgorithm.TREE, NcclProtocol.SIMPLE, 0, new ChannelWork(100, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: recv 400b from 1 tag 0 cpu 0 nic 0
            l1: calc 400 cpu 0
            l1 requires l0
            l2: recv 400b from 2 tag 0 cpu 0 nic 0
            l3: calc 1200 cpu 0
            l3 requires l2
            l4: send 400b to 1 tag 0 cpu 0 nic 0
            l4 requires l1
            l4 requires l3
            l5: send 400b to 2 tag 0 cpu 0 nic 0
            l5 requires l1
            l5 requires l3
            """);
        assertThat(rank(1, schedule)).isEqualTo("""
            l0: send 400b to 0 tag 0 cpu 0 nic 0
            l1: recv 400b from 0 tag 0 cpu 1 nic 0
            l1 requires l0
            """);
    }

    /** Each rank is the head of a half of 400 bytes: 800 ns copy it in, 800 out; a transfer within the node takes 400. */
    @Test
    void aSwitchAddsAndMultiplies() throws IOException {
        String schedule = new PlannedRun("n", "n")
                .all(
                        NcclFunction.ALL_REDUCE,
                        800,
                        plan(NcclAlgorithm.NVLS, NcclProtocol.SIMPLE, 0, new ChannelWork(200, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: calc 800 cpu 0
            l1: recv 0b from 1 tag 0 cpu 2 nic 7
            l1 requires l0
            l2: calc 400 cpu 2
            l2 requires l1
            l3: calc 400 cpu 2
            l3 requires l2
            l4: send 0b to 1 tag 0 cpu 2 nic 7
            l4 requires l3
            l5: calc 800 cpu 1
            l5 requires l4
            l6: calc 800 cpu 0
            l7: send 0b to 1 tag 1 cpu 0 nic 7
            l7 requires l6
            l8: calc 400 cpu 0
            l8 requires l7
            l9: recv 0b from 1 tag 1 cpu 1 nic 7
            l10: calc 400 cpu 1
            l10 requires l9
            l11: calc 800 cpu 1
            l11 requires l10
            """);
        assertThat(rank(1, schedule)).isEqualTo("""
            l0: calc 800 cpu 0
            l1: send 0b to 0 tag 0 cpu 0 nic 7
            l1 requires l0
            l2: calc 400 cpu 0
            l2 requires l1
            l3: recv 0b from 0 tag 0 cpu 1 nic 7
            l4: calc 400 cpu 1
            l4 requires l3
            l5: calc 800 cpu 1
            l5 requires l4
            l6: calc 800 cpu 0
            l7: recv 0b from 0 tag 1 cpu 2 nic 7
            l7 requires l6
            l8: calc 400 cpu 2
            l8 requires l7
            l9: calc 400 cpu 2
            l9 requires l8
            l10: send 0b to 0 tag 1 cpu 2 nic 7
            l10 requires l9
            l11: calc 800 cpu 1
            l11 requires l10
            """);
    }

    @Test
    void headsOfNodesExchangeSumsAlongATree() throws IOException {
        String schedule = new PlannedRun("n", "n", "m", "m")
                .all(
                        NcclFunction.ALL_REDUCE,
                        800,
                        plan(NcclAlgorithm.NVLS_TREE, NcclProtocol.SIMPLE, 0, new ChannelWork(200, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: calc 800 cpu 0
            l1: recv 0b from 1 tag 0 cpu 2 nic 7
            l1 requires l0
            l2: calc 400 cpu 2
            l2 requires l1
            l3: recv 400b from 2 tag 0 cpu 2 nic 0
            l3 requires l0
            l4: calc 400 cpu 2
            l4 requires l3
            l5: send 400b to 2 tag 0 cpu 2 nic 0
            l5 requires l2
            l5 requires l4
            l6: calc 400 cpu 2
            l6 requires l2
            l6 requires l4
            l7: send 0b to 1 tag 0 cpu 2 nic 7
            l7 requires l6
            l8: calc 800 cpu 1
            l8 requires l5
            l8 requires l7
            l9: calc 800 cpu 0
            l10: send 0b to 1 tag 1 cpu 0 nic 7
            l10 requires l9
            l11: calc 400 cpu 0
            l11 requires l10
            l12: recv 0b from 1 tag 1 cpu 1 nic 7
            l13: calc 400 cpu 1
            l13 requires l12
            l14: calc 800 cpu 1
            l14 requires l13
            """);
        assertThat(rank(2, schedule)).isEqualTo("""
            l0: calc 800 cpu 0
            l1: recv 0b from 3 tag 0 cpu 2 nic 7
            l1 requires l0
            l2: calc 400 cpu 2
            l2 requires l1
            l3: send 400b to 0 tag 0 cpu 2 nic 0
            l3 requires l2
            l4: recv 400b from 0 tag 0 cpu 3 nic 0
            l4 requires l3
            l5: calc 400 cpu 3
            l5 requires l4
            l6: send 0b to 3 tag 0 cpu 3 nic 7
            l6 requires l5
            l7: calc 800 cpu 1
            l7 requires l6
            l8: calc 800 cpu 0
            l9: send 0b to 3 tag 1 cpu 0 nic 7
            l9 requires l8
            l10: calc 400 cpu 0
            l10 requires l9
            l11: recv 0b from 3 tag 1 cpu 1 nic 7
            l12: calc 400 cpu 1
            l12 requires l11
            l13: calc 800 cpu 1
            l13 requires l12
            """);
    }

    /** Half the way around first, then to the neighbour: its own part and the one that came. */
    @Test
    void patGathersByPowersOfTwo() throws IOException {
        String schedule = PlannedRun.apart(4)
                .all(
                        NcclFunction.ALL_GATHER,
                        400,
                        plan(NcclAlgorithm.PAT, NcclProtocol.SIMPLE, 0, new ChannelWork(100, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 400b to 2 tag 0 cpu 0 nic 0
            l1: recv 400b from 2 tag 0 cpu 0 nic 0
            l2: send 400b to 1 tag 0 cpu 0 nic 0
            l2 requires l0
            l2 requires l1
            l3: recv 400b from 3 tag 0 cpu 0 nic 0
            l3 requires l0
            l3 requires l1
            l4: send 400b to 1 tag 1 cpu 0 nic 0
            l4 requires l0
            l4 requires l1
            l5: recv 400b from 3 tag 1 cpu 0 nic 0
            l5 requires l0
            l5 requires l1
            """);
    }

    /** The way of the gather backwards. */
    @Test
    void patScattersByPowersOfTwo() throws IOException {
        String schedule = PlannedRun.apart(4)
                .all(
                        NcclFunction.REDUCE_SCATTER,
                        400,
                        plan(NcclAlgorithm.PAT, NcclProtocol.SIMPLE, 0, new ChannelWork(100, 100, 100, true)))
                .schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 400b to 3 tag 0 cpu 0 nic 0
            l1: recv 400b from 1 tag 0 cpu 0 nic 0
            l2: calc 400 cpu 0
            l2 requires l1
            l3: send 400b to 3 tag 1 cpu 0 nic 0
            l4: recv 400b from 1 tag 1 cpu 0 nic 0
            l5: calc 400 cpu 0
            l5 requires l4
            l6: calc 0 cpu 0
            l6 requires l0
            l6 requires l2
            l6 requires l3
            l6 requires l5
            l7: send 400b to 2 tag 0 cpu 0 nic 0
            l7 requires l6
            l8: recv 400b from 2 tag 0 cpu 0 nic 0
            l8 requires l6
            l9: calc 400 cpu 0
            l9 requires l8
            """);
    }

    /** 1000 bytes in chunks of 600; 300 ns later 100 bytes with LL, which are 13 words of 16 bytes on the wire. */
    @Test
    void messagesAreCutIntoChunksAndTheTimeBetweenThemIsComputing() throws IOException {
        String schedule = messages().schedule(folder);

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: send 600b to 1 tag 0 cpu 0 nic 0
            l1: send 400b to 1 tag 1 cpu 0 nic 0
            l2: calc 300 cpu 0
            l2 requires l0
            l2 requires l1
            l3: send 208b to 1 tag 2 cpu 0 nic 0
            l3 requires l2
            """);
        assertThat(rank(1, schedule)).isEqualTo("""
            l0: recv 600b from 0 tag 0 cpu 0 nic 0
            l1: recv 400b from 0 tag 1 cpu 0 nic 0
            l2: calc 400 cpu 0
            l2 requires l0
            l2 requires l1
            l3: recv 208b from 0 tag 2 cpu 0 nic 0
            l3 requires l2
            """);
    }

    /** Rank 0 computes 100 ns before its first message and 400 ns behind its last, which is at 600 of 1000. */
    @Test
    void theWholeWindowAddsComputingBeforeAndBehind() throws IOException {
        String schedule = messages().schedule(folder, new TimelineOptions(false, true, false, false, TagLabel.NONE));

        assertThat(rank(0, schedule)).isEqualTo("""
            l0: calc 100 cpu 0
            l1: send 600b to 1 tag 0 cpu 0 nic 0
            l1 requires l0
            l2: send 400b to 1 tag 1 cpu 0 nic 0
            l2 requires l0
            l3: calc 300 cpu 0
            l3 requires l1
            l3 requires l2
            l4: send 208b to 1 tag 2 cpu 0 nic 0
            l4 requires l3
            l5: calc 400 cpu 0
            l5 requires l4
            """);
    }

    private static PlannedRun messages() {
        return PlannedRun.apart(2)
                .add(0, message(true, 0, 100, 200, NcclProtocol.SIMPLE, 1000))
                .add(1, message(false, 0, 150, 250, NcclProtocol.SIMPLE, 1000))
                .add(0, message(true, 1, 500, 600, NcclProtocol.LL, 100))
                .add(1, message(false, 1, 650, 700, NcclProtocol.LL, 100));
    }

    private static RecordedOperation message(
            boolean sent, long sequence, long start, long end, NcclProtocol protocol, long bytes) {
        int peer = sent ? 1 : 0;
        PairwisePlan plan = new PairwisePlan(List.of(new Part(sent, peer, protocol, bytes, 600)));
        return new RecordedOperation(
                sent ? NcclFunction.SEND : NcclFunction.RECV, 0, sequence, "1", -1, start, end, peer, bytes, plan);
    }

    /** Elements of 4 bytes, chunks of one slice. */
    private static CollectivePlan plan(NcclAlgorithm algorithm, NcclProtocol protocol, int root, ChannelWork... work) {
        return new CollectivePlan(algorithm, protocol, root, 4, 1, 1, 1024, List.of(work));
    }

    /** The lines of a rank. */
    private static String rank(int rank, String schedule) {
        String head = "rank " + rank + " {\n";
        int from = schedule.indexOf("\n" + head) + 1 + head.length();
        return schedule.substring(from, schedule.indexOf("}", from));
    }
}
