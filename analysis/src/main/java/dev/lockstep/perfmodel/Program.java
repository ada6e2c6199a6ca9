// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
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
    /** A parameter that is shown. */
    record Shown(String name, int slot) {}

    static Program of(Declaration declaration) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        declaration.names().keySet().forEach(name -> slots.put(name, slots.size()));
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
