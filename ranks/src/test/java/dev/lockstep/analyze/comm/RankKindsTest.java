// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RankKindsTest {
    private static final Map<String, Double> LAYERS = often("gemm", "norm", "softmax", "add", "gelu", "copy");
    private static final Map<String, Double> MORE =
            LAYERS.keySet().stream().collect(Collectors.toMap(name -> name, name -> 27.0));
    private static final Map<String, Double> MESSAGES = Map.of("SendRecv", 12.0);

    private static Map<String, Double> often(String... names) {
        return Arrays.stream(names).collect(Collectors.toMap(name -> name, name -> 24.0));
    }

    private static List<Integer> kinds(RankKinds.Work... works) {
        return kinds(Arrays.stream(works)
                .map(work -> new RankKinds.Member(work, Set.of()))
                .toList());
    }

    private static List<Integer> kinds(List<RankKinds.Member> ranks) {
        TreeMap<Integer, RankKinds.Member> byNumber = new TreeMap<>();
        ranks.forEach(rank -> byNumber.put(byNumber.size(), rank));
        Map<Integer, Integer> kinds = RankKinds.of(byNumber);
        return byNumber.keySet().stream().map(kinds::get).toList();
    }

    @Test
    void stagesOfAPipelineDifferByTheirNeighbours() {
        // of steps that were cut off there are fewer
        assertThat(kinds(work(16), work(32), work(31), work(16.4))).containsExactly(0, 1, 1, 0);
    }

    @Test
    void rareCallsAndOtherVariantsOfSomeKernelsMakeNoKind() {
        Map<String, Double> calls = Map.of("AllReduce", 4.0);
        assertThat(kinds(
                        new RankKinds.Work(LAYERS, calls, 0),
                        new RankKinds.Work(LAYERS, Map.of("AllReduce", 4.2, "Broadcast", 0.1), 0),
                        new RankKinds.Work(often("gemm", "norm", "softmax", "add", "gelu"), calls, 0),
                        new RankKinds.Work(often("gemm", "loss", "topk"), calls, 0)))
                .containsExactly(0, 0, 0, 1);
    }

    /** They compute nearly the same and send as often, but the last stage also computes the loss. */
    @Test
    void endsOfAPipelineAreOfTheirOwnKinds() {
        RankKinds.Work[] works = new RankKinds.Work[8];
        for (int rank = 0; rank < works.length; rank++) {
            int neighbours = (rank < 2 ? 0 : RankKinds.Work.side(rank, rank - 2))
                    | (rank > 5 ? 0 : RankKinds.Work.side(rank, rank + 2));
            works[rank] = new RankKinds.Work(LAYERS, MESSAGES, neighbours);
        }
        assertThat(kinds(works)).containsExactly(0, 0, 1, 1, 1, 1, 2, 2);
        assertThat(RankKinds.Work.side(3, -1)).isZero();
    }

    /** One block more than the other stages in the middle is work, not slowness; without messages it is the other way round. */
    @ParameterizedTest
    @CsvSource({"3, 1", "4, 1", "0, 0"})
    void stagesWithMoreBlocksAreOfAnotherKind(int neighbours, int kind) {
        RankKinds.Work stage = new RankKinds.Work(LAYERS, MESSAGES, neighbours);
        assertThat(kinds(stage, new RankKinds.Work(MORE, MESSAGES, neighbours), stage))
                .containsExactly(0, kind, 0);
    }

    /** Ranks tune for themselves: one picks another variant of a kernel, another a third, and both launch as many in all. */
    @ParameterizedTest
    @CsvSource({"12, 0", "12.4, 0", "14, 1"})
    void variantsThatRanksPickedMakeNoKind(double others, int kind) {
        Map<String, Double> first = Map.of("gemm", 11.0, "gemm_a", 1.0, "gelu", 12.0, "wgrad", 12.0, "adam", 1.0);
        Map<String, Double> second = Map.of("gemm", 11.0, "gemm_b", 1.0, "gelu", others, "wgrad", 12.0, "adam", 1.0);
        Map<String, Double> calls = Map.of("AllReduce", 1.0);
        assertThat(kinds(new RankKinds.Work(first, calls, 0), new RankKinds.Work(second, calls, 0)))
                .containsExactly(0, kind);
    }

    /** A rank that works on one stage with others and launches more is slow and no other stage, whichever of them it is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aRankOfAStageThatLaunchesMoreIsOfItsKind(int slow) {
        List<RankKinds.Member> ranks = new ArrayList<>();
        for (int rank = 0; rank < 8; rank++) {
            Set<String> groups = Set.of("tensor " + rank / 2, "data " + (rank / 4 * 2 + rank % 2));
            Map<String, Double> computing = rank == slow || rank > 3 ? MORE : LAYERS;
            ranks.add(new RankKinds.Member(new RankKinds.Work(computing, MESSAGES, 3), groups));
        }
        assertThat(kinds(ranks)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
    }

    /** A group may join what does other work, such as the ends of a pipeline that share embeddings. */
    @Test
    void aGroupAloneMakesNoStage() {
        Set<String> embeddings = Set.of("0 2");
        assertThat(kinds(List.of(
                        new RankKinds.Member(new RankKinds.Work(LAYERS, MESSAGES, 2), embeddings),
                        new RankKinds.Member(new RankKinds.Work(LAYERS, MESSAGES, 3), Set.of()),
                        new RankKinds.Member(new RankKinds.Work(LAYERS, MESSAGES, 1), embeddings))))
                .containsExactly(0, 1, 2);
    }

    /** Groups of one stage are those in which a rank finds nobody that it exchanges messages with. */
    @Test
    void groupsAreOfOneStageWhereNobodyExchangesMessages() {
        CollectiveCall tensor = call(CollectiveKind.ALL_REDUCE, "[2, 3]", -1);
        CollectiveCall data = call(CollectiveKind.ALL_REDUCE, "[2, 6]", -1);
        CollectiveCall world = call(CollectiveKind.ALL_REDUCE, "[0, 1, 2, 3, 4, 5, 6, 7]", -1);
        CollectiveCall shortened = call(CollectiveKind.ALL_REDUCE, "[2, 3, ..., 63]", -1);
        CollectiveCall sent = call(CollectiveKind.SEND, "[0, 2, 4]", 4);
        assertThat(RankKinds.groupsOfStage(List.of(tensor, data, world, shortened, sent)))
                .containsExactlyInAnyOrderElementsOf(RankKinds.groupsOfStage(List.of(tensor, data, sent)))
                .hasSize(2);
        assertThat(RankKinds.groupsOfStage(List.of(tensor, data))).isEmpty();
        assertThat(RankKinds.groupsOfStage(List.of(tensor, sent, call(CollectiveKind.RECEIVE, "[0, 2, 4]", -1))))
                .isEmpty();
    }

    private static CollectiveCall call(CollectiveKind kind, String members, long peer) {
        return new CollectiveCall("nccl", kind, null, "g", members, -1, null, -1, -1, null, null, peer, -1, null);
    }

    private static RankKinds.Work work(double messages) {
        return new RankKinds.Work(LAYERS, Map.of("SendRecv", messages, "AllReduce", 8.0), 0);
    }
}
