// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OpModelsTest {
    private static final OpModels MODELS = OpModels.standard();

    static OpModel model(String name) {
        OpModel model = MODELS.of(name);
        assertThat(model).as(name).isNotNull();
        return model;
    }

    @Test
    void addmmAddsOneRowToTheProduct() throws NotModelled {
        OpCall call = OpCall.of(
                        "aten::addmm",
                        "[[1024], [8944, 1024], [1024, 1024], [], []]",
                        "[\"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\", \"Scalar\"]",
                        "[[1], [1024, 1], [1, 1024], [], []]",
                        "[\"\", \"\", \"\", \"1\", \"1\"]")
                .withKernels(List.of("Cijk_Alik_Bljk_BBS_BH_MT128x128x32"));
        Work work = model("aten::addmm").forward(call);
        // 2 * 8944 * 1024 * 1024 + 8944 * 1024
        assertThat(work.flops()).isEqualTo(18_766_086_144.0);
        // 2 bytes of 8944 x 1024, 1024 x 1024, 8944 x 1024 and 1024 elements
        assertThat(work.bytes()).isEqualTo(38_733_824);
        assertThat(work.computeSpec()).isEqualTo("matrix_bf16");
        assertThat(Parameter.json(work.parameters()))
                .isEqualTo("{\"M\": 8944, \"N\": 1024, \"K\": 1024, \"bias\": true, \"stride_A\": [1024, 1], "
                        + "\"stride_B\": [1, 1024], \"dtype_A_B\": [\"c10::BFloat16\", \"c10::BFloat16\"], "
                        + "\"B\": 1, \"transpose\": [true, false]}");
    }

    @Test
    void anArgumentOfTheWrongRankIsUnreadable() {
        OpCall call = OpCall.of("aten::mm", "[[4, 4, 4], [4, 4]]", "[\"float\", \"float\"]", null, null);
        assertThatThrownBy(() -> model("aten::mm").forward(call)).isInstanceOfSatisfying(NotModelled.class, e -> {
            assertThat(e.kind()).isEqualTo(NotModelled.Kind.UNREADABLE);
            assertThat(e.reason()).isEqualTo("argument 0 has shape [4, 4, 4], not 2 dimensions");
        });
    }

    @Test
    void matrixProductsHaveNoBackwardOfTheirOwn() {
        OpCall call = OpCall.of("aten::mm", "[[4, 4], [4, 4]]", "[\"float\", \"float\"]", null, null);
        assertThatThrownBy(() -> model("aten::mm").backward(call))
                .isInstanceOfSatisfying(
                        NotModelled.class, e -> assertThat(e.kind()).isEqualTo(NotModelled.Kind.NOT_IMPLEMENTED));
    }
}
