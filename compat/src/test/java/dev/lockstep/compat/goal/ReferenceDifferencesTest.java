// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import static dev.lockstep.goal.generate.WrittenSchedules.flaws;
import static dev.lockstep.goal.generate.WrittenSchedules.received;
import static dev.lockstep.goal.generate.WrittenSchedules.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.lockstep.error.UserException;
import dev.lockstep.goal.generate.GoalRules;
import dev.lockstep.goal.generate.TagFormat;
import dev.lockstep.goal.generate.WrittenSchedules;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.nccl.ScopedRules;
import dev.lockstep.goal.nccl.WrittenRows;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.UsualCosts;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the default does and what the reference does with one recording, as {@code docs/reference/differences.md} says. */
class ReferenceDifferencesTest {
    private static final String REDUCE =
            "ncclAllReduce(): commHash 0xa, stream 0x1, data_size 4096, type_size 4, red_op 0";
    private static final String WAYS =
            "collType %d root 0 redOp 0 algo %d proto %d commHash 0xa stream 0x1 data_size %d"
                    + " type_size 4 chunkSize 4096 chunkCount 1024 chunkSteps 2 sliceSteps 1 stepSize 2048";

    private final WrittenRows rows = new WrittenRows();

    @TempDir
    Path folder;

    private WrittenRows.Process rank(int rank, int ranks) {
        return rows.process("nid00" + rank + ".sqlite", 70 + rank).member("0xa", rank, ranks);
    }

    private RecordedRun own() throws IOException {
        return rows.recording(new ScopedRules());
    }

    private RecordedRun references() throws IOException {
        return rows.recording(new ReferenceRules());
    }

    private StoredSchedule ownSchedule() throws IOException {
        RecordedRun recording = own();
        return WrittenSchedules.of(recording, WrittenSchedules.style(recording, false), null, folder);
    }

    private StoredSchedule referencesSchedule(@Nullable TagFormat tags) throws IOException {
        RecordedRun recording = references();
        return WrittenSchedules.of(
                recording,
                new ReferenceStyle(recording, UsualCosts.get(), false, false),
                tags == null ? new TagFormat(ReferenceStyle.NUMBER_DIGITS, ReferenceStyle.LABEL_DIGITS) : tags,
                folder);
    }

    private StoredSchedule referencesSchedule() throws IOException {
        return referencesSchedule(null);
    }

    private static WrittenRows.Process reduced(WrittenRows.Process process, long time) {
        return process.call(time, REDUCE).plan(time + 10, 4, "0xa", 4096, 1024);
    }

    private static WrittenRows.Process moved(
            WrittenRows.Process process, long time, boolean sends, int peer, String stream, long bytes, long chunk) {
        return process.call(
                        time,
                        (sends ? "ncclSend" : "ncclRecv") + "(): commHash 0xa, stream " + stream + ", data_size "
                                + bytes + ", type_size 1, " + (sends ? "receiver_rank " : "sender_rank ") + peer)
                .mark(
                        time + 10,
                        "Bytes " + bytes + " nWarps 1 p2pType " + (sends ? 1 : 2) + " peer " + peer
                                + " proto 2 countHi32 0 countLo32 " + bytes + " chunkSize " + chunk);
    }

    @Test
    void ranksAreInOrderOfNodesOrOfFiles() throws IOException {
        reduced(rows.process("a_nid002.sqlite", 70).member("0xa", 0, 2), 100);
        reduced(rows.process("b_nid001.sqlite", 71).member("0xa", 1, 2), 100);

        assertThat(own().gpus()).extracting(Gpu::node).containsExactly("001", "002");
        assertThat(references().gpus()).extracting(Gpu::node).containsExactly("002", "001");
    }

    @Test
    void smallAllReducesAreCutAlikeOrDifferentlyOnBothSides() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2).call(100, REDUCE.replace("4096", "64")).plan(110, 4, "0xa", 64, 16);
        }

        StoredSchedule own = ownSchedule();
        assertThat(sent(own, 1, 0)).containsExactly(64L);
        assertThat(received(own, 1, 0)).containsExactly(64L);
        StoredSchedule references = referencesSchedule();
        assertThat(sent(references, 1, 0)).containsExactly(64L);
        assertThat(received(references, 1, 0)).containsExactly(32L, 32L);
        assertThat(flaws(references)).isNotEmpty();
    }

    @Test
    void asManyMessagesAsThereAreOrTenThousandWithOneLabel() throws IOException {
        long bytes = 8 * 10_001;
        moved(rank(0, 2), 100, true, 1, "0x1", bytes, 8);
        moved(rank(1, 2), 100, false, 0, "0x1", bytes, 8);

        StoredSchedule own = ownSchedule();
        assertThat(sent(own, 0, 1)).hasSize(10_001);
        assertThat(flaws(own)).isEmpty();
        assertThatThrownBy(this::referencesSchedule)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there are 10001 messages from rank 0 to rank 1");
        StoredSchedule wider = referencesSchedule(new TagFormat(5, ReferenceStyle.LABEL_DIGITS));
        assertThat(sent(wider, 0, 1)).isEqualTo(sent(own, 0, 1));
        assertThat(flaws(wider)).isEmpty();
    }

    @Test
    void placesOnRingsAreDistancesOrNumbers() throws IOException {
        int[] next = {2, 0, 1};
        int[] previous = {1, 2, 0};
        for (int rank = 0; rank < 3; rank++) {
            rows.process("nid00" + rank + ".sqlite", 70 + rank)
                    .mark(1, "commHash 0xa commId 0xaf rank " + rank + " nranks 3")
                    .mark(2, "commHash 0xa Rings [0] " + previous[rank] + "->" + rank + "->" + next[rank])
                    .call(100, REDUCE.replace("4096", "6000"))
                    .plan(110, 4, "0xa", 6000, 1500);
        }

        assertThat(flaws(ownSchedule())).isEmpty();
        assertThat(flaws(referencesSchedule())).isNotEmpty();
    }

    @Test
    void reductionsToARootAndCallsWithoutGroupsAreKnownToBoth() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .call(100, "ncclReduce(): commHash 0xa, stream 0x1, data_size 4096, type_size 4, red_op 0, root 0")
                    .plan(110, 1, "0xa", 4096, 1024);
        }

        for (StoredSchedule schedule : List.of(ownSchedule(), referencesSchedule())) {
            assertThat(flaws(schedule)).isEmpty();
            assertThat(sent(schedule, 1, 0)).containsExactly(2048L, 2048L);
            assertThat(sent(schedule, 0, 1)).isEmpty();
        }
    }

    @Test
    void channelsShareCpusOrGoBeyondWhatSimulatorsTake() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            WrittenRows.Process process = moved(rank(rank, 2), 100, rank == 0, 1 - rank, "0x1", 600, 600);
            for (int part = 1; part < 300; part++) {
                process.mark(
                        120 + part,
                        "Bytes 2 nWarps 1 p2pType " + (rank + 1) + " peer " + (1 - rank)
                                + " proto 2 countHi32 0 countLo32 2 chunkSize 4096");
            }
        }

        assertThat(flaws(ownSchedule())).isEmpty();
        assertThat(flaws(referencesSchedule())).anyMatch(flaw -> flaw.contains("cpu 256"));
    }

    @Test
    void callsOfAGroupGetTheirMarksOrTheLastOneGetsAll() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .group(100, 400)
                    .call(200, REDUCE)
                    .call(300, REDUCE.replace("4096", "2048"))
                    .plan(410, 4, "0xa", 4096, 1024)
                    .plan(420, 4, "0xa", 2048, 512)
                    .kernel(500, 900, 7, "AllReduce_RING");
        }

        assertThat(own().gpus().getFirst().operations())
                .extracting(RecordedOperation::plan)
                .doesNotContainNull();
        assertThat(references().gpus().getFirst().operations())
                .extracting(operation -> operation.plan() == null)
                .containsExactly(true, false);
    }

    @Test
    void wholeCollectivesAreTwoLinesOrLieBetweenNodes() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            WrittenRows.Process process = rank(rank, 2)
                    .window(50, 3_000)
                    .call(100, REDUCE)
                    .plan(110, 4, "0xa", 4096, 1024)
                    .kernel(150, 400, 7, "AllReduce_RING")
                    .group(500, 900);
            moved(process, 600, true, 1 - rank, "0x1", 64, 64);
            moved(process, 700, false, 1 - rank, "0x1", 64, 64);
            process.kernel(1_000, 1_500, 7, "SendRecv");
        }

        Path ours = folder.resolve("own.goal");
        GoalRules.OWN.collectives(own(), false, ours);
        assertThat(Files.readAllLines(ours))
                .startsWith(
                        "num_ranks 2",
                        "rank 0 {",
                        "l1: calc 100 cpu 0",
                        "l2: AllReduce 4096 bytes comm 0 gpu 0 stream 0x1 seq 0 end",
                        "l2 requires l1");

        Path theirs = folder.resolve("reference.goal");
        new ReferenceGoalRules().collectives(references(), false, theirs);
        List<String> lines = Files.readAllLines(theirs);
        assertThat(lines).hasSize(1 + 2 * (4 + 2 * 10 + 1));
        assertThat(lines.subList(0, 26))
                .containsExactly(
                        "num_ranks 2",
                        "rank 0 {",
                        "l1: calc 0",
                        "l2: calc 0",
                        "l3: calc 100",
                        "l3 requires l1",
                        "l4: calc 0",
                        "l5: calc 0",
                        "l5 requires l3",
                        "l6: calc 0",
                        "l4 requires l6",
                        "l7: AllReduce 4096 bytes comm 0 gpu 0 stream 0x1 seq 0 end",
                        "l7 requires l5",
                        "l6 requires l7",
                        "l8: calc 600",
                        "l8 requires l4",
                        "l9: calc 0",
                        "l10: calc 0",
                        "l10 requires l8",
                        "l11: calc 0",
                        "l9 requires l11",
                        "l12: Send 64 bytes comm 0 gpu 0 stream 0x1 seq 0 end",
                        "l12 requires l10",
                        "l11 requires l12",
                        "l2 requires l9",
                        "}");

        Path merged = folder.resolve("merged.goal");
        new ReferenceGoalRules().collectives(references(), true, merged);
        assertThat(Files.readAllLines(merged)).anyMatch(line -> line.contains(" stream stream_merged seq 0 end"));
    }

    @Test
    void aGroupOnTwoStreamsHappensOnceOrTwice() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            WrittenRows.Process process = rank(rank, 2).group(90, 400);
            moved(process, 100, true, 1 - rank, "0x1", 64, 4096);
            moved(process, 200, false, 1 - rank, "0x2", 64, 4096);
        }

        assertThat(sent(ownSchedule(), 0, 1)).containsExactly(64L);
        assertThat(sent(referencesSchedule(), 0, 1)).containsExactly(64L, 64L);
    }

    @Test
    void operationsThatOverlapOnAStreamFollowEachOtherAtOnce() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            reduced(reduced(rank(rank, 2), 100), 200)
                    .kernel(1_000, 9_000, 7, "AllReduce_RING")
                    .kernel(5_000, 12_000, 7, "AllReduce_RING");
        }

        for (StoredSchedule schedule : List.of(ownSchedule(), referencesSchedule())) {
            assertThat(flaws(schedule)).isEmpty();
            assertThat(longestCalculation(schedule)).isLessThan(3_500);
        }
    }

    @Test
    void callsWithoutMarksAdoptAPlanOrAreLeftOut() throws IOException {
        rank(0, 2).call(100, REDUCE);
        reduced(rank(1, 2), 100);

        assertThat(flaws(ownSchedule())).isEmpty();
        StoredSchedule references = referencesSchedule();
        assertThat(sent(references, 0, 1)).isEmpty();
        assertThat(sent(references, 1, 0)).isNotEmpty();
    }

    @Test
    void kernelsBelongToWhatLaunchedThemOrToTheLastCallBefore() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            reduced(reduced(rank(rank, 2), 100), 200)
                    .kernel(1_000, 1_100, 7, "AllReduce_RING")
                    .kernel(2_000, 2_100, 8, "AllReduce_RING")
                    .launch(220, 1_000)
                    .launch(120, 2_000);
        }

        assertThat(own().gpus().getFirst().operations())
                .extracting(RecordedOperation::start)
                .containsExactly(2_000L, 1_000L);
        assertThat(references().gpus().getFirst().operations())
                .extracting(RecordedOperation::start, RecordedOperation::end)
                .containsExactly(tuple(1_000L, 2_100L));
    }

    @Test
    void callsWithoutKernelsHaveTheirOwnTimeOrAreLeftOut() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            reduced(reduced(rank(rank, 2), 100), 200).kernel(150, 190, 7, "AllReduce_RING");
        }

        assertThat(own().gpus()).allSatisfy(gpu -> assertThat(gpu.operations()).hasSize(2));
        assertThat(references().gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).hasSize(1));
    }

    @Test
    void whatHasNoCounterpartIsLeftOutOrWritten() throws IOException {
        reduced(reduced(rank(0, 2), 100), 200);
        reduced(rank(1, 2), 100);

        assertThat(flaws(ownSchedule())).isEmpty();
        assertThat(flaws(referencesSchedule())).anyMatch(flaw -> flaw.contains("send"));
    }

    @Test
    void ranksThatWereNotRecordedAreALossOrAnError() throws IOException {
        reduced(rank(0, 3), 100);
        reduced(rank(1, 3), 100);

        assertThat(own().notes().hasLoss()).isTrue();
        assertThatThrownBy(this::referencesSchedule)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("1 of 3 ranks were not recorded");
    }

    @Test
    void flagsCountOrTakeNothing() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .call(100, "ncclBroadcast(): commHash 0xa, stream 0x1, data_size 100, type_size 4, root 0")
                    .mark(110, WAYS.formatted(0, 1, 0, 100))
                    .mark(
                            111,
                            "nWarps 1 count 25 chunkCount 1024 workCount 25 lastChunkCount 1024 workOffset 0 sendbuff 5"
                                    + " recvbuff 5");
        }

        assertThat(sent(ownSchedule(), 0, 1))
                .as("13 lines of 8 bytes and 8 of flags")
                .containsExactly(208L);
        assertThat(sent(referencesSchedule(), 0, 1)).as("13 lines of 8 bytes").containsExactly(104L);
    }

    @Test
    void betweenOneAndTwoChunksAreTwoMessagesOrOne() throws IOException {
        moved(rank(0, 2), 100, true, 1, "0x1", 6_000, 4_096);
        moved(rank(1, 2), 100, false, 0, "0x1", 6_000, 4_096);

        assertThat(sent(ownSchedule(), 0, 1)).containsExactly(4_096L, 1_904L);
        assertThat(sent(referencesSchedule(), 0, 1)).containsExactly(6_000L);
    }

    @Test
    void messagesToOneselfAreCopiesOrMessages() throws IOException {
        reduced(rank(1, 2), 100);
        WrittenRows.Process process = reduced(rank(0, 2), 100).group(990, 1_400);
        moved(process, 1_000, true, 0, "0x1", 4_096, 4_096);
        moved(process, 1_100, false, 0, "0x1", 4_096, 4_096);

        StoredSchedule own = ownSchedule();
        assertThat(sent(own, 0, 0)).isEmpty();
        assertThat(flaws(own)).isEmpty();
        assertThat(flaws(referencesSchedule())).anyMatch(flaw -> flaw.contains("own rank"));
    }

    @Test
    void algorithmsThatAreNotModelledBecomeRingsOrAnError() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .call(100, REDUCE)
                    .mark(110, WAYS.formatted(4, 2, 2, 4096))
                    .mark(
                            111,
                            "nWarps 1 count 1024 chunkCount 512 workCount 1024 lastChunkCount 512 workOffset 0 sendbuff"
                                    + " 5 recvbuff 5");
        }
        RecordedRun recording = own();

        StoredSchedule own = WrittenSchedules.of(recording, WrittenSchedules.style(recording, false), null, folder);

        assertThat(sent(own, 0, 1)).isNotEmpty();
        assertThat(flaws(own)).isEmpty();
        assertThat(recording.notes().all()).extracting(ScheduleNote::code).contains("algorithm_assumed");
        assertThatThrownBy(this::referencesSchedule)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is unknown to the reference");
    }

    @Test
    void streamsAreMergedIfRanksGetToTheEndOrWheneverNothingOverlaps() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            WrittenRows.Process process = rank(rank, 2).member("0xb", rank, 2);
            reduced(process, rank == 0 ? 100 : 200);
            process.call(rank == 0 ? 200 : 100, REDUCE.replace("0xa", "0xb").replace("stream 0x1", "stream 0x2"))
                    .plan(rank == 0 ? 210 : 110, 4, "0xb", 4096, 1024);
        }
        RecordedRun own = own();
        RecordedRun references = references();

        assertThat(WrittenSchedules.style(own, true).merged()).isFalse();
        assertThat(new ReferenceStyle(references, UsualCosts.get(), true, false).merged())
                .isTrue();
    }

    private static long longestCalculation(StoredSchedule schedule) {
        long longest = 0;
        for (Operations rank : schedule.ranks()) {
            for (int i = 0; i < rank.size(); i++) {
                longest = Math.max(longest, rank.kind(i) == Operations.CALC ? rank.amount(i) : 0);
            }
        }
        return longest;
    }
}
