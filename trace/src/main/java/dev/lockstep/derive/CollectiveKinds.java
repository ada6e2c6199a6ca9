// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells what collectives are, by rules kept as data: one per line, first match wins. The format is described at the top of
 * {@code collective-kinds.txt}. Two rule lists with the same text are equal.
 */
public final class CollectiveKinds {
    private static final CollectiveKinds STANDARD = new CollectiveKinds(
            KernelRules.resource(CollectiveKinds.class.getResourceAsStream("collective-kinds.txt")));

    private record Rule(CollectiveKind kind, Pattern pattern) {}

    private final String text;
    private final List<Rule> rules;

    /** The rules in a text, a line each. */
    public CollectiveKinds(String text) {
        this.text = text;
        rules = Arrays.stream(text.split("\n"))
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.strip().split("\\s+", 2))
                .map(parts -> new Rule(CollectiveKind.valueOf(parts[0]), Pattern.compile(parts[1])))
                .toList();
    }

    /** The rules that ship with the program. */
    public static CollectiveKinds standard() {
        return STANDARD;
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

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CollectiveKinds that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
