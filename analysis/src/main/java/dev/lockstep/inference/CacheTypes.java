// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import java.util.List;
import java.util.regex.Pattern;

/** The element type of the cache, which only the innermost attention operator is given, told to those around it. */
final class CacheTypes implements PseudoOps.Rule {
    private static final Pattern TEXT = Pattern.compile("\"([^\"\\\\]*)\"");

    @Override
    public void apply(PseudoOpBuilder ops) {
        tell(ops, "_rocm_C::paged_attention", 5);
        tell(ops, "aiter::paged_attention_v1", 3);
    }

    private static void tell(PseudoOpBuilder ops, String leaf, int keys) {
        for (int op : ops.named(SliceKind.CPU_OP, leaf)) {
            String json = ops.arguments(op, OpDetails.INPUT_TYPES);
            List<String> types = json == null
                    ? List.of()
                    : TEXT.matcher(json).results().map(m -> m.group(1)).toList();
            for (int above = ops.tree().parent(op); types.size() > keys + 1 && above >= 0; ) {
                if (ops.trace().slices().kind(above) == SliceKind.CPU_OP) {
                    ops.note(above, "{\"cache_type\": \"" + types.get(keys) + "\"}");
                }
                above = ops.tree().parent(above);
            }
        }
    }
}
