// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.KernelRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Kinds of kernels by their names, from rules kept as data: one per line, first match wins. Confined to one thread. */
public final class KernelCategories {
    private record Rule(String category, Pattern pattern) {}

    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, String> known = new HashMap<>();

    private KernelCategories(String text) {
        for (String line : text.split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.strip().split("\\s+", 2);
                rules.add(new Rule(parts[0], Pattern.compile(parts[1])));
            }
        }
    }

    /** The rules that ship with the program. */
    public static KernelCategories standard() {
        return new KernelCategories(KernelRules.resource(KernelCategories.class, "kernel-categories.txt"));
    }

    /** The category of a kernel of this name; {@code other} when no rule knows it. */
    public String of(String name) {
        return known.computeIfAbsent(name, this::judge);
    }

    private String judge(String name) {
        for (Rule rule : rules) {
            if (rule.pattern.matcher(name).find()) {
                return rule.category;
            }
        }
        return "other";
    }
}
