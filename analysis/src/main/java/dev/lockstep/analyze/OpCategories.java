// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.derive.KernelRules;
import dev.lockstep.perfmodel.OpModels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells what operators are for, by rules kept as data: by exact name, by a pattern of the name, by the name of the first
 * kernel, in this order. The format is described at the top of {@code op-categories.txt}.
 */
public final class OpCategories {
    /** What matches no rule. */
    public static final String OTHER = "other";

    private record PatternRule(String category, Pattern pattern) {}

    private final String text;
    private final Map<String, String> byName;
    private final List<PatternRule> byPattern;
    private final List<PatternRule> byKernel;
    private final @Nullable OpModels models;

    private OpCategories(String text) {
        this.text = text;
        byName = new HashMap<>();
        byPattern = new ArrayList<>();
        byKernel = new ArrayList<>();
        models = null;
        for (String line : text.split("\n")) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.strip().split("\\s+", 3);
            switch (parts[1]) {
                case "=" -> {
                    for (String name : parts[2].split("\\s+")) {
                        byName.put(name, parts[0]);
                    }
                }
                case "~" -> byPattern.add(new PatternRule(parts[0], Pattern.compile(parts[2])));
                case "kernel" -> byKernel.add(new PatternRule(parts[0], Pattern.compile(parts[2])));
                default -> throw new IllegalStateException(line);
            }
        }
    }

    private OpCategories(OpCategories rules, OpModels models) {
        text = rules.text;
        byName = rules.byName;
        byPattern = rules.byPattern;
        byKernel = rules.byKernel;
        this.models = models;
    }

    /** The rules that ship with the program, read once. */
    private static final class Standard {
        static final OpCategories RULES =
                new OpCategories(KernelRules.resource(OpCategories.class.getResourceAsStream("op-categories.txt")));
    }

    /** The rules that ship with the program. */
    public static OpCategories standard() {
        return Standard.RULES;
    }

    /** Rules from a text in the same format. */
    public static OpCategories parse(String text) {
        return new OpCategories(text);
    }

    /** The same, but operators that models know have the category that their model states. */
    public OpCategories with(OpModels known) {
        return new OpCategories(this, known);
    }

    /**
     * The category of an operator.
     *
     * @param op its name
     * @param firstKernel name of the first kernel it launched itself, null when it launched none
     */
    public String of(String op, @Nullable String firstKernel) {
        String stated = models == null ? null : models.category(op);
        if (stated != null) {
            return stated;
        }
        String exact = byName.get(op);
        if (exact != null) {
            return exact;
        }
        for (PatternRule rule : byPattern) {
            if (rule.pattern.matcher(op).find()) {
                return rule.category;
            }
        }
        if (firstKernel != null) {
            for (PatternRule rule : byKernel) {
                if (rule.pattern.matcher(firstKernel).find()) {
                    return rule.category;
                }
            }
        }
        return OTHER;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OpCategories categories
                && categories.text.equals(text)
                && Objects.equals(categories.models, models);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
