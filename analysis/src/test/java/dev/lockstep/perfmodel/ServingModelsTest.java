// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.call;
import static dev.lockstep.perfmodel.Calls.forward;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators of serving engines; 16-bit values unless a type says otherwise. */
class ServingModelsTest {
    private static final String ALL =
            "['c10::BFloat16','c10::BFloat16','c10::BFloat16','c10::BFloat16','c10::BFloat16']";

    /** 2 tokens, 4 heads of Q, one of K and V, all 8 wide. */
    private static OpCall attention(String annotation) {
        return call("vllm::unified_attention_with_output", "[[2,4,8],[2,1,8],[2,1,8]]", ALL, "['','','']")
                .withAnnotation(annotation);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // 4 * 16 * (2 * 9); 2 tokens of 5 heads in 16-bit, 7 cached rows of one head
                "execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk9sqsq2sqsk9) | 1152 | 544",
                // 4 * 16 * (2 * 9 - 9); 3 tokens, nothing cached
                "execute_3_context_1(sq3sk3sqsq9sqsk9)_generation_0(sq0sk0sqsq0sqsk0) | 576 | 480",
            })
    void attentionIsThatOfTheIteration(String annotation, double flops, double bytes) throws NotModelled {
        Work work = forward(attention(annotation));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
        assertThat(work.computeSpec()).isEqualTo("matrix_bf16");
    }

    @Test
    void withoutAnIterationAttentionIsNotKnown() {
        assertThatThrownBy(() -> forward(attention("warm up"))).isInstanceOf(NotModelled.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // 4 tokens to one of 2 experts of 8 -> 2 * 16 -> 8: 2048 + 1024 + 32; 1.875 experts are read
                "pseudo_op::moe_aiter_fused_1stage | [[4,8],[2,32,8],[2,8,16],[4,1]] | - | 3104 | 1568",
                // two values in a byte: 2 * 4 * 16 * 8 * 2 * 2; 2 * 2 * 128 halves of a byte
                "pseudo_op::moe_gptq_awq_up | [[4,8],[2,32,4],[2,8,8]] | {'topk': 2, 'gated': true} | 4096 | 576",
                // one product: 2 * 4 * 16 * 8 * 2; 2 * 128 halves
                "pseudo_op::moe_gptq_awq_down | [[4,8],[2,32,4],[2,8,8]] | {'topk': 2, 'gated': false} | 2048 | 448",
                // rows of 8: 2 * (2 * 8 + 2) + 2 * 16
                "aiter::rms_norm | [[2,8],[8],[]] | - | 68 | 80",
                // Q of 4 heads and K of one: 2 * 5 * 8 values
                "sgl_kernel::rotary_embedding | [[2],[2,32],[2,8],[],[100,8]] | - | 240 | 320",
                // read and written
                "_C_custom_ar::all_reduce | [[],[4,8]] | - | 0 | 128",
                // 4 streams: 2 * 2 * 4 * 8 * 5; one of 32, two of 128, mixes of 32 and 128
                "aiter::mhc_post | [[2,4,8],[2,8]] | - | 640 | 448",
            })
    void workIsCountedByHand(String name, String dims, String hints, double flops, double bytes) throws NotModelled {
        OpCall call = call(name, dims, ALL, "['','','','8','']");
        Work work = forward(hints.equals("-") ? call : call.withHints(Calls.json(hints)));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
    }

    @Test
    void quantisationCountsEachTensorOnce() throws NotModelled {
        Work work = forward(call(
                "aiter::dynamic_per_token_scaled_quant",
                "[[2,8],[2,8],[2,1]]",
                "['c10::Float8_e4m3fnuz','c10::BFloat16','float']",
                "['','','']"));
        assertThat(work.flops()).isEqualTo(41.5);
        assertThat(work.bytes()).isEqualTo(16 + 32 + 8);
    }
}
