// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The formulas of a declaration, ready for use.
 *
 * @param slots where the formula of each name is
 * @param formulas by slot
 * @param parameters what is shown
 */
record Program(Map<String, Integer> slots, List<Formula> formulas, List<Shown> parameters) {
    /** Numbers, names, texts and symbols of all formulas: each may be a step deeper, and the stack has to suffice for them. */
    private static final int MOST_TOKENS = 2_000;

    /** A parameter that is shown. */
    record Shown(String name, int slot) {}

    static Program of(Declaration declaration) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        declaration.names().keySet().forEach(name -> slots.put(name, slots.size()));
        demandShort(declaration.names().values());
        List<TreeSet<Integer>> uses = new ArrayList<>();
        List<Formula> formulas = new ArrayList<>();
        for (FormulaText text : declaration.names().values()) {
            TreeSet<Integer> used = new TreeSet<>();
            formulas.add(FormulaParser.parse(text, name -> {
                int slot = slots.getOrDefault(name, -1);
                if (slot >= 0) {
                    used.add(slot);
                }
                return slot;
            }));
            uses.add(used);
        }
        refuseCircles(List.copyOf(declaration.names().values()), uses);
        List<Shown> shown = new ArrayList<>();
        for (FormulaText parameter : declaration.parameters()) {
            Integer slot = slots.get(parameter.text());
            if (slot == null) {
                throw parameter.invalid(0, "expected a name under 'define'");
            }
            shown.add(new Shown(parameter.text(), slot));
        }
        return new Program(Map.copyOf(slots), List.copyOf(formulas), List.copyOf(shown));
    }

    /** The slot of a name, or -1. */
    int slot(String name) {
        return slots.getOrDefault(name, -1);
    }

    private static void demandShort(Collection<FormulaText> texts) {
        int count = 0;
        for (FormulaText text : texts) {
            FormulaTokens tokens = new FormulaTokens(text);
            for (; tokens.kind() != FormulaTokens.Kind.END; tokens.advance()) {
                if (++count > MOST_TOKENS) {
                    throw text.invalid(
                            tokens.offset(),
                            "the formulas of a model have more than " + MOST_TOKENS + " numbers, names and symbols");
                }
            }
        }
    }

    /** Takes away formulas that depend on nothing that is left, until none are left; what stays depends on itself. */
    private static void refuseCircles(List<FormulaText> texts, List<TreeSet<Integer>> uses) {
        TreeSet<Integer> left = new TreeSet<>();
        for (int i = 0; i < texts.size(); i++) {
            left.add(i);
        }
        boolean removed = true;
        while (removed) {
            removed = left.removeIf(i -> uses.get(i).stream().noneMatch(left::contains));
        }
        if (!left.isEmpty()) {
            throw texts.get(left.first()).invalid(0, "the value depends on itself");
        }
    }
}
