// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.backward;
import static dev.lockstep.perfmodel.Calls.call;
import static dev.lockstep.perfmodel.Calls.forward;
import static dev.lockstep.perfmodel.Calls.parameter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** 2 batches, 4 heads of queries and 2 of keys and values, 6 positions, width 8: by hand. */
class AttentionModelTest {
    private static final String FLASH = "aten::_scaled_dot_product_flash_attention";
    private static final String BHND = "[[2,4,6,8],[2,2,6,8],[2,2,6,8],[],[],[]]";

    private static String types(String type) {
        return "['" + type + "','" + type + "','" + type + "','Scalar','Scalar','Scalar']";
    }

    @Test
    void scoresAndValuesAreProducts() throws NotModelled {
        Work work = forward(call(FLASH, BHND, types("c10::BFloat16"), "['','','','0.1','False','False']"));
        // 2 batches * 4 heads * 2 * 6 * 6 * (8 + 8)
        assertThat(work.flops()).isEqualTo(9216);
        // queries and results 2*4*6*8 each, keys and values 2*2*6*8 each, of two bytes
        assertThat(work.bytes()).isEqualTo((2 * 384 + 2 * 192) * 2);
        assertThat(work.computeSpec()).isEqualTo("matrix_bf16");
        assertThat(parameter(work, "dropout")).isEqualTo("0.1");
        assertThat(parameter(work, "H_KV")).isEqualTo("2");
    }

    @Test
    void elementsHaveTheirOwnSize() throws NotModelled {
        Work work = forward(call(FLASH, BHND, types("float"), "['','','','0','False','False']"));
        assertThat(work.bytes()).isEqualTo((2 * 384 + 2 * 192) * 4);
    }

    @Test
    void aMaskHalvesTheWork() throws NotModelled {
        Work work = forward(call(FLASH, BHND, types("c10::BFloat16"), "['','','','0','True','False']"));
        assertThat(work.flops()).isEqualTo(4608);
    }

    @Test
    void theBackwardIsFiveProductsAndTheSumOverSharedKeys() throws NotModelled {
        Work work = backward(call(FLASH, BHND, types("c10::BFloat16"), "['','','','0','False','False']"));
        // each product 2*4*2*36*8 = 4608; keys and values of two heads each: 2*6*8*(4/2 - 1) each
        assertThat(work.flops()).isEqualTo(5 * 4608 + 2 * 96);
        assertThat(work.bytes()).isEqualTo((2 * 384 + 4 * 192 + 384) * 2);
        // where scores are kept they are not computed again
        String kept = "aten::_scaled_dot_product_efficient_attention";
        String values = "['','','','','','0','False','']";
        assertThat(backward(call(kept, BHND, types("c10::BFloat16"), values)).flops())
                .isEqualTo(4 * 4608 + 2 * 96);
    }

    @Test
    void maskedQueriesMayBeFewerThanKeys() throws NotModelled {
        // From the end: query i of 2 sees keys up to 4 + i: 2*6 - 2*2/2 = 10 pairs.
        String bnhd = "[[1,2,1,8],[1,6,1,8],[1,6,1,8],[],[],[]]";
        String values = "['','','','0','1','True']";
        assertThat(forward(call("flash_attn::_flash_attn_forward", bnhd, types("c10::Half"), values))
                        .flops())
                .isEqualTo(2 * 10 * 16);
        // From the start: query i sees i keys: 2 pairs.
        String bhnd = "[[1,1,2,8],[1,1,6,8],[1,1,6,8],[],[],[]]";
        assertThat(forward(call(FLASH, bhnd, types("c10::Half"), "['','','','0','True','']"))
                        .flops())
                .isEqualTo(2 * 2 * 16);
    }

    @Test
    void sequencesEndToEndAreCountedOneByOne() throws NotModelled {
        // 3 sequences with 10 tokens, the longest 4: the others 3 each, so 16 + 9 + 9 pairs.
        String dims = "[[10,2,8],[10,2,8],[10,2,8],[4],[4],[],[],[],[],[]]";
        String types = "['c10::Half','c10::Half','c10::Half','int','int','Scalar','Scalar','Scalar','Scalar','Scalar']";
        String values = "['','','','','','4','4','0','1','False']";
        Work work = forward(call("flash_attn::_flash_attn_varlen_forward", dims, types, values));
        assertThat(work.flops()).isEqualTo(2 * 2 * 34 * 16);
        assertThat(parameter(work, "num_seqs_q")).isEqualTo("3");
    }

    @Test
    void headsOfKeysAndValuesMustAgree() {
        String dims = "[[2,4,6,8],[2,2,6,8],[2,1,6,8],[],[],[]]";
        OpCall call = call(FLASH, dims, types("float"), "['','','','0','False','False']");
        assertThatThrownBy(() -> forward(call)).hasMessage("keys and values have different heads");
    }

    @Test
    void evoformerFoldsSequencesIntoTheBatch() throws NotModelled {
        Work work = forward(call("EvoformerAttention", "[[2,3,5,4,8]]", "['c10::BFloat16']", "['']"));
        assertThat(parameter(work, "B")).isEqualTo("6");
        assertThat(work.flops()).isEqualTo(6 * 4 * 2 * 25 * 16);
    }
}
