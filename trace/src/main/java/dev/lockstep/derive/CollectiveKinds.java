// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Tells what collectives are, by rules kept as data: one per line, first match wins. The format is described at the top of
 * {@code collective-kinds.txt}. Two rule lists with the same text are equal.
 */
public record CollectiveKinds(String text) {
    /** Rules made ready to judge names. */
    static final class Judge {
        private record Rule(CollectiveKind kind, Pattern pattern) {}

        private final List<Rule> rules = new ArrayList<>();

        private Judge(String text) {
            for (String line : text.split("\n")) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] parts = line.strip().split("\\s+", 2);
                    rules.add(new Rule(CollectiveKind.valueOf(parts[0]), Pattern.compile(parts[1])));
                }
            }
        }

        /** The kind of a collective by its recorded name, or by its kernel's name where there is none. */
        CollectiveKind of(String name) {
            for (Rule rule : rules) {
                if (rule.pattern.matcher(name).find()) {
                    return rule.kind;
                }
            }
            return CollectiveKind.OTHER;
        }
    }

    /** The rules that ship with the program. */
    public static CollectiveKinds standard() {
        return new CollectiveKinds(
                KernelRules.resource(CollectiveKinds.class.getResourceAsStream("collective-kinds.txt")));
    }

    Judge judge() {
        return new Judge(text);
    }
}
