// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RankKindsTest {
    private static final Set<String> LAYERS = Set.of("gemm", "norm", "softmax", "add", "gelu", "copy");

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
        assertThat(kinds.of(new RankKinds.Work(LAYERS, Map.of("AllReduce", 4.0))))
                .isZero();
        assertThat(kinds.of(new RankKinds.Work(LAYERS, Map.of("AllReduce", 4.2, "Broadcast", 0.1))))
                .isZero();
        assertThat(kinds.of(
                        new RankKinds.Work(Set.of("gemm", "norm", "softmax", "add", "gelu"), Map.of("AllReduce", 4.0))))
                .isZero();
        assertThat(kinds.of(new RankKinds.Work(Set.of("gemm", "loss", "topk"), Map.of("AllReduce", 4.0))))
                .isOne();
    }

    private static RankKinds.Work work(double messages) {
        return new RankKinds.Work(LAYERS, Map.of("SendRecv", messages, "AllReduce", 8.0));
    }
}
