// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.model.SliceKind;
import java.util.regex.Pattern;

/** Multi-head latent attention: the function as a whole, with the arguments of the operator at its heart. */
final class AttentionSteps implements PseudoOps.Rule {
    private static final Pattern DECODE = Pattern.compile("aiter/mla\\.py\\(\\d+\\): mla_decode_fwd");
    private static final Pattern PREFILL = Pattern.compile(":\\s*mla_fp8_prefill_attn(\\b|$)");

    @Override
    public void apply(PseudoOpBuilder ops) {
        wrap(ops, "aiter::mla_decode_stage1_asm_fwd", DECODE, "pseudo_mla_decode_fwd");
        wrap(ops, "aiter::mla_prefill_ps_asm_fwd", PREFILL, "pseudo_mla_prefill_fwd");
    }

    private static void wrap(PseudoOpBuilder ops, String heart, Pattern function, String name) {
        int[] hearts = ops.named(SliceKind.CPU_OP, heart);
        if (hearts.length == 0) {
            return;
        }
        for (int frame :
                ops.matching(SliceKind.PYTHON, text -> function.matcher(text).find())) {
            int donor = ops.tree().isMember(frame) ? ops.firstBelow(frame, hearts) : -1;
            if (donor >= 0 && ops.activities(frame).length > 0) {
                ops.wrap(frame, name, donor, "");
            }
        }
    }
}
