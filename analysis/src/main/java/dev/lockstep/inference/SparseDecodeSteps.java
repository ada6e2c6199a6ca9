// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.model.SliceKind;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sparse decode attention over a paged cache. The kernels around it tell how the context is thinned out: by a sliding
 * window alone (swa), by compressed slots of which an indexer picks some (csa), or by a compressed history (hca).
 */
final class SparseDecodeSteps implements PseudoOps.Rule {
    private static final String OPERATOR = "aiter::v4_attention_with_output";
    private static final Pattern FUNCTION =
            Pattern.compile("paged_decode\\.py\\(\\d+\\):\\s*sparse_attn_v4_paged_decode\\b");
    private static final Pattern GEOMETRY = Pattern.compile("qk_norm_rope_H(\\d{1,6})_D(\\d{1,6})_RD\\d+");

    @Override
    public void apply(PseudoOpBuilder ops) {
        if (!ops.mentions(OPERATOR)) {
            return;
        }
        for (int frame :
                ops.matching(SliceKind.PYTHON, name -> FUNCTION.matcher(name).find())) {
            int operator = ops.tree().isMember(frame) ? ops.above(frame, OPERATOR) : -1;
            if (operator >= 0 && ops.activities(frame).length > 0) {
                List<String> kernels = Arrays.stream(ops.activities(operator))
                        .mapToObj(ops.trace()::name)
                        .toList();
                ops.wrap(frame, "pseudo_v4_paged_decode_" + mode(kernels), operator, geometry(kernels));
            }
        }
    }

    private static String mode(List<String> kernels) {
        if (kernels.stream().anyMatch(k -> k.startsWith("hca_"))) {
            return "hca";
        }
        boolean compressed = kernels.stream()
                .anyMatch(k -> k.startsWith("fused_compress_attn") || k.startsWith("_update_compressor_states_kernel"));
        return compressed ? "csa" : "swa";
    }

    private static String geometry(List<String> kernels) {
        for (String kernel : kernels) {
            Matcher m = GEOMETRY.matcher(kernel);
            if (m.find()) {
                return "{\"heads\": " + Integer.parseInt(m.group(1)) + ", \"head_size\": "
                        + Integer.parseInt(m.group(2)) + "}";
            }
        }
        return "";
    }
}
