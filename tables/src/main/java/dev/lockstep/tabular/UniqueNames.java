// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Tells names apart by numbers: of those that are one, the second is called {@code name_2}. Confined to one thread. */
public final class UniqueNames {
    private final UnaryOperator<String> key;
    private final Set<String> taken = new HashSet<>();
    private final Map<String, Integer> next = new HashMap<>();

    /** Names that are one if they have the same letters. */
    public UniqueNames() {
        this(name -> name);
    }

    /**
     * Names that are one by a rule.
     *
     * @param key what is equal of names that are one, as of {@code a} and {@code A} the lower case
     */
    public UniqueNames(UnaryOperator<String> key) {
        this.key = key;
    }

    /** {@return the name, or with the first number behind it that makes it another than all before; it is taken then} */
    public String add(String name) {
        String own = key.apply(name);
        if (taken.add(own)) {
            return name;
        }
        int number = next.getOrDefault(own, 2);
        while (!taken.add(key.apply(name + "_" + number))) {
            number++;
        }
        next.put(own, number + 1);
        return name + "_" + number;
    }
}
