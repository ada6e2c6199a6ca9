// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.PairwisePlan;
import dev.lockstep.goal.recording.Plan.Part;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KinetoRecordingTest {
    @TempDir
    Path folder;

    @Test
    void ranksAgreeOnEveryCollective() throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4);
        List<KinetoRank> ranks = new ArrayList<>();
        for (int rank = 3; rank >= 0; rank--) {
            ranks.add(rank(rank, SyntheticRun.bytes(recipe, rank)));
        }

        RecordedRun recording = KinetoRecording.of(ranks, KinetoRules.NONE);

        assertThat(recording.gpus()).extracting(Gpu::pid).containsExactly(0L, 1L, 2L, 3L);
        assertThat(recording.notes().hasLoss()).isFalse();
        Map<String, Integer> seen = new HashMap<>();
        for (Gpu gpu : recording.gpus()) {
            assertThat(gpu.operations()).isNotEmpty();
            assertThat(gpu.windowStart())
                    .isLessThanOrEqualTo(gpu.operations().getFirst().start());
            for (RecordedOperation o : gpu.operations()) {
                assertThat(o.plan()).isNotNull();
                seen.merge(o.communicator() + " " + o.sequence() + " " + o.kind() + " " + o.plan(), 1, Integer::sum);
            }
        }
        assertThat(seen.values()).containsOnly(4);
    }

    @Test
    void plansFollowWhatKernelsSay() throws IOException {
        String kernel = "ncclDevKernel_AllReduce_Sum_f32_TREE_LL(ncclDevKernelArgsStorage<4096ul>)";
        RecordedRun recording = KinetoRecording.of(
                List.of(
                        rank(0, trace(0, collective(kernel, "allreduce", 1000, 250_000, 250_000, 3, ""))),
                        rank(1, trace(1, collective(kernel, "allreduce", 5000, 250_000, 250_000, 3, "")))),
                KinetoRules.NONE);

        RecordedOperation o = recording.gpus().getFirst().operations().getFirst();
        assertThat(o.kind()).isEqualTo(NcclFunction.ALL_REDUCE);
        assertThat(o.bytes()).isEqualTo(1_000_000);
        assertThat(o.stream()).isEqualTo("20");
        CollectivePlan plan = (CollectivePlan) java.util.Objects.requireNonNull(o.plan());
        assertThat(plan.algorithm()).isEqualTo(NcclAlgorithm.TREE);
        assertThat(plan.protocol()).isEqualTo(NcclProtocol.SIMPLE);
        assertThat(plan.channels()).hasSize(3);
        assertThat(plan.channels().stream().mapToLong(c -> c.work()).sum()).isEqualTo(250_000);
    }

    @Test
    void rulesGoBeforeTheTrace() throws IOException {
        String kernel = "ncclDevKernel_AllReduce_Sum_f32_TREE_LL";
        KinetoRules rules = new KinetoRules(1, 5, NcclProtocol.LL128, NcclAlgorithm.RING, false, null);
        RecordedRun recording = KinetoRecording.of(
                List.of(
                        rank(0, trace(0, collective(kernel, "allreduce", 1000, 250_000, 250_000, 3, ""))),
                        rank(1, trace(1, collective(kernel, "allreduce", 5000, 250_000, 250_000, 3, "")))),
                rules);

        CollectivePlan plan = (CollectivePlan) java.util.Objects.requireNonNull(
                recording.gpus().getFirst().operations().getFirst().plan());
        assertThat(plan.algorithm()).isEqualTo(NcclAlgorithm.RING);
        assertThat(plan.protocol()).isEqualTo(NcclProtocol.LL128);
        assertThat(plan.channels()).hasSize(5);
        assertThat(recording.gpus()).extracting(Gpu::node).containsExactly("node0", "node1");
    }

    @Test
    void allToAllsSendWhatTheirSplitsSay() throws IOException {
        String kernel = "ncclDevKernel_SendRecv";
        RecordedRun recording = KinetoRecording.of(
                List.of(
                        rank(0, trace(0, collective(kernel, "all_to_allv", 1000, 30, 14, 3, "[10, 20]"))),
                        rank(1, trace(1, collective(kernel, "all_to_allv", 1000, 11, 27, 3, "[4, 7]")))),
                KinetoRules.NONE);

        assertThat(parts(recording, 0)).containsExactlyInAnyOrder("true to 1: 80", "false to 1: 16");
        assertThat(parts(recording, 1)).containsExactlyInAnyOrder("true to 0: 16", "false to 0: 80");
    }

    @Test
    void rootsAreThoseThatAllMembersName() throws IOException {
        String kernel = "ncclDevKernel_Broadcast_RING_LL";
        assertThat(root(KinetoRecording.of(
                        List.of(
                                rank(0, trace(0, rooted(kernel, "broadcast", 1))),
                                rank(1, trace(1, rooted(kernel, "broadcast", 1)))),
                        KinetoRules.NONE)))
                .isEqualTo(1);
        // Each says its own: no root is on record.
        RecordedRun assumed = KinetoRecording.of(
                List.of(
                        rank(0, trace(0, rooted(kernel, "broadcast", 1))),
                        rank(1, trace(1, rooted(kernel, "broadcast", 0)))),
                KinetoRules.NONE);
        assertThat(root(assumed)).isZero();
        assertThat(assumed.notes().all()).extracting(ScheduleNote::code).contains("root_assumed");
    }

    @Test
    void whatIsGatheredGoesToTheRoot() throws IOException {
        RecordedRun recording = KinetoRecording.of(
                List.of(
                        rank(0, trace(0, rooted("ncclDevKernel_SendRecv", "gather", 1))),
                        rank(1, trace(1, rooted("ncclDevKernel_SendRecv", "gather", 1)))),
                KinetoRules.NONE);

        assertThat(parts(recording, 0)).containsExactly("true to 1: 256");
        assertThat(parts(recording, 1)).containsExactly("false to 0: 256");
        assertThat(recording.notes().all()).extracting(ScheduleNote::code).doesNotContain("root_assumed");
    }

    /** PyTorch names the other side of a message by its number in the run, whatever group it is in. */
    @Test
    void messagesWithinAGroupMeetByTheirNumbersInTheRun() throws IOException {
        String send = "\"Collective name\": \"send\", \"In msg nelems\": 64, \"Out msg nelems\": 64, \"Dst Rank\": 3";
        String receive =
                "\"Collective name\": \"recv\", \"In msg nelems\": 64, \"Out msg nelems\": 64, \"Src Rank\": 1";
        String group =
                ", \"Group size\": 2, \"dtype\": \"Float\", \"Process Group Name\": \"7\", \"Process Group Ranks\":"
                        + " \"[1, 3]\"";
        RecordedRun recording = KinetoRecording.of(
                List.of(
                        rank(1, trace(1, kernel("ncclDevKernel_SendRecv", send + group))),
                        rank(3, trace(3, kernel("ncclDevKernel_SendRecv", receive + group)))),
                KinetoRules.NONE);

        assertThat(recording.notes().hasLoss()).isFalse();
        assertThat(parts(recording, 0)).containsExactly("true to 1: 256");
        assertThat(parts(recording, 1)).containsExactly("false to 0: 256");
    }

    private static int root(RecordedRun recording) {
        return ((CollectivePlan) java.util.Objects.requireNonNull(
                        recording.gpus().getFirst().operations().getFirst().plan()))
                .root();
    }

    /** A kernel and its operator, which alone has the rank. */
    private static String rooted(String kernel, String name, int rank) {
        String record = "\"Collective name\": \"" + name
                + "\", \"In msg nelems\": 64, \"Out msg nelems\": 64, \"Group size\": 2,"
                + " \"dtype\": \"Float\", \"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1]\"";
        return "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"record_param_comms\", \"ts\": 10, \"dur\": 20,"
                + " \"pid\": 5, \"tid\": 5, \"args\": {\"External id\": 77, \"Rank\": " + rank + ", " + record + "}}, "
                + kernel(kernel, "\"External id\": 77, " + record);
    }

    private static String kernel(String kernel, String arguments) {
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + kernel
                + "\", \"ts\": 100, \"dur\": 50, \"pid\": 0, \"tid\": 20, \"args\": {\"device\": 0, \"stream\": 20,"
                + " \"grid\": [2, 1, 1], \"block\": [512, 1, 1], "
                + arguments + "}}";
    }

    @Test
    void collectivesOfARankThatIsNoMemberOfTheGroupAreLeftOutAndNoted() throws IOException {
        String one = collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "allreduce", 1000, 64, 64, 2, "");
        RecordedRun recording =
                KinetoRecording.of(List.of(rank(0, trace(0, one)), rank(1, trace(7, one))), KinetoRules.NONE);

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).isEmpty());
        assertThat(recording.notes().all())
                .filteredOn(ScheduleNote::loss)
                .extracting(ScheduleNote::code)
                .containsExactly("no_member");
    }

    @Test
    void whatOneRankLacksIsLeftOutAndNoted() throws IOException {
        String kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
        String one = collective(kernel, "allreduce", 1000, 64, 64, 2, "");
        RecordedRun recording = KinetoRecording.of(
                List.of(
                        rank(0, trace(0, one + "," + collective(kernel, "allreduce", 9000, 64, 64, 2, ""))),
                        rank(1, trace(1, one))),
                KinetoRules.NONE);

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).hasSize(1));
        assertThat(recording.notes().all())
                .filteredOn(ScheduleNote::loss)
                .extracting(ScheduleNote::code)
                .containsExactly("members_missing");
    }

    @Test
    void whatHasNoSizeIsLeftOutAndNoted() throws IOException {
        String kernel = "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_AllGather_RING_LL\", \"ts\": 1,"
                + " \"dur\": 5, \"pid\": 0, \"tid\": 20, \"args\": {\"device\": 0, \"stream\": 20}}";
        RecordedRun recording =
                KinetoRecording.of(List.of(rank(0, trace(0, kernel)), rank(1, trace(1, kernel))), KinetoRules.NONE);

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).isEmpty());
        assertThat(recording.notes().all()).extracting(ScheduleNote::code).contains("size_missing", "matched_by_order");
    }

    @ParameterizedTest
    @ValueSource(strings = {"allreduce", "_allgather_base", "broadcast", "all_to_allv"})
    void whatNoGpuHoldsIsLeftOutAndNoted(String name) throws IOException {
        String huge = collective("ncclDevKernel_AllReduce_RING_LL", name, 1, 1L << 40, 1L << 40, 3, "");
        RecordedRun recording =
                KinetoRecording.of(List.of(rank(0, trace(0, huge)), rank(1, trace(1, huge))), KinetoRules.NONE);

        assertThat(recording.gpus())
                .allSatisfy(gpu -> assertThat(gpu.operations()).isEmpty());
        assertThat(recording.notes().all()).extracting(ScheduleNote::code).contains("size_missing");
    }

    @Test
    void moreBlocksThanALibraryHasChannelsSayNothingAboutThem() throws IOException {
        String wide = collective("ncclDevKernel_AllReduce_RING_LL", "allreduce", 1, 1 << 30, 1 << 30, 100_000, "");
        RecordedRun recording =
                KinetoRecording.of(List.of(rank(0, trace(0, wide)), rank(1, trace(1, wide))), KinetoRules.NONE);

        assertThat(recording.notes().all()).extracting(ScheduleNote::code).contains("channels_assumed");
    }

    private static String bare(String kernel, long ts, long dur) {
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_" + kernel + "\", \"ts\": " + ts
                + ", \"dur\": " + dur
                + ", \"pid\": 0, \"tid\": 20, \"args\": {\"device\": 0, \"stream\": 20, \"grid\": [3, 1, 1]}}";
    }

    /**
     * Of kernels that nothing is on record of but their names and times: the shorter takes 8 us, in which 150 GB/s move
     * 1,200,000 bytes within a node.
     */
    @Test
    void sizesAreTakenFromTimesWhereThatIsWanted() throws IOException {
        RecordedRun recording = KinetoRecording.of(
                List.of(
                        rank(0, trace(0, bare("AllReduce_Sum_f32_RING_LL", 1, 20) + "," + bare("SendRecv", 40, 8))),
                        rank(1, trace(1, bare("AllReduce_Sum_f32_RING_LL", 13, 8) + "," + bare("SendRecv", 40, 9)))),
                KinetoRules.NONE.guessing());

        assertThat(recording.notes().hasLoss()).isFalse();
        assertThat(recording.notes().all())
                .extracting(ScheduleNote::code)
                .contains("size_assumed", "pairs_assumed", "matched_by_order");
        RecordedOperation reduced = recording.gpus().getFirst().operations().getFirst();
        CollectivePlan plan = (CollectivePlan) java.util.Objects.requireNonNull(reduced.plan());
        assertThat(plan.channels().stream()
                        .mapToLong(c -> c.work() * plan.typeBytes())
                        .sum())
                .isEqualTo(1_200_000);
        assertThat(plan.channels()).hasSize(3);
        RecordedOperation exchanged = recording.gpus().getFirst().operations().getLast();
        assertThat(((PairwisePlan) java.util.Objects.requireNonNull(exchanged.plan())).parts())
                .extracting(KinetoRecordingTest::said)
                .containsExactlyInAnyOrder("true to 1: 1200000", "false to 1: 1200000");
    }

    @Test
    void aRankAloneIsNotedWhereSizesAreTakenFromTimes() throws IOException {
        RecordedRun recording = KinetoRecording.of(
                List.of(rank(0, trace(0, bare("AllReduce_Sum_f32_RING_LL", 1, 20)))), KinetoRules.NONE.guessing());

        assertThat(recording.notes().all())
                .filteredOn(ScheduleNote::loss)
                .extracting(ScheduleNote::code)
                .containsExactly("members_missing");
    }

    private static List<String> parts(RecordedRun recording, int gpu) {
        RecordedOperation o = recording.gpus().get(gpu).operations().getFirst();
        return ((PairwisePlan) java.util.Objects.requireNonNull(o.plan()))
                .parts().stream().map(KinetoRecordingTest::said).toList();
    }

    private static String said(Part part) {
        return part.sent() + " to " + part.peer() + ": " + part.bytes();
    }

    private static String collective(String kernel, String name, int ts, long in, long out, int blocks, String split) {
        String splits = split.isEmpty() ? "" : ", \"In split size\": \"" + split + "\"";
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + kernel + "\", \"ts\": " + ts + ", \"dur\": 50,"
                + " \"pid\": 0, \"tid\": 20, \"args\": {\"device\": 0, \"stream\": 20, \"grid\": [" + blocks
                + ", 1, 1], \"block\": [512, 1, 1], \"Collective name\": \"" + name + "\", \"In msg nelems\": " + in
                + ", \"Out msg nelems\": " + out
                + ", \"Group size\": 2, \"dtype\": \"Float\", \"Process Group Name\": \"0\", \"Process Group Ranks\":"
                + " \"[0, 1]\""
                + splits + "}}";
    }

    private static byte[] trace(int rank, String events) {
        return ("{\"distributedInfo\": {\"rank\": " + rank + ", \"world_size\": 2}, \"traceEvents\": [" + events + "]}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private KinetoRank rank(int rank, byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("rank" + rank + "_trace.json"), bytes);
        try (Session session = new Session(1)) {
            Trace trace = session.read(TraceInput.of(file), read -> {}).getFirst();
            return KinetoRank.of(trace);
        }
    }
}
