// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.List;

/** A named quantity of a call: {@code M}, {@code stride_A}, {@code causal}. */
public record Parameter(String name, Value value) {
    /** A JSON object of parameters: {@code {"M": 16, "stride_A": [64, 1]}}. */
    public static String json(List<Parameter> parameters) {
        StringBuilder out = new StringBuilder("{");
        for (Parameter parameter : parameters) {
            out.append(out.length() > 1 ? ", " : "");
            new Value.Text(parameter.name).json(out);
            parameter.value.json(out.append(": "));
        }
        return out.append('}').toString();
    }
}
