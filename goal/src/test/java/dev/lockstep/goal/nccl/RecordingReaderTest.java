// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.PairwisePlan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordingReaderTest {
    private static final String REDUCE =
            "ncclAllReduce(): commHash 0xa, stream 0x1, data_size 4096, type_size 4, red_op 0";
    private static final String GATHER = "ncclAllGather(): commHash 0xa, stream 0x1, data_size 8192, type_size 4";

    private final WrittenRows rows = new WrittenRows();

    private WrittenRows.Process rank(int rank, int ranks) {
        return rows.process("nid00" + rank + ".sqlite", 70 + rank).member("0xa", rank, ranks);
    }

    private RecordedRun read() throws IOException {
        return rows.recording(new ScopedRules());
    }

    private static List<NcclFunction> kinds(Gpu gpu) {
        return gpu.operations().stream().map(RecordedOperation::kind).toList();
    }

    private static List<String> codes(RecordedRun recording) {
        return recording.notes().all().stream().map(ScheduleNote::code).toList();
    }

    @Test
    void marksOfAGroupGoToTheCallsThatTheyAreAbout() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .group(100, 400)
                    .call(200, GATHER)
                    .call(300, REDUCE)
                    .plan(410, 4, "0xa", 4096, 1024)
                    .plan(420, 2, "0xa", 8192, 8192)
                    .kernel(500, 900, 7, "AllGather_RING");
        }

        RecordedRun recording = read();

        Gpu gpu = recording.gpus().getFirst();
        assertThat(kinds(gpu)).containsExactly(NcclFunction.ALL_GATHER, NcclFunction.ALL_REDUCE);
        assertThat(gpu.operations()).allMatch(o -> o.start() == 500 && o.end() == 900 && o.group() == 0);
        assertThat(((CollectivePlan) gpu.operations().get(0).plan())
                        .channels()
                        .getFirst()
                        .work())
                .isEqualTo(8192);
        assertThat(((CollectivePlan) gpu.operations().get(1).plan())
                        .channels()
                        .getFirst()
                        .work())
                .isEqualTo(1024);
        assertThat(recording.notes().all()).isEmpty();
    }

    @Test
    void aKernelBelongsToTheCallThatLaunchedItWhateverItsName() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .call(100, REDUCE)
                    .plan(110, 4, "0xa", 4096, 1024)
                    .call(200, REDUCE)
                    .plan(210, 4, "0xa", 4096, 1024)
                    .kernel(1000, 1100, 7, "Generic")
                    .kernel(2000, 2100, 8, "Generic")
                    .launch(220, 1000)
                    .launch(120, 2000);
        }

        assertThat(read().gpus().getFirst().operations())
                .extracting(RecordedOperation::start)
                .containsExactly(2000L, 1000L);
    }

    @Test
    void whatOnlySomeRanksDidIsLeftOut() throws IOException {
        rank(0, 2)
                .call(100, REDUCE)
                .plan(110, 4, "0xa", 4096, 1024)
                .call(200, GATHER)
                .plan(210, 2, "0xa", 8192, 8192);
        rank(1, 2).call(100, REDUCE).plan(110, 4, "0xa", 4096, 1024);

        RecordedRun recording = read();

        assertThat(recording.gpus()).allSatisfy(gpu -> assertThat(kinds(gpu)).containsExactly(NcclFunction.ALL_REDUCE));
        assertThat(recording.notes().hasLoss()).isFalse();
        assertThat(recording.notes().all())
                .extracting(ScheduleNote::first)
                .anyMatch(first -> first.startsWith("1 of 3 operations have no counterpart on all ranks"));
    }

    @Test
    void aRecordingThatBeginsLaterIsCountedFromTheEnd() throws IOException {
        rank(0, 2)
                .call(100, REDUCE)
                .plan(110, 4, "0xa", 4096, 1024)
                .call(200, GATHER)
                .plan(210, 2, "0xa", 8192, 8192);
        rank(1, 2).call(200, GATHER).plan(210, 2, "0xa", 8192, 8192);

        RecordedRun recording = read();

        assertThat(recording.gpus()).allSatisfy(gpu -> assertThat(kinds(gpu)).containsExactly(NcclFunction.ALL_GATHER));
        assertThat(codes(recording)).contains("counted_from_end");
    }

    @Test
    void ranksThatDoDifferentThingsAreALoss() throws IOException {
        rank(0, 2)
                .call(100, REDUCE)
                .plan(110, 4, "0xa", 4096, 1024)
                .call(200, GATHER)
                .plan(210, 2, "0xa", 8192, 8192);
        rank(1, 2)
                .call(100, GATHER)
                .plan(110, 2, "0xa", 8192, 8192)
                .call(200, REDUCE)
                .plan(210, 4, "0xa", 4096, 1024);

        RecordedRun recording = read();

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).isEmpty());
        assertThat(recording.notes().hasLoss()).isTrue();
        assertThat(codes(recording)).contains("ranks_diverge");
    }

    @Test
    void aCommunicatorWithRanksThatWereNotRecordedIsALoss() throws IOException {
        rank(0, 3).call(100, REDUCE).plan(110, 4, "0xa", 4096, 1024);
        rank(1, 3).call(100, REDUCE).plan(110, 4, "0xa", 4096, 1024);

        RecordedRun recording = read();

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).isEmpty());
        assertThat(codes(recording)).contains("communicator_partial").doesNotContain("ring_assumed");
        assertThat(recording.notes().hasLoss()).isTrue();
    }

    @Test
    void aProcessWithSeveralRanksOfACommunicatorIsALoss() throws IOException {
        rows.process("nid000.sqlite", 70)
                .member("0xa", 0, 2)
                .member("0xa", 1, 2)
                .call(100, REDUCE)
                .plan(110, 4, "0xa", 4096, 1024);

        RecordedRun recording = read();

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).isEmpty());
        assertThat(codes(recording)).contains("process_shared");
        assertThat(recording.notes().hasLoss()).isTrue();
    }

    @Test
    void communicatorsOfOneRankLaunchNoKernelsThatOthersCouldTake() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .mark(1, "commHash 0xe commId 0xe" + rank + " rank 0 nranks 1")
                    .call(50, REDUCE.replace("0xa", "0xe"))
                    .call(100, REDUCE)
                    .plan(110, 4, "0xa", 4096, 1024)
                    .kernel(1000, 1100, 7, "AllReduce_RING");
        }

        RecordedRun recording = read();

        assertThat(recording.gpus().getFirst().operations())
                .extracting(RecordedOperation::start)
                .containsExactly(50L, 1000L);
        assertThat(recording.notes().all()).isEmpty();
    }

    @Test
    void thePlanOfOneRankCountsForRanksWithoutOne() throws IOException {
        rank(0, 2).call(100, REDUCE);
        rank(1, 2).call(100, REDUCE).plan(110, 4, "0xa", 4096, 1024);

        assertThat(read().gpus()).allSatisfy(gpu -> assertThat(gpu.operations()).allMatch(o -> o.plan() != null));
    }

    @Test
    void plansOfOtherSizesGoToTheCallsOfAGroupInTheirOrder() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .group(90, 400)
                    .call(100, REDUCE)
                    .call(200, REDUCE)
                    .plan(310, 4, "0xa", 8192, 1024)
                    .plan(320, 4, "0xa", 8192, 512);
        }

        assertThat(read().gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations())
                        .extracting(o -> ((Plan.CollectivePlan) o.plan())
                                .channels()
                                .getFirst()
                                .work())
                        .containsExactly(1024L, 512L));
    }

    @Test
    void aPlanWhoseRootIsNobodyIsNone() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .call(100, "ncclBroadcast(): commHash 0xa, stream 0x1, data_size 64, type_size 4, root 0")
                    .mark(
                            110,
                            "collType 0 root 7 redOp 0 algo 1 proto 2 commHash 0xa stream 0x1 data_size 64 type_size 4"
                                    + " chunkSize 64 chunkCount 64 chunkSteps 1 sliceSteps 1 stepSize 64")
                    .mark(
                            111,
                            "nWarps 1 count 64 chunkCount 64 workCount 64 lastChunkCount 64 workOffset 0 sendbuff 5"
                                    + " recvbuff 5");
        }

        assertThat(codes(read())).contains("plan_unknown", "plan_missing");
    }

    @Test
    void partsOfMessagesGoToTheCallWithThatPeer() throws IOException {
        String part = "Bytes 64 nWarps 1 p2pType %d peer %d proto 2 countHi32 0 countLo32 %d chunkSize 4096";
        for (int rank = 0; rank < 3; rank++) {
            WrittenRows.Process process = rank(rank, 3).group(100, 500);
            for (int d = 1; d < 3; d++) {
                String text = "commHash 0xa, stream 0x1, data_size 100, type_size 4, ";
                process.call(100 + 10 * d, "ncclSend(): " + text + "receiver_rank " + (rank + d) % 3);
                process.call(200 + 10 * d, "ncclRecv(): " + text + "sender_rank " + (rank + d) % 3);
            }
            for (int d = 1; d < 3; d++) {
                for (int type = 1; type < 3; type++) {
                    process.mark(600, part.formatted(type, (rank + d) % 3, 36));
                    process.mark(601, part.formatted(type, (rank + d) % 3, 64));
                }
            }
        }

        assertThat(read().gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).hasSize(4).allSatisfy(o -> {
                    PairwisePlan plan = (PairwisePlan) o.plan();
                    assertThat(plan.parts()).hasSize(2).allMatch(p -> p.peer() == o.peer());
                    assertThat(plan.parts()).extracting(Plan.Part::bytes).containsExactly(36L, 64L);
                }));
    }

    private void allToAll(int rank, int sends, int receives) {
        WrittenRows.Process process = rank(rank, 2)
                .call(100, "ncclAlltoAll(): commHash 0xa, stream 0x1, data_size 128, type_size 1")
                .kernel(200, 300, 7, "SendRecv");
        String part = "Bytes 64 nWarps 1 p2pType %d peer %d proto 2 countHi32 0 countLo32 %d chunkSize 4096";
        if (sends > 0) {
            process.mark(110, part.formatted(1, 1 - rank, sends)).mark(111, part.formatted(2, 1 - rank, receives));
        }
    }

    @Test
    void exchangesOnWhichRanksAgreeArePlannedAsTheySay() throws IOException {
        allToAll(0, 64, 32);
        allToAll(1, 32, 64);

        assertThat(read().gpus()).allSatisfy(gpu -> assertThat(gpu.operations()).hasSize(1));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "64, 64"})
    void exchangesOfWhichRanksDoNotSayTheSameAreLeftOut(int sends, int receives) throws IOException {
        allToAll(0, 64, 32);
        allToAll(1, sends, receives);

        RecordedRun run = read();

        assertThat(run.gpus()).allSatisfy(gpu -> assertThat(gpu.operations()).isEmpty());
        assertThat(codes(run)).contains("plan_missing");
        assertThat(run.notes().hasLoss()).isTrue();
    }

    @Test
    void aCommunicatorThatNobodyIntroducesConsistsOfThoseWhoUseIt() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rows.process("nid00" + rank + ".sqlite", 70 + rank)
                    .call(100, REDUCE)
                    .plan(110, 4, "0xa", 4096, 1024);
        }

        RecordedRun recording = read();

        assertThat(recording.communicators())
                .singleElement()
                .satisfies(c -> assertThat(c.size()).isEqualTo(2));
        assertThat(codes(recording)).contains("communicator_assumed");
        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).hasSize(1));
    }

    @Test
    void communicatorsThatWereSplitOffMayShareAnId() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            String hash = rank < 2 ? "0xb" : "0xc";
            rows.process("nid00" + rank + ".sqlite", 70 + rank)
                    .mark(1, "commHash " + hash + " commId 0x9 rank " + rank % 2 + " nranks 2");
        }

        assertThat(read().communicators()).extracting(Communicator::id).containsExactly("0x9/0xb", "0x9/0xc");
    }

    @Test
    void operationsOutsideOfTheWindowAreLeftOut() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .window(150, 400)
                    .call(100, REDUCE)
                    .plan(101, 4, "0xa", 4096, 1024)
                    .call(200, REDUCE)
                    .plan(201, 4, "0xa", 4096, 1024)
                    .kernel(110, 140, 7, "AllReduce")
                    .kernel(210, 240, 7, "AllReduce");
        }

        assertThat(read().gpus().getFirst().operations())
                .extracting(RecordedOperation::start)
                .containsExactly(210L);
    }

    @Test
    void aDamagedAnnotationIsNotedAndLeftOut() throws IOException {
        rank(0, 1).mark(5, "nWarps 1 count 12 chunkCount").call(100, REDUCE).plan(110, 4, "0xa", 4096, 1024);

        RecordedRun recording = read();

        assertThat(codes(recording)).contains("annotation_damaged");
        assertThat(recording.gpus().getFirst().operations()).hasSize(1);
    }

    private static final String PLAN = "collType 4 root 0 redOp 0 algo 1 proto 2 commHash 0xa stream 0x1 data_size 4096"
            + " type_size 4 chunkSize 4096 chunkCount 1024 chunkSteps 2 sliceSteps 1 stepSize 2048";
    private static final String WORK = "nWarps 1 count 1024 chunkCount 1024 workCount 1024 lastChunkCount 512"
            + " workOffset 0 sendbuff 5 recvbuff 5";

    /** Both ranks reduce; one field of what they say is another number. */
    private RecordedRun reduced(String field, String number) throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .call(100, REDUCE)
                    .mark(110, PLAN.replaceAll(" " + field + " \\S+", " " + field + " " + number))
                    .mark(111, WORK.replaceAll(" " + field + " \\S+", " " + field + " " + number));
        }
        return read();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1024})
    void aChannelThatCannotBeIsNone(int channel) throws IOException {
        rank(0, 1).mark(5, "commHash 0xa Rings [" + channel + "] 0->0->0").call(100, REDUCE);

        assertThat(codes(read())).contains("annotation_damaged");
    }

    @Test
    void numbersOfAPlanThatCanBeAreTaken() throws IOException {
        assertThat(codes(reduced("chunkCount", "512"))).containsExactly("kernel_missing");
    }

    @ParameterizedTest
    @CsvSource({
        "chunkCount, 0",
        "chunkCount, -1",
        "chunkCount, 9223372036854775807",
        "chunkCount, 18446744073709551615",
        "workCount, 1025",
        "workCount, 9223372036854775807",
        "workCount, -1",
        "workCount, 0",
        "count, 9223372036854775807",
        "lastChunkCount, 0",
        "type_size, -1",
        "type_size, 0",
        "type_size, 4096",
        "data_size, -4",
        "chunkSteps, 2147483647",
        "sliceSteps, -1",
        "stepSize, -2048",
        "algo, 77",
        "proto, -1"
    })
    void aPlanWithNumbersThatCannotBeIsNone(String field, String number) throws IOException {
        RecordedRun recording = reduced(field, number);

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).isEmpty());
        assertThat(codes(recording)).contains("plan_missing").containsAnyOf("annotation_damaged", "plan_unknown");
    }

    @Test
    void messagesWithNumbersThatCannotBeAreCutAsUsual() throws IOException {
        String text = "commHash 0xa, stream 0x1, data_size 100, type_size 4, ";
        for (int rank = 0; rank < 2; rank++) {
            rank(rank, 2)
                    .call(
                            100,
                            rank == 0
                                    ? "ncclSend(): " + text + "receiver_rank 1"
                                    : "ncclRecv(): " + text + "sender_rank 0")
                    .mark(
                            110,
                            "Bytes 100 nWarps 1 p2pType " + (rank == 0 ? 1 : 2) + " peer " + (1 - rank)
                                    + " proto 2 countHi32 0 countLo32 100 chunkSize 0");
        }

        RecordedRun recording = read();

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations())
                        .singleElement()
                        .satisfies(o -> assertThat(((PairwisePlan) o.plan()).parts())
                                .singleElement()
                                .satisfies(part -> assertThat(part.chunkBytes()).isPositive())));
        assertThat(codes(recording)).contains("annotation_damaged");
    }

    @Test
    void callsOfSizesThatCannotBeAreLeftOut() throws IOException {
        rank(0, 2).call(100, REDUCE.replace("data_size 4096", "data_size -1")).call(200, REDUCE);

        assertThat(codes(read())).contains("annotation_damaged");
    }

    @Test
    void moreRanksThanThereCanBeAreRefused() throws IOException {
        rank(0, 2).mark(3, "commHash 0xc commId 0xc rank 0 nranks 100000000");
        assertThat(codes(read())).contains("annotation_damaged");

        for (int i = 0; i < 9; i++) {
            rank(0, 2).mark(3, "commHash 0xd" + i + " commId 0xd" + i + " rank 0 nranks 1000000");
        }
        assertThatThrownBy(this::read)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("nid000.sqlite")
                .hasMessageContaining("ranks together that were not recorded");
    }

    @Test
    void filesWithoutAnnotationsAreAnError() {
        rows.process("nid001.sqlite", 1).mark(1, "something else");

        assertThatThrownBy(this::read).isInstanceOf(UserException.class).hasMessageContaining("no annotations");
    }

    /** Kernels, and calls that do not say how they were carried out, are for others to make something of. */
    @Test
    void kernelsAloneAreNoRecordingOfTheLibrary() throws IOException {
        rows.process("nid001.sqlite", 1).kernel(1, 2, 3, "AllReduce");
        assertThat(rows.annotated(new ScopedRules())).isEmpty();

        rows.process("nid001.sqlite", 1).call(0, "ncclAllReduce(): commHash 0xa, stream 0x1, data_size 4, type_size 4");
        assertThat(rows.annotated(new ScopedRules())).isEmpty();
    }

    @Test
    void nodesAreNamedByFiles() {
        assertThat(ExportNames.in("nsys_report_nid001234.7.sqlite")).isEqualTo("001234");
        assertThat(ExportNames.in("profile_99_3_12.sqlite")).isEqualTo("3");
        assertThat(ExportNames.in("report.sqlite")).isNull();
    }
}
