// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Launchers;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Launchers with their times and categories, and the operator that stands for each kernel. */
final class Operators {
    /** By these definitions. */
    record Key(AnalysisRules rules) implements Derived<Operators> {
        @Override
        public Operators derive(Trace trace, DerivedCache cache) {
            return new Operators(trace, cache, rules);
        }
    }

    private final Trace trace;
    private final AnalysisRules rules;
    private final Launchers launchers;
    private final CallTree tree;
    private final LaunchLinks links;
    private final List<String> categories = new ArrayList<>();
    private final int[] category;
    private final long[] direct;
    private final long[] subtree;
    private final Map<String, String> categoryByName = new HashMap<>();

    private Operators(Trace trace, DerivedCache cache, AnalysisRules rules) {
        this.trace = trace;
        this.rules = rules;
        launchers = cache.get(rules.launchers());
        tree = cache.get(rules.tree());
        links = cache.get(new LaunchLinks.Key(rules.links()));
        Slices slices = trace.slices();
        int n = launchers.size();
        category = new int[n];
        direct = new long[n];
        subtree = launchers.subtreeBusy(slices);
        LongIntMap known = new LongIntMap(256);
        for (int i = 0; i < n; i++) {
            int op = slices.name(launchers.slice(i));
            int kernel = slices.name(launchers.activity(i, 0));
            int alike = known.get((long) op << 32 | kernel);
            if (alike < 0) {
                known.put((long) op << 32 | kernel, i);
                category[i] = categoryId(rules.categories()
                        .of(trace.strings().get(op), trace.strings().get(kernel)));
            } else {
                category[i] = category[alike];
            }
            direct[i] = launchers.directBusy(slices, i);
        }
    }

    int size() {
        return category.length;
    }

    int slice(int i) {
        return launchers.slice(i);
    }

    Launchers launchers() {
        return launchers;
    }

    /** Index of the operator's category in {@link #categories}. */
    int category(int i) {
        return category[i];
    }

    /** The categories that occur. */
    List<String> categories() {
        return categories;
    }

    /** Time in ns in which any of the operator's own activities ran. */
    long direct(int i) {
        return direct[i];
    }

    /** Time in ns in which any activity below the operator ran. */
    long subtree(int i) {
        return subtree[i];
    }

    /** The slice of the operator nearest to the launch of a device activity; the call itself, or -1, where there is none. */
    int parentOf(int deviceSlice) {
        int call = links.launchOf(deviceSlice);
        for (int node = call; node >= 0; node = tree.parent(node)) {
            if (trace.slices().kind(node) == SliceKind.CPU_OP) {
                return node;
            }
        }
        return call;
    }

    /** The category of what {@link #parentOf} returns; null for -1. */
    @Nullable
    String categoryOfParent(int slice) {
        if (slice < 0) {
            return null;
        }
        String name = trace.name(slice);
        if (trace.slices().kind(slice) != SliceKind.CPU_OP) {
            String lower = name.toLowerCase(Locale.ROOT);
            return lower.contains("cudagraph") || lower.contains("graphlaunch") ? "graph" : "runtime";
        }
        int number = launchers.indexOf(slice);
        return number >= 0
                ? categories.get(category[number])
                : categoryByName.computeIfAbsent(name, n -> rules.categories().of(n, null));
    }

    private int categoryId(String name) {
        int known = categories.indexOf(name);
        if (known < 0) {
            categories.add(name);
        }
        return known < 0 ? categories.size() - 1 : known;
    }
}
