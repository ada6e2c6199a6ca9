// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankKindsTest {
    private static final Map<String, Double> LAYERS = often("gemm", "norm", "softmax", "add", "gelu", "copy");

    private static Map<String, Double> often(String... names) {
        return Arrays.stream(names).collect(Collectors.toMap(name -> name, name -> 24.0));
    }

    @Test
    void stagesOfAPipelineDifferByTheirNeighbours() {
        RankKinds kinds = new RankKinds();
        assertThat(kinds.of(work(16))).isZero();
        assertThat(kinds.of(work(32))).isOne();
        assertThat(kinds.of(work(31))).isOne();
        assertThat(kinds.of(work(16.4))).isZero(); // of steps that were cut off there are fewer
    }

    @Test
    void rareCallsAndOtherVariantsOfSomeKernelsMakeNoKind() {
        RankKinds kinds = new RankKinds();
        assertThat(kinds.of(new RankKinds.Work(LAYERS, Map.of("AllReduce", 4.0), 0)))
                .isZero();
        assertThat(kinds.of(new RankKinds.Work(LAYERS, Map.of("AllReduce", 4.2, "Broadcast", 0.1), 0)))
                .isZero();
        assertThat(kinds.of(new RankKinds.Work(
                        often("gemm", "norm", "softmax", "add", "gelu"), Map.of("AllReduce", 4.0), 0)))
                .isZero();
        assertThat(kinds.of(new RankKinds.Work(often("gemm", "loss", "topk"), Map.of("AllReduce", 4.0), 0)))
                .isOne();
    }

    /** They compute nearly the same and send as often, but the last stage also computes the loss. */
    @Test
    void endsOfAPipelineAreOfTheirOwnKinds() {
        RankKinds kinds = new RankKinds();
        int[] kindOf = new int[8];
        for (int rank = 0; rank < kindOf.length; rank++) {
            int neighbours = (rank < 2 ? 0 : RankKinds.Work.side(rank, rank - 2))
                    | (rank > 5 ? 0 : RankKinds.Work.side(rank, rank + 2));
            kindOf[rank] = kinds.of(new RankKinds.Work(LAYERS, Map.of("SendRecv", 12.0), neighbours));
        }
        assertThat(kindOf).containsExactly(0, 0, 1, 1, 1, 1, 2, 2);
        assertThat(RankKinds.Work.side(3, -1)).isZero();
    }

    /** One block more than the other stages in the middle is work, not slowness; without messages it is the other way round. */
    @ParameterizedTest
    @CsvSource({"3, 1", "4, 1", "0, 0"})
    void stagesWithMoreBlocksAreOfAnotherKind(int neighbours, int kind) {
        Map<String, Double> more = new HashMap<>(LAYERS);
        more.replaceAll((name, count) -> count * 9 / 8);
        RankKinds kinds = new RankKinds();
        assertThat(kinds.of(new RankKinds.Work(LAYERS, Map.of("SendRecv", 12.0), neighbours)))
                .isZero();
        assertThat(kinds.of(new RankKinds.Work(more, Map.of("SendRecv", 12.0), neighbours)))
                .isEqualTo(kind);
        assertThat(kinds.of(new RankKinds.Work(LAYERS, Map.of("SendRecv", 12.0), neighbours)))
                .isZero();
    }

    /** Ranks tune for themselves: one picks another variant of a kernel, another a third, and both launch as many in all. */
    @ParameterizedTest
    @CsvSource({"12, 0", "12.4, 0", "14, 1"})
    void variantsThatRanksPickedMakeNoKind(double others, int kind) {
        Map<String, Double> first = Map.of("gemm", 11.0, "gemm_a", 1.0, "gelu", 12.0, "wgrad", 12.0, "adam", 1.0);
        Map<String, Double> second = Map.of("gemm", 11.0, "gemm_b", 1.0, "gelu", others, "wgrad", 12.0, "adam", 1.0);
        RankKinds kinds = new RankKinds();
        assertThat(kinds.of(new RankKinds.Work(first, Map.of("AllReduce", 1.0), 0)))
                .isZero();
        assertThat(kinds.of(new RankKinds.Work(second, Map.of("AllReduce", 1.0), 0)))
                .isEqualTo(kind);
    }

    private static RankKinds.Work work(double messages) {
        return new RankKinds.Work(LAYERS, Map.of("SendRecv", messages, "AllReduce", 8.0), 0);
    }
}
