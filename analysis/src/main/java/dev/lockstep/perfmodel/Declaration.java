// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.codec.GivenPattern;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model as a file declares it, with all that it takes over from others.
 *
 * @param ops names of operators
 * @param pattern names of further operators, which it must match wholly
 * @param family empty when not stated
 * @param category empty when not stated
 * @param backwardCategory null when there is no backward pass with figures of its own
 * @param unit matrix, vector or empty
 * @param names the formulas of names; {@link #FLOPS} and its like are among them
 * @param parameters names of the parameters, in the order in which they are shown
 */
record Declaration(
        List<String> ops,
        @Nullable GivenPattern pattern,
        String family,
        String category,
        @Nullable String backwardCategory,
        String unit,
        Map<String, FormulaText> names,
        List<FormulaText> parameters) {
    /** Names that formulas cannot use, as they hold spaces. */
    static final String FLOPS = "the flops";

    static final String BYTES = "the bytes";
    static final String PRECISION = "the precision";
    static final String BACKWARD_FLOPS = "the backward flops";
    static final String BACKWARD_BYTES = "the backward bytes";

    static final Declaration NONE = new Declaration(List.of(), null, "", "", null, "", Map.of(), List.of());

    /** This declaration, for these operators, with what another one adds or replaces. */
    Declaration with(Declaration more) {
        Map<String, FormulaText> all = new LinkedHashMap<>(names);
        all.putAll(more.names);
        return new Declaration(
                more.ops,
                more.pattern,
                more.family.isEmpty() ? family : more.family,
                more.category.isEmpty() ? category : more.category,
                more.backwardCategory == null ? backwardCategory : more.backwardCategory,
                more.unit.isEmpty() ? unit : more.unit,
                all,
                more.parameters.isEmpty() ? parameters : more.parameters);
    }
}
