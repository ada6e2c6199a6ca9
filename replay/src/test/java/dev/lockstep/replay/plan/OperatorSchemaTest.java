// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.replay.plan.SchemaType.Base;
import org.junit.jupiter.api.Test;

class OperatorSchemaTest {
    @Test
    void readsNamesTypesAndDefaults() {
        OperatorSchema schema =
                OperatorSchema.parse("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");

        assertThat(schema.name()).isEqualTo("aten::add");
        assertThat(schema.overload()).isEqualTo("Tensor");
        assertThat(schema.parameters())
                .extracting(OperatorSchema.Parameter::name)
                .containsExactly("self", "other", "alpha");
        assertThat(schema.parameters())
                .extracting(p -> p.type().base())
                .containsExactly(Base.TENSOR, Base.TENSOR, Base.SCALAR);
        assertThat(schema.parameters())
                .extracting(OperatorSchema.Parameter::hasDefault)
                .containsExactly(false, false, true);
        assertThat(schema.isView()).isFalse();
        assertThat(schema.isInPlace()).isFalse();
    }

    @Test
    void knowsListsOfFixedLengthAndWhatMayBeAbsent() {
        OperatorSchema schema = OperatorSchema.parse(
                "aten::x(Tensor?[] a, SymInt[2]? b=[0, 1], str c='a, b', Device? d=None, bool[3] e) -> (Tensor, Tensor)");

        assertThat(schema.parameters())
                .extracting(OperatorSchema.Parameter::name)
                .containsExactly("a", "b", "c", "d", "e");
        SchemaType a = schema.parameters().get(0).type();
        SchemaType b = schema.parameters().get(1).type();
        assertThat(a.isList()).isTrue();
        assertThat(a.optional()).isFalse();
        assertThat(a.fixed()).isFalse();
        assertThat(b.optional()).isTrue();
        assertThat(b.fixed()).isTrue();
        assertThat(b.base()).isEqualTo(Base.INT);
    }

    @Test
    void tellsViewsFromChanges() {
        assertThat(OperatorSchema.parse("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)")
                        .isView())
                .isTrue();
        assertThat(OperatorSchema.parse("aten::split(Tensor(a -> *) self, int n) -> Tensor(a)[]")
                        .isView())
                .isTrue();
        OperatorSchema change = OperatorSchema.parse("aten::add_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
        assertThat(change.isView()).isFalse();
        assertThat(change.isInPlace()).isTrue();
        assertThat(OperatorSchema.parse("aten::topk(Tensor self) -> (Tensor values, Tensor indices)")
                        .isView())
                .isFalse();
    }

    @Test
    void refusesWhatIsNoSignature() {
        assertThatThrownBy(() -> OperatorSchema.parse("aten::add")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textsThatNameFilesAreTold() {
        assertThat(OperatorSchema.parse("image::read(str? filename, int n) -> Tensor")
                        .takesFile())
                .isTrue();
        assertThat(OperatorSchema.parse("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor")
                        .takesFile())
                .isFalse();
    }
}
