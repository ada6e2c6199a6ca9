// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.replay.plan.Argument.Real;
import dev.lockstep.replay.plan.Argument.Tensor;
import dev.lockstep.replay.plan.Argument.Text;
import dev.lockstep.replay.plan.Argument.Truth;
import dev.lockstep.replay.plan.Argument.Values;
import dev.lockstep.replay.plan.Argument.Whole;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BindingTest {
    private static final Argument TENSOR =
            new Tensor(new TensorSpec(List.of(2L, 3L), ElementType.FLOAT32, false, null, 0, 0, 6, null));

    private static List<String> overloads(List<Argument> arguments, String... schemas) {
        return Binding.all(Stream.of(schemas).map(OperatorSchema::parse).toList(), arguments).stream()
                .map(b -> b.schema().overload())
                .toList();
    }

    @Test
    void sumOverDimensionsIsNotTheOneOverNames() {
        assertThat(
                        overloads(
                                List.of(TENSOR, new Values(List.of(new Whole(0))), new Truth(true), Argument.NONE),
                                "aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
                                "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                                "aten::sum.dim_DimnameList(Tensor self, Dimname[1] dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                                "aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"))
                .containsExactly("dim_IntList");
    }

    @Test
    void theSecondOperandChoosesTheOverload() {
        String[] add = {
            "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
            "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"
        };
        assertThat(overloads(List.of(TENSOR, TENSOR, new Whole(1)), add)).containsExactly("Tensor");
        assertThat(overloads(List.of(TENSOR, new Real(0.5), new Whole(1)), add)).containsExactly("Scalar");
    }

    @Test
    void theOverloadWithAsManyParametersComesFirst() {
        assertThat(
                        overloads(
                                List.of(TENSOR, new Whole(15), new Truth(false), new Truth(false), Argument.NONE),
                                "aten::to.device(Tensor self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False) -> Tensor",
                                "aten::to.dtype(Tensor self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor",
                                "aten::to.more(Tensor self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None, bool b=False) -> Tensor"))
                .containsExactly("dtype", "more");
    }

    @Test
    void whatIsMissingIsNothingOrTheDefaultOrAReasonToRefuse() {
        OperatorSchema schema = OperatorSchema.parse("aten::x(Tensor? a, int b=3, Tensor c) -> Tensor");

        assertThat(Binding.of(schema, List.of(Argument.NONE, Argument.NONE, TENSOR)))
                .extracting(Binding::values)
                .isEqualTo(java.util.Arrays.asList(Argument.NONE, null, TENSOR));
        assertThat(Binding.of(schema, List.of(Argument.NONE, Argument.NONE))).isNull();
        assertThat(Binding.of(schema, List.of(TENSOR, new Whole(1), TENSOR, TENSOR)))
                .isNull();
    }

    @Test
    void numbersBendButTextsDoNot() {
        OperatorSchema schema = OperatorSchema.parse("aten::x(float a, bool b, int[2] c, Device d) -> Tensor");
        Binding binding = Binding.of(schema, List.of(new Whole(2), new Whole(1), new Whole(7), new Text("cuda:0")));

        assertThat(binding).isNotNull();
        assertThat(binding.values())
                .containsExactly(new Real(2), new Truth(true), new Values(List.of(new Whole(7))), new Text("cuda:0"));
        assertThat(binding.liberties()).isEqualTo(3);
        assertThat(Binding.of(schema, List.of(new Text("2"), new Whole(1), new Whole(7), new Text("cpu"))))
                .isNull();
        assertThat(Binding.of(schema, List.of(new Real(2), new Whole(2), new Whole(7), new Text("cpu"))))
                .isNull();
    }

    @Test
    void aDeviceThatWasNotRecordedIsThatOfTheReplay() {
        String to =
                "aten::to.device(Tensor self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor";
        List<Argument> recorded =
                List.of(TENSOR, Argument.NONE, new Whole(15), new Truth(false), new Truth(false), Argument.NONE);

        assertThat(overloads(recorded, to)).containsExactly("device");
        assertThat(overloads(List.of(TENSOR), "aten::y(Tensor self, Device d) -> Tensor"))
                .isEmpty();
    }

    @Test
    void aParameterCanTakeAnotherValueIfItWasGivenOne() {
        OperatorSchema schema =
                OperatorSchema.parse("aten::x(Tensor self, bool? pin_memory=None, bool other=False) -> Tensor");
        Binding given = Binding.of(schema, List.of(TENSOR, new Truth(true), new Truth(true)));
        Binding left = Binding.of(schema, List.of(TENSOR, Argument.NONE, new Truth(true)));

        assertThat(given.with("pin_memory", new Truth(false)).values())
                .containsExactly(TENSOR, new Truth(false), new Truth(true));
        assertThat(left.with("pin_memory", new Truth(false))).isEqualTo(left);
    }

    @Test
    void anEmptyListIsAListOfTensorsToo() {
        Binding binding = Binding.of(
                OperatorSchema.parse("aten::cat(Tensor[] tensors, int dim=0) -> Tensor"),
                List.of(new Values(List.of()), new Whole(0)));

        assertThat(binding).isNotNull();
        assertThat(binding.values().getFirst()).isEqualTo(new Argument.Tensors(List.of()));
    }
}
