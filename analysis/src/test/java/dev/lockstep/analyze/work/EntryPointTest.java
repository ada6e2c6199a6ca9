// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.work.CallStacks.Stack;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryPointTest {
    @Test
    void theNearestFrameThatIsNoMachineryIsTheEntryPoint() {
        List<String> frames = List.of(
                "train.py(10): step",
                "model.py(20): forward",
                "nn.Module: Linear",
                "torch/nn/modules/module.py(1743): _call_impl",
                "aten::linear",
                "aten::addmm",
                "gemm");
        assertThat(EntryPoint.of("aten::addmm", frames)).isEqualTo("model.py(20): forward");
    }

    @Test
    void aFrameInsideThatNamesTheOperatorGoesFirst() {
        List<String> frames =
                List.of("model.py(20): forward", "aiter::rmsnorm", "aiter/norm.py(5): rmsnorm_impl", "kernel");
        assertThat(EntryPoint.of("aiter::rmsnorm", frames)).isEqualTo("aiter/norm.py(5): rmsnorm_impl");
    }

    @Test
    void operatorsWithoutAFrameHaveNone() {
        assertThat(EntryPoint.of("aten::mm", List.of("kernel"))).isNull();
        assertThat(EntryPoint.of("aten::mm", List.of("aten::mm", "kernel"))).isNull();
    }

    @Test
    void stacksShareWhatTheyHaveInCommonAndListTheRestOnce() {
        List<String> copy = List.of("f.py(1): f", "aten::conv", "copy");
        List<String> add = List.of("f.py(1): f", "aten::conv", "aten::add", "add");
        Stack stack = Stack.of(List.of(copy, add, copy));
        assertThat(stack.json()).isEqualTo("[\"f.py(1): f\", \"aten::conv\", [\"copy\"], [\"aten::add\", \"add\"]]");
        assertThat(Stack.of(List.of(copy)).json()).isEqualTo("[\"f.py(1): f\", \"aten::conv\", \"copy\"]");
        assertThat(stack.flat()).endsWith("copy", "aten::add", "add");
    }
}
