// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.memory.AllocationOwners.Pass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The owner of memory is a line of Python, of the user's own where there is one. */
class StackOwnerTest {
    private static final String USER = "forward /home/me/model.py:115";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "torch::unwind::unwind() ??:0",
                "cfunction_call /usr/local/src/conda/python-3.12.3/Objects/methodobject.c:537",
                "_PyEval_EvalFrameDefault /usr/local/src/conda/python-3.12.3/Python/bytecodes.c:1",
                "execute_native_thread_routine thread48.o:0",
                "call /opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py:1501",
                "einsum /usr/local/lib/python3.10/dist-packages/torch/functional.py:380",
                "inner /usr/lib/python3.11/contextlib.py:81",
                "inner /usr/lib64/python3.9/threading.py:81",
                "inner C:\\Python310\\Lib\\contextlib.py:81",
                "inner C:\\Users\\me\\anaconda3\\envs\\x\\lib\\contextlib.py:81",
                "call C:\\Users\\me\\anaconda3\\envs\\x\\lib\\site-packages\\torch\\nn\\modules\\module.py:15",
                "call /tmp/torchinductor_me/ab/cabc.py:50",
                "forward <eval_with_key>.5:12",
                "_call_with_frames_removed <frozen importlib._bootstrap>:241"
            })
    void whatIsNotTheUsersOwnsNothing(String frame) {
        StackOwner owner = StackOwner.of(frame + "\n" + USER, 1);

        assertThat(owner.name()).isEqualTo(USER);
        assertThat(owner.line()).isEqualTo(USER);
        assertThat(StackOwner.of(frame, 1).name()).startsWith("(");
    }

    @Test
    void theLineIsOutsideOfLibraries() {
        String library = "to /opt/venv/lib/python3.11/site-packages/transformers/modeling_utils.py:2692";
        StackOwner owner = StackOwner.of("malloc ??:0\n" + library + "\n" + USER, 1);

        assertThat(owner.name()).isEqualTo(library);
        assertThat(owner.line()).isEqualTo(USER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<module> <ipython-input-3-abc>:1",
                "<module> /tmp/ipykernel_21/1234.py:21",
                "<module> <stdin>:1",
                "step /content/train.py:7"
            })
    void notebooksAndPromptsAreTheUsers(String frame) {
        assertThat(StackOwner.of("malloc ??:0\n" + frame, 1).line()).isEqualTo(frame);
    }

    @Test
    void aThreadOfAutogradIsTheBackwardPass() {
        StackOwner owner = StackOwner.of(
                "c10::malloc ??:0\ntorch::autograd::Engine::thread_main(std::shared_ptr) ??:0\n"
                        + "execute_native_thread_routine thread48.o:0",
                1);

        assertThat(owner.pass()).isEqualTo(Pass.BACKWARD);
        assertThat(owner.name()).contains("backward");
    }
}
