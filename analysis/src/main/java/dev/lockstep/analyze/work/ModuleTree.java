// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.ModuleFrames;
import dev.lockstep.model.ModuleDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The modules of the network as they call each other, and to which of them each operator, call and frame belongs. A place
 * in the tree is a way of instances from the outermost module inwards; calls by the same way are one place. What runs inside
 * a node of the autograd engine belongs to the module of the forward operator that the node is the backward of, and so do
 * modules that are called again there, as activation checkpointing does.
 */
final class ModuleTree {
    /** By these definitions; Python frames are looked at in any case. */
    record Key(AnalysisRules rules) implements Derived<ModuleTree> {
        @Override
        public ModuleTree derive(Trace trace, DerivedCache cache) {
            return new ModuleTree(trace, cache, rules.withPython(true));
        }
    }

    /** The place of what belongs to no module. */
    static final int OUTSIDE = 0;

    /** Modules that are nested deeper belong to the one at this depth. */
    private static final int MOST_DEPTH = 100;

    /** A call in the hierarchy that the profiler notes for TorchScript, as in {@code fc1(Linear)::forward}. */
    private static final Pattern CALL = Pattern.compile("([^.()]{0,128}+)(\\([^()]{0,128}+\\))::");

    private static final Pattern INSTANCE = Pattern.compile("_\\d+$");

    /** The name of an instance in its own methods. */
    private static final String SELF = "SELF";

    private final Trace trace;
    private final LongIntMap inner = new LongIntMap(64);
    private final IntList parents = new IntList(64);
    private final IntList names = new IntList(64);
    private final IntList depths = new IntList(64);
    private final BitSet called = new BitSet();
    private int[] placeOf = new int[0];
    private final BitSet backward = new BitSet();
    private final BitSet calls = new BitSet();
    /** Names that are parts of texts of the trace; they are numbered behind those. */
    private final StringPool parts = new StringPool();

    private final @Nullable ModuleDetails recorded;
    private final Map<Integer, Integer> placeOfHierarchy = new HashMap<>();

    private ModuleTree(Trace trace, DerivedCache cache, AnalysisRules rules) {
        this.trace = trace;
        parents.add(-1);
        names.add(-1);
        depths.add(-1);
        ModuleFrames frames = new ModuleFrames(trace);
        boolean called = frames.isAny();
        recorded = called ? null : trace.view(ModuleDetails.KEY);
        if (!called && recorded == null) {
            return;
        }
        CallTree tree = cache.get(rules.tree());
        AutogradLinks autograd = cache.get(new AutogradLinks.Key(rules.tree()));
        int[] first = new int[trace.slices().size()];
        placeOf = new int[first.length];
        if (!autograd.isEmpty()) {
            // Forward operators may stand behind their backward nodes in the walk, hence they are placed once before.
            place(tree, frames, slice -> -1, first);
            backward.clear();
            this.called.clear();
        }
        place(
                tree,
                frames,
                node -> {
                    int forward = autograd.forwardOf(node);
                    return forward < 0
                            ? -1
                            : tree.enter(forward) < tree.enter(node) ? placeOf[forward] : first[forward];
                },
                placeOf);
    }

    /** Whether the trace tells of modules: by frames of Python, or by operators of TorchScript that name them. */
    static boolean isAny(Trace trace) {
        ModuleDetails details = trace.view(ModuleDetails.KEY);
        return details != null && details.size() > 0 || new ModuleFrames(trace).isAny();
    }

    /** @param origin the place of the forward operator of a node of the autograd engine, -1 for all else */
    private void place(CallTree tree, ModuleFrames frames, IntUnaryOperator origin, int[] places) {
        BitSet calledAgain = new BitSet();
        for (int i = 0; i < tree.size(); i++) {
            int node = tree.node(i);
            int above = tree.parent(node);
            int place = above < 0 ? OUTSIDE : places[above];
            int from = origin.applyAsInt(node);
            if (from > OUTSIDE) {
                place = from;
                backward.set(node);
            } else if (above >= 0 && backward.get(above)) {
                backward.set(node);
            }
            boolean again = from > OUTSIDE || above >= 0 && calledAgain.get(above);
            if (frames.isModule(node)) {
                int name = trace.slices().name(node);
                place = inner(again ? caller(place, name) : place, name);
                again = false;
                calls.set(node);
                called.set(place);
            }
            int row = recorded == null ? -1 : recorded.of(node);
            if (recorded != null && row >= 0 && recorded.hierarchy(row) >= 0) {
                place = inHierarchy(recorded.hierarchy(row));
            }
            calledAgain.set(node, again);
            places[node] = place;
        }
    }

    /** The place that a noted hierarchy names; methods of a module, and functions of none, belong to the module around. */
    private int inHierarchy(int text) {
        int place = placeOfHierarchy.getOrDefault(text, OUTSIDE);
        if (place == OUTSIDE) {
            Matcher call = CALL.matcher(trace.strings().get(text));
            while (call.find()) {
                if (!call.group(1).equals(SELF)) {
                    place = inner(place, trace.strings().size() + parts.intern(call.group(1) + call.group(2)));
                }
            }
            placeOfHierarchy.put(text, place);
        }
        for (int around = place; around > OUTSIDE; around = parents.get(around)) {
            called.set(around);
        }
        return place;
    }

    /** Whether calls are told apart, so that they can be counted. */
    boolean knowsCalls() {
        return recorded == null;
    }

    private int inner(int place, int name) {
        if (depths.get(place) == MOST_DEPTH) {
            return place;
        }
        int known = inner.get(key(place, name));
        if (known < 0) {
            known = parents.size();
            inner.put(key(place, name), known);
            parents.add(place);
            names.add(name);
            depths.add(depths.get(place) + 1);
        }
        return known;
    }

    /**
     * Where a module that is called again in the backward pass was called before: the innermost place around that calls it.
     * Checkpointing calls it from within the node that first needs what it has to give.
     */
    private int caller(int place, int name) {
        for (int around = place; around >= OUTSIDE; around = parents.get(around)) {
            if (inner.get(key(around, name)) >= 0) {
                return around;
            }
        }
        return place;
    }

    private static long key(int place, int name) {
        return (long) place << Integer.SIZE | name;
    }

    /** Number of places, {@link #OUTSIDE} among them; those of callers are smaller than those of whom they call. */
    int size() {
        return parents.size();
    }

    /** The place around, {@link #OUTSIDE} around the outermost, -1 around that. */
    int parent(int place) {
        return parents.get(place);
    }

    /** What the module of a place is called, as in {@code Linear_3}, or {@code fc1(Linear)} in TorchScript. */
    String name(int place) {
        int name = names.get(place);
        if (name >= trace.strings().size()) {
            return parts.get(name - trace.strings().size());
        }
        return trace.strings().get(name).substring(ModuleFrames.PREFIX.length()).strip();
    }

    /** The class of the module of a place. */
    String kind(int place) {
        String name = name(place);
        boolean ofHierarchy = names.get(place) >= trace.strings().size();
        return ofHierarchy
                ? name.substring(name.indexOf('(') + 1, name.length() - 1)
                : INSTANCE.matcher(name).replaceFirst("");
    }

    /** The names of all modules around a place and of itself, from the outermost inwards. */
    String path(int place) {
        return parents.get(place) == OUTSIDE ? name(place) : path(parents.get(place)) + "/" + name(place);
    }

    /** How many modules are around. */
    int depth(int place) {
        return depths.get(place);
    }

    /** All places that were called, each before those inside it, neighbours in order of their first calls. */
    int[] inOrder() {
        int[] firstInner = new int[size()];
        int[] next = new int[size()];
        Arrays.fill(firstInner, -1);
        for (int place = size() - 1; place > OUTSIDE; place--) {
            next[place] = firstInner[parents.get(place)];
            firstInner[parents.get(place)] = place;
        }
        IntList order = new IntList(size());
        int[] open = new int[MOST_DEPTH + 2];
        int depth = 0;
        open[0] = firstInner[OUTSIDE];
        while (depth >= 0) {
            int place = open[depth];
            if (place < 0) {
                depth--;
                continue;
            }
            if (called.get(place)) {
                order.add(place);
            }
            open[depth] = next[place];
            open[++depth] = firstInner[place];
        }
        return order.toArray();
    }

    /** The place that a slice of the host belongs to. */
    int placeOf(int slice) {
        return placeOf.length == 0 ? OUTSIDE : placeOf[slice];
    }

    /** Whether the slice is part of the backward pass of its place. */
    boolean isBackward(int slice) {
        return backward.get(slice);
    }

    /** Whether the slice is the call of a module. */
    boolean isCall(int slice) {
        return calls.get(slice);
    }
}
