// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What formulas see while one call is judged: the call, and the values of names, each computed when first asked for. */
final class Scope {
    private final OpCall call;
    private final ModelRules rules;
    private final List<Formula> names;
    private final @Nullable Value[] known;

    /** @param names the formulas of the names, by slot; none may depend on itself */
    Scope(OpCall call, ModelRules rules, List<Formula> names) {
        this.call = call;
        this.rules = rules;
        this.names = names;
        this.known = new Value[names.size()];
    }

    OpCall call() {
        return call;
    }

    ModelRules rules() {
        return rules;
    }

    /** The value of a name. */
    Value name(int slot) throws NotModelled {
        Value value = known[slot];
        if (value == null) {
            value = names.get(slot).in(this);
            known[slot] = value;
        }
        return value;
    }
}
