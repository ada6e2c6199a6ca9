// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CollectiveMatchTest {
    private static final String GROUP = "\"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1]\"";

    private static EventText collective(EventText into, long ts, String kind, String dtype, String more) {
        return into.device(
                "kernel",
                "ncclDevKernel_" + kind,
                ts,
                10,
                ts,
                20,
                GROUP + ", \"Collective name\": \"" + kind + "\", \"dtype\": \"" + dtype + '"' + more);
    }

    private static RankCollectives rank(EventText events, int number) {
        Trace trace = TestTraces.of(events).withRank(new Rank(number, Rank.Origin.TRACE));
        return new DerivedCache(trace).get(RankCollectives.Key.standard());
    }

    private static CollectiveMatch match(EventText... ranks) {
        List<RankCollectives> kept = new ArrayList<>();
        for (EventText events : ranks) {
            kept.add(rank(events, kept.size()));
        }
        return CollectiveMatch.of(kept);
    }

    private static Group group(CollectiveMatch match, int instance) {
        return match.groups().get(match.group(instance));
    }

    private static List<Integer> memberCounts(CollectiveMatch match) {
        return IntStream.range(0, match.size()).mapToObj(match::members).toList();
    }

    private static List<Long> numbers(CollectiveMatch match) {
        return IntStream.range(0, match.size()).mapToObj(match::number).toList();
    }

    @Test
    void sequenceNumbersMatchWhateverIsMissing() {
        EventText a = new EventText();
        EventText b = new EventText();
        for (long i = 0; i < 4; i++) {
            collective(a, i * 100, "allreduce", "Float", ", \"Seq\": " + (10 + i));
            if (i != 1) {
                collective(b, i * 100 + 7, "allreduce", "Float", ", \"Seq\": " + (10 + i));
            }
        }
        CollectiveMatch match = match(a, b);
        assertThat(numbers(match)).containsExactly(10L, 11L, 12L, 13L);
        assertThat(memberCounts(match)).containsExactly(2, 1, 2, 2);
        assertThat(match.groups()).extracting(Group::basis).containsOnly(Basis.SEQUENCE);
        assertThat(match.disagreements()).isZero();
    }

    @Test
    void withoutNumbersTheOrderWithinTheGroupMatches() {
        EventText a = new EventText();
        EventText b = new EventText();
        collective(collective(a, 0, "allreduce", "Float", ""), 100, "allgather", "Float", "");
        collective(collective(b, 50, "allreduce", "Float", ""), 160, "allgather", "Float", "");
        CollectiveMatch match = match(a, b);
        assertThat(match.groups()).extracting(Group::basis).containsExactly(Basis.GROUP_AND_ORDER);
        assertThat(memberCounts(match)).containsExactly(2, 2);
        assertThat(match.rank(0, 1)).isEqualTo(1);
        assertThat(match.row(1, 0)).isEqualTo(1);
        assertThat(group(match, 0).members()).isEqualTo("[0, 1]");
    }

    @Test
    void kernelsWithoutNumbersAmongNumberedOnesStandInAnOrderOfTheirOwn() {
        EventText a = collective(new EventText(), 0, "allreduce", "Float", "");
        EventText b = collective(new EventText(), 0, "allreduce", "Float", "");
        collective(a, 100, "allreduce", "Float", ", \"Seq\": 0");
        collective(b, 100, "allreduce", "Float", ", \"Seq\": 0");
        CollectiveMatch match = match(a, b);
        assertThat(match.groups()).extracting(Group::basis).containsExactly(Basis.SEQUENCE, Basis.GROUP_AND_ORDER);
        assertThat(memberCounts(match)).containsExactly(2, 2);
    }

    @Test
    void kernelsOfOneRankWithOneNumberAreInstancesOfTheirOwn() {
        EventText a = collective(new EventText(), 0, "allgather", "Float", ", \"Seq\": 3");
        EventText b = collective(new EventText(), 5, "allgather", "Float", ", \"Seq\": 3");
        collective(a, 100, "allgather", "Float", ", \"Seq\": 3");
        collective(b, 105, "allgather", "Float", ", \"Seq\": 3");
        CollectiveMatch match = match(a, b);
        assertThat(memberCounts(match)).containsExactly(2, 2);
        assertThat(numbers(match)).containsExactly(3L, 3L);
    }

    @Test
    void membersThatDisagreeAreTakenApartAndCounted() {
        EventText a = collective(new EventText(), 0, "allreduce", "Float", ", \"Seq\": 1");
        EventText b = collective(new EventText(), 0, "allreduce", "Half", ", \"Seq\": 1");
        EventText c = collective(new EventText(), 0, "allreduce", "Half", ", \"Seq\": 1, \"In msg nelems\": 5");
        CollectiveMatch match = match(a, b, c);
        assertThat(memberCounts(match)).containsExactly(1, 1, 1);
        assertThat(match.disagreements()).isEqualTo(1);
    }

    @Test
    void aNameThatDenotesOtherRanksOnOtherRanksIsAnotherGroup() {
        EventText a = new EventText();
        EventText b = new EventText();
        String record = "\"Process Group Name\": \"tp\", \"Collective name\": \"allreduce\", \"Seq\": 1";
        a.device("kernel", "nccl_x", 0, 10, 1, 20, record + ", \"Process Group Ranks\": \"[0, 1]\"");
        b.device("kernel", "nccl_x", 0, 10, 1, 20, record + ", \"Process Group Ranks\": \"[2, 3]\"");
        assertThat(memberCounts(match(a, b))).containsExactly(1, 1);
    }

    @Test
    void aSendIsMatchedWithTheReceiveOfItsPeer() {
        EventText a = new EventText();
        EventText b = new EventText();
        String send = GROUP + ", \"Collective name\": \"send\", \"In msg nelems\": 8, \"Dst Rank\": 1";
        String receive = GROUP + ", \"Collective name\": \"recv\", \"Out msg nelems\": 8, \"Src Rank\": 0";
        a.device("kernel", "ncclDevKernel_SendRecv", 0, 10, 1, 20, send);
        b.device("kernel", "ncclDevKernel_SendRecv", 4, 10, 1, 20, receive);
        CollectiveMatch match = match(a, b);
        assertThat(memberCounts(match)).containsExactly(2);
        assertThat(group(match, 0).from()).isZero();
        assertThat(group(match, 0).to()).isEqualTo(1);
    }

    @Test
    void withoutMetadataKindAndOrderMatchWhateverTheKernelIsCalled() {
        EventText a = new EventText()
                .kernel("ncclKernel_AllReduce_RING", 0, 10, 1, 20)
                .kernel("gemm", 5, 10, 2, 7);
        EventText b = new EventText().kernel("ncclKernel_AllReduce_TREE", 9, 10, 1, 20);
        CollectiveMatch match = match(a, b);
        assertThat(memberCounts(match)).containsExactly(2);
        assertThat(group(match, 0).basis()).isEqualTo(Basis.KIND_AND_ORDER);
        assertThat(group(match, 0).kind()).isEqualTo("all_reduce");
    }

    @Test
    void annotationsAroundLaunchesSpeakForKernelsWithoutRecord() {
        EventText events = new EventText()
                .complete(
                        "user_annotation",
                        "nccl:all_to_all",
                        "1",
                        "1",
                        0,
                        50,
                        "\"Input Dims\": [[6, 7]], \"Input type\": [\"float\"]")
                .call("cudaLaunchKernel", 10, 5, 3)
                .kernel("ncclKernel_SendRecv", 30, 10, 3, 20)
                .kernel("ncclKernel_SendRecv", 90, 10, 4, 20);
        RankCollectives kernels = rank(events, 0);
        assertThat(kernels.call(0).kind()).isEqualTo(CollectiveKind.ALL_TO_ALL);
        assertThat(kernels.call(0).inElements()).isEqualTo(42);
        assertThat(kernels.call(0).dtype()).isEqualTo("float");
        assertThat(kernels.call(1).kind()).isEqualTo(CollectiveKind.SEND_RECEIVE);
    }
}
