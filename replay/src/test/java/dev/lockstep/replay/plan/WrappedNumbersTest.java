// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrappedNumbersTest {
    private static Argument tensor(ElementType type, String device, Long... shape) {
        return new Argument.Tensor(new TensorSpec(List.of(shape), type, false, null, 0, 0, 0, device));
    }

    @ParameterizedTest
    @CsvSource({"aten::div, FLOAT64", "aten::mul_, FLOAT64", "aten::add, INT64", "aten::remainder, INT64"})
    void numbersBehindATensorOfAnotherTypeAreNumbersAgain(String operator, ElementType type) {
        Argument first = tensor(ElementType.BFLOAT16, null, 4L, 6L);
        for (String device : new String[] {null, "cpu"}) {
            assertThat(WrappedNumbers.unwrapped(operator, List.of(first, tensor(type, device), new Argument.Whole(1))))
                    .containsExactly(
                            first,
                            type == ElementType.INT64 ? new Argument.Whole(1) : new Argument.Real(1),
                            new Argument.Whole(1));
        }
    }

    @Test
    void otherTensorsStayWhatTheyAre() {
        Argument first = tensor(ElementType.FLOAT32, null, 4L);
        Argument number = tensor(ElementType.FLOAT64, null);
        for (List<Argument> arguments : List.of(
                List.of(tensor(ElementType.FLOAT64, null, 4L), number), // may be of the device
                List.of(first, tensor(ElementType.FLOAT64, "cuda:0")),
                List.of(first, tensor(ElementType.FLOAT64, null, 1L)),
                List.of(first, tensor(ElementType.FLOAT16, null)),
                List.of(first),
                List.of(number, first))) {
            assertThat(WrappedNumbers.unwrapped("aten::mul", arguments)).isSameAs(arguments);
        }
        List<Argument> index = List.of(first, tensor(ElementType.INT64, null));
        assertThat(WrappedNumbers.unwrapped("aten::copy_", index)).isSameAs(index);
        assertThat(WrappedNumbers.unwrapped("mine::mul", index)).isSameAs(index);
    }
}
