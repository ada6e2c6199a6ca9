// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.nccl.ScopedRules;
import dev.lockstep.goal.nccl.WrittenRows;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.UsualCosts;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineStyleTest {
    private final WrittenRows rows = new WrittenRows();

    @TempDir
    Path folder;

    private WrittenRows.Process rank(int rank, String... communicators) {
        WrittenRows.Process process = rows.process("nid00" + rank + ".sqlite", 70 + rank);
        for (String communicator : communicators) {
            process.member(communicator, rank, 2);
        }
        return process;
    }

    private static List<String> codes(RecordedRun recording) {
        return recording.notes().all().stream().map(ScheduleNote::code).toList();
    }

    private StoredSchedule schedule(RecordedRun recording) throws IOException {
        return WrittenSchedules.of(recording, WrittenSchedules.style(recording, false), null, folder);
    }

    private static void message(WrittenRows.Process process, long time, boolean sends, int peer) {
        process.call(
                        time,
                        (sends ? "ncclSend" : "ncclRecv")
                                + "(): commHash 0xa, stream 0x1, data_size 40000, type_size 1, "
                                + (sends ? "receiver_rank " : "sender_rank ") + peer)
                .mark(
                        time + 10,
                        "Bytes 40000 nWarps 1 p2pType " + (sends ? 1 : 2) + " peer " + peer
                                + " proto 2 countHi32 0 countLo32 40000 chunkSize 131072");
    }

    @Test
    void messagesThatWouldWaitForEachOtherAreTakenForGroups() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            WrittenRows.Process process = rank(rank, "0xa");
            message(process, 100, true, 1 - rank);
            message(process, 200, false, 1 - rank);
        }
        RecordedRun recording = rows.recording(new ScopedRules());

        StoredSchedule schedule = schedule(recording);

        assertThat(WrittenSchedules.flaws(schedule)).isEmpty();
        assertThat(WrittenSchedules.sent(schedule, 0, 1)).containsExactly(40_000L);
        assertThat(codes(recording)).contains("groups_assumed");
    }

    @Test
    void messagesInAnOrderThatRunsAreLeftAlone() throws IOException {
        WrittenRows.Process first = rank(0, "0xa");
        message(first, 100, true, 1);
        message(first, 1_000, false, 1);
        WrittenRows.Process second = rank(1, "0xa");
        message(second, 100, false, 0);
        message(second, 1_000, true, 0);
        RecordedRun recording = rows.recording(new ScopedRules());

        StoredSchedule schedule = schedule(recording);

        assertThat(WrittenSchedules.flaws(schedule)).isEmpty();
        assertThat(schedule.ranks().getFirst().size()).as("send, gap, receive").isEqualTo(3);
        assertThat(codes(recording)).doesNotContain("groups_assumed");
    }

    @Test
    void ordersThatContradictEachOtherAreSaid() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            WrittenRows.Process process = rank(rank, "0xa", "0xb");
            reduce(process, 100, rank == 0 ? "0xa" : "0xb", "0x1");
            reduce(process, 200, rank == 0 ? "0xb" : "0xa", "0x1");
        }
        RecordedRun recording = rows.recording(new ScopedRules());

        StoredSchedule schedule = schedule(recording);

        assertThat(WrittenSchedules.flaws(schedule)).isNotEmpty();
        assertThat(codes(recording)).contains("order_contradicts");
        assertThat(recording.notes().hasLoss()).isTrue();
    }

    @Test
    void messagesMeetThoughRanksGetToThemInDifferentOrders() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            WrittenRows.Process process = rank(rank, "0xa", "0xb");
            reduce(process, rank == 0 ? 100 : 200, "0xa", "0x1");
            reduce(process, rank == 0 ? 200 : 100, "0xb", "0x2");
        }

        StoredSchedule schedule = schedule(rows.recording(new ScopedRules()));

        assertThat(WrittenSchedules.flaws(schedule)).isEmpty();
    }

    @Test
    void aCommunicatorOfOneRankMovesNothingAndKeepsItsTime() throws IOException {
        rows.process("nid000.sqlite", 70)
                .mark(1, "commHash 0xa commId 0xa rank 0 nranks 1")
                .call(100, "ncclAllReduce(): commHash 0xa, stream 0x1, data_size 4096, type_size 4, red_op 0");
        RecordedRun recording = rows.recording(new ScopedRules());

        StoredSchedule schedule = schedule(recording);

        Operations rank = schedule.ranks().getFirst();
        assertThat(rank.size()).isEqualTo(1);
        assertThat(rank.kind(0)).isEqualTo(Operations.CALC);
        assertThat(rank.amount(0)).as("as long as the call").isEqualTo(50);
        assertThat(recording.notes().all()).isEmpty();
    }

    @Test
    void whatARankSendsToItselfIsACopyAndNothingElse() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            WrittenRows.Process process = rank(rank, "0xa").group(90, 400);
            message(process, 100, true, rank);
            message(process, 200, false, rank);
        }

        StoredSchedule schedule = schedule(rows.recording(new ScopedRules()));

        assertThat(schedule.ranks()).allSatisfy(rank -> {
            assertThat(rank.size()).isEqualTo(1);
            assertThat(rank.kind(0)).isEqualTo(Operations.CALC);
            assertThat(rank.amount(0))
                    .isEqualTo(UsualCosts.get().forRank(0).copy(NcclProtocol.SIMPLE.ordinal(), 40_000));
        });
    }

    /** On one stream a long item and a short one within it, on another one that begins between their ends, and one behind both. */
    @Test
    void acrossStreamsItemsWaitForTheLastThatHadEnded() {
        Timeline timeline = Timeline.of(new Gpu(
                "node", 0, 1, 0, 200, List.of(on("1", 0, 100), on("1", 10, 20), on("2", 50, 60), on("2", 150, 160))));

        assertThat(timeline.waits(true)).isDeepEqualTo(new int[][] {{}, {0}, {1}, {1, 2}});
        assertThat(timeline.waits(false)).isDeepEqualTo(new int[][] {{}, {0}, {}, {2}});
    }

    private static RecordedOperation on(String stream, long start, long end) {
        return new RecordedOperation(NcclFunction.ALL_REDUCE, 0, 0, stream, -1, start, end, -1, 0, null);
    }

    /** All reductions are of another size on each communicator, so that those that meet the wrong ones are noticed. */
    private static void reduce(WrittenRows.Process process, long time, String communicator, String stream) {
        long elements = communicator.equals("0xa") ? 512 : 600;
        process.call(
                        time,
                        "ncclAllReduce(): commHash " + communicator + ", stream " + stream + ", data_size "
                                + 4 * elements + ", type_size 4, red_op 0")
                .plan(time + 10, 4, communicator, 4 * elements, elements);
    }
}
