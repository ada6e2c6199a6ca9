// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The forward operators of nodes that functions in C++ made ({@code CppNode<...>}). Such an operator carries no number
 * where the framework's dispatcher has no differentiable version of it, as the lookups of FBGEMM.
 *
 * <p>Autograd numbers nodes as they are made, and other operators carry the number of the next node. Between two of them
 * the nodes from the number of the first up to that of the second were made. Where exactly one of these fits an operator
 * that ran between them, and exactly one such operator fits it, they belong together; else nothing is known.
 */
final class CustomFunctions {
    private static final String NODE = "autograd::engine::evaluate_function: torch::autograd::CppNode<";
    private static final String ATEN = "aten::";
    private static final int LEAST_LETTERS = 4;
    private static final int NONE = -1;
    private static final int SEVERAL = -2;

    /** What ran on a thread since the last operator with a number. */
    private static final class Window {
        private long number = NONE;
        private final IntList ops = new IntList(4);
    }

    private final Trace trace;
    private final Slices slices;
    private final CallTree tree;
    private final NavigableMap<Long, Integer> nodes = new TreeMap<>();
    private final Map<Integer, Integer> forward = new TreeMap<>();

    CustomFunctions(Trace trace, OpDetails details, CallTree tree) {
        this.trace = trace;
        this.slices = trace.slices();
        this.tree = tree;
        findNodes(details);
        if (!nodes.isEmpty()) {
            walk(details);
        }
    }

    /** The nodes, by their numbers. */
    Iterable<Integer> nodes() {
        return forward.keySet();
    }

    boolean isNode(int slice) {
        return forward.containsKey(slice);
    }

    /**
     * The forward operator of a node, or -1.
     *
     * @param numbered the operator that carries the node's number, or -1; it made the node if it fits
     */
    int forwardOf(int node, int numbered) {
        int found = forward.getOrDefault(node, NONE);
        return found == NONE && numbered >= 0 && fits(numbered, node) ? numbered : Math.max(NONE, found);
    }

    private void findNodes(OpDetails details) {
        byte[] known = new byte[trace.strings().size()];
        for (int row = 0; row < details.size(); row++) {
            int slice = details.slice(row);
            if (details.sequence(row) < 0) {
                continue;
            }
            int name = slices.name(slice);
            if (known[name] == 0) {
                known[name] = (byte) (trace.name(slice).startsWith(NODE) ? 1 : 2);
            }
            if (known[name] == 1) {
                nodes.merge(details.sequence(row), slice, (a, b) -> SEVERAL);
                forward.put(slice, NONE);
            }
        }
    }

    private void walk(OpDetails details) {
        Window[] windows = new Window[trace.tracks().size()];
        Arrays.setAll(windows, i -> new Window());
        byte[] custom = new byte[trace.strings().size()];
        for (int slice = 0; slice < slices.size(); slice++) {
            if (slices.kind(slice) == SliceKind.CPU_OP && tree.isMember(slice)) {
                Window window = windows[slices.track(slice)];
                int row = details.of(slice);
                long number = row < 0 ? NONE : details.sequence(row);
                if (number >= 0) {
                    close(window, number);
                    window.number = number;
                } else if (isCustom(custom, slices.name(slice))) {
                    window.ops.add(slice);
                }
            }
        }
        for (Window window : windows) {
            close(window, Long.MAX_VALUE);
        }
    }

    /** Whether the operator is none of ATen's, by what is known of names: 1 for yes, 2 for no. */
    private boolean isCustom(byte[] known, int name) {
        if (known[name] == 0) {
            String text = trace.strings().get(name);
            known[name] = (byte) (text.contains("::") && !text.startsWith(ATEN) ? 1 : 2);
        }
        return known[name] == 1;
    }

    /** @param next the number of the next operator that carries one */
    private void close(Window window, long next) {
        if (window.ops.size() > 0 && window.number >= 0 && window.number < next) {
            NavigableMap<Long, Integer> made = nodes.subMap(window.number, true, next, false);
            for (int node : made.values()) {
                int op = node < 0 ? NONE : sole(window.ops, node);
                if (op != NONE) {
                    boolean only = op >= 0
                            && made.values().stream()
                                            .filter(n -> n < 0 || fits(op, n))
                                            .count()
                                    == 1;
                    forward.merge(node, only ? op : SEVERAL, (before, now) -> before == NONE ? now : SEVERAL);
                }
            }
        }
        window.ops.clear();
    }

    /** The only one of the operators that fits the node, with what it calls; -1 for none, -2 for several. */
    private int sole(IntList ops, int node) {
        int found = NONE;
        for (int i = 0; i < ops.size(); i++) {
            int op = ops.get(i);
            boolean inside = found >= 0 && slices.ts(op) < slices.end(found);
            if (!inside && fits(op, node)) {
                found = found == NONE ? op : SEVERAL;
            }
        }
        return found;
    }

    private boolean fits(int op, int node) {
        return slices.track(op) != slices.track(node)
                && slices.ts(op) < slices.ts(node)
                && fits(trace.name(op), trace.name(node).substring(NODE.length()));
    }

    /**
     * Whether an operator may be called so whose function is called so: {@code permute_pooled_embs_auto_grad} and
     * {@code PermutePooledEmbsFunction}. Lookups are called after their optimizers, too.
     */
    static boolean fits(String op, String function) {
        int space = op.indexOf("::");
        if (space < 0 || op.startsWith(ATEN)) {
            return false;
        }
        if (function.contains("LookupFunction")) {
            return op.contains("embedding") && op.contains("_lookup_");
        }
        String plain = function.split("[<>]", 2)[0];
        String a = letters(op.substring(space));
        String b = letters(plain.substring(plain.lastIndexOf(':') + 1).replace("Function", ""));
        return Math.min(a.length(), b.length()) >= LEAST_LETTERS && (a.contains(b) || b.contains(a));
    }

    private static String letters(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }
}
