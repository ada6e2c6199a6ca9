// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.codec.GivenPattern;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.PatternSyntaxException;

/** Kinds of kernels by their names, from rules kept as data: one per line, first match wins. Confined to one thread. */
public final class KernelCategories {
    /** Characters of a name that are looked at; compilers write names of some thousands. */
    private static final int MOST_JUDGED = 1 << 13;

    private record Rule(String category, GivenPattern pattern) {}

    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, String> known = new HashMap<>();

    private KernelCategories() {}

    /**
     * Rules from a text: a category and a regular expression in each line, which is sought in names; {@code #} begins a
     * remark.
     *
     * @param source names the text in errors
     * @throws UserException for a line that is no rule
     */
    public static KernelCategories parse(String text, String source) {
        KernelCategories categories = new KernelCategories();
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.strip().split("\\s+", 2);
                categories.rules.add(new Rule(parts[0], pattern(parts, source + ", line " + number)));
            }
        }
        return categories;
    }

    private static GivenPattern pattern(String[] parts, String where) {
        try {
            if (parts.length == 2) {
                return GivenPattern.of(parts[1], where);
            }
        } catch (PatternSyntaxException e) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    where + ": " + e.getDescription() + " in " + GivenPattern.shown(parts[1]),
                    null,
                    e);
        }
        throw new UserException(
                ErrorCode.OPTION_INVALID, where + ": expected a category and a regular expression", null);
    }

    /** The rules that ship with the program. */
    public static KernelCategories standard() {
        return standard("kernel-categories.txt");
    }

    /** The rules for operators, where a recording holds these and no kernels. */
    public static KernelCategories operators() {
        return standard("operator-categories.txt");
    }

    private static KernelCategories standard(String name) {
        return parse(KernelRules.resource(KernelCategories.class.getResourceAsStream(name)), name);
    }

    /** The category of a kernel of this name; {@code other} when no rule knows it. */
    public String of(String name) {
        return known.computeIfAbsent(name, this::judge);
    }

    private String judge(String name) {
        String judged = name.substring(0, Math.min(MOST_JUDGED, name.length()));
        for (Rule rule : rules) {
            if (rule.pattern.isIn(judged)) {
                return rule.category;
            }
        }
        return "other";
    }
}
