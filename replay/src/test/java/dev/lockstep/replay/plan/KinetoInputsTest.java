// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.replay.plan.Argument.Real;
import dev.lockstep.replay.plan.Argument.Tensor;
import dev.lockstep.replay.plan.Argument.Tensors;
import dev.lockstep.replay.plan.Argument.Text;
import dev.lockstep.replay.plan.Argument.Truth;
import dev.lockstep.replay.plan.Argument.Values;
import dev.lockstep.replay.plan.Argument.Whole;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KinetoInputsTest {
    private static KinetoInputs.Parsed parse(String shapes, String types, String strides, String values) {
        return KinetoInputs.parse(shapes, types, strides, values, ElementType.BFLOAT16);
    }

    @Test
    void readsTensorsScalarsAndLists() {
        KinetoInputs.Parsed parsed = parse(
                "[[8,4],[],[],[],[]]",
                "[\"c10::Half\",\"ScalarList\",\"Scalar\",\"\",\"double\"]",
                "[[1,8],[],[],[],[]]",
                "[\"\",\"[2, -1]\",\"True\",\"\",\"\"]");

        assertThat(parsed.gap()).isNull();
        assertThat(parsed.arguments())
                .containsExactly(
                        new Tensor(new TensorSpec(
                                List.of(8L, 4L), ElementType.FLOAT16, false, List.of(1L, 8L), 0, 0, 0, null)),
                        new Values(List.of(new Whole(2), new Whole(-1))),
                        new Truth(true),
                        Argument.NONE,
                        new Tensor(new TensorSpec(List.of(), ElementType.FLOAT64, false, List.of(), 0, 1, 0, null)));
    }

    @Test
    void elementsOfListsTakeTheTypeOfOtherArguments() {
        Argument list = parse("[[[1,2],[3,2]],[]]", "[\"TensorList\",\"Scalar\"]", null, "[\"\",\"0\"]")
                .arguments()
                .getFirst();

        assertThat(list).isInstanceOf(Tensors.class);
        assertThat(((Tensors) list).specs())
                .allMatch(spec -> spec != null && spec.type() == ElementType.BFLOAT16 && spec.assumed())
                .extracting(TensorSpec::shape)
                .containsExactly(List.of(1L, 2L), List.of(3L, 2L));
    }

    @Test
    void listsOfAnythingHoldTensorsOrValues() {
        KinetoInputs.Parsed parsed = parse(
                "[[8],[[4],[4]],[]]", "[\"float\",\"GenericList\",\"GenericList\"]", null, "[\"\",\"\",\"[1, 2]\"]");

        assertThat(parsed.gap()).isNull();
        assertThat(parsed.arguments().get(1)).isInstanceOf(Tensors.class);
        assertThat(parsed.arguments().get(2)).isEqualTo(new Values(List.of(new Whole(1), new Whole(2))));
        assertThat(parse("[[8],[]]", "[\"float\",\"GenericList\"]", null, "[\"\",\"\"]")
                        .gap())
                .isEqualTo(ReplayGap.SHAPES_MISSING);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[[],[]]; [\"TensorList\",\"Scalar\"]; SHAPES_MISSING",
                "[[2]]; [\"float\",\"float\"]; SHAPES_MISSING",
                "[[-2]]; [\"float\"]; SHAPES_MISSING",
                "[[2]]; [\"c10::Unheard\"]; TYPE_UNKNOWN",
                "nonsense; [\"float\"]; SHAPES_MISSING",
                "[[2.5]]; [\"float\"]; SHAPES_MISSING"
            })
    void whatIsOfNoUseSaysWhy(String shapes, String types, ReplayGap gap) {
        assertThat(parse(shapes, types, null, null).gap()).isEqualTo(gap);
    }

    @Test
    void withoutShapesThereIsNothing() {
        assertThat(KinetoInputs.parse(null, null, null, null, ElementType.FLOAT32)
                        .gap())
                .isEqualTo(ReplayGap.SHAPES_MISSING);
    }

    @Test
    void numbersAreWholeOrReal() {
        assertThat(KinetoInputs.scalar("-3")).isEqualTo(new Whole(-3));
        assertThat(KinetoInputs.scalar("1.")).isEqualTo(new Real(1));
        assertThat(KinetoInputs.scalar("1.0000000000000001e-05")).isEqualTo(new Real(1e-5));
        assertThat(KinetoInputs.scalar("-inf")).isEqualTo(new Real(Double.NEGATIVE_INFINITY));
        assertThat(KinetoInputs.scalar("mean")).isEqualTo(new Text("mean"));
        assertThat(KinetoInputs.scalar("")).isEqualTo(Argument.NONE);
    }
}
