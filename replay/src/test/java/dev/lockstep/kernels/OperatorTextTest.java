// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.Json;
import dev.lockstep.read.execution.ExecutionTrace.Inputs;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OperatorTextTest {
    private static OperatorText of(String shapes, String types, @Nullable String strides) throws IOException {
        List<Json> named = list(types);
        return OperatorText.of(new Inputs(named, list(shapes), named, strides == null ? null : list(strides)));
    }

    private static List<Json> list(String text) throws IOException {
        return Json.parse(text) instanceof Json.Items items ? items.items() : List.of();
    }

    @Test
    void readsAsTheProfilersOwnWords() throws IOException {
        OperatorText text = of(
                "[[2,3],[],[[],[]],[],[],[[]]]",
                "[\"Tensor(c10::Half)\",\"Double\",\"GenericList[Int,Int]\",\"None\",\"Device\",\"GenericList[]\"]",
                "[[3,1],[],[],[],[],[]]");

        assertThat(text.shapes()).isEqualTo("[[2, 3], [], [], [], [], []]");
        assertThat(text.types()).isEqualTo("[\"c10::Half\", \"Scalar\", \"ScalarList\", \"\", \"\", \"ScalarList\"]");
        assertThat(text.strides()).isEqualTo("[[3, 1], [], [], [], [], []]");
    }

    @Test
    void listsOfTensorsSayWhichTypesTheyHold() throws IOException {
        OperatorText same = of("[[[2],[3,4]]]", "[\"GenericList[Tensor(float),Tensor(float)]\"]", null);
        OperatorText mixed = of("[[[2],[3]]]", "[\"GenericList[Tensor(float),Tensor(long int)]\"]", null);

        assertThat(same.shapes()).isEqualTo("[[[2], [3, 4]]]");
        assertThat(same.types()).isEqualTo("[\"TensorList[float]\"]");
        assertThat(same.strides()).isNull();
        assertThat(mixed.types()).isEqualTo("[\"TensorList[float, long int]\"]");
    }

    @Test
    void whatIsNotThereIsEmpty() throws IOException {
        OperatorText undefined = of("[[]]", "[\"Tensor(nullptr (uninitialized))\"]", null);

        assertThat(undefined.types()).isEqualTo("[\"\"]");
        assertThat(OperatorText.of(null)).isEqualTo(OperatorText.UNKNOWN);
        assertThat(of("[]", "[]", null)).isEqualTo(OperatorText.UNKNOWN);
        assertThat(of("[]", "[\"Tensor(float)\"]", null).shapes()).isEqualTo("[[]]");
    }
}
