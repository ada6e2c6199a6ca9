// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stacks, each with the time that is spent in it and in nothing above it: what flame graphs draw. Stacks that begin alike
 * share that part: each is a node below the one that it is an extension of. Grows from {@link #ROOT}, the empty stack; a
 * node's number is larger than that of the node below which it stands. At most {@link #MOST_PARTS} parts are told apart,
 * activities not counted: what is stacked higher belongs to the last of these.
 */
public final class WeightedStacks {
    /** What a part of a stack is. */
    public enum Kind {
        /** Something that holds all that follows, as a thread or a pass does. */
        GROUP,
        /** A module of the network. */
        MODULE,
        /** A frame of Python. */
        FRAME,
        /** An operator of the framework. */
        OPERATOR,
        /** A call of the vendor's library. */
        CALL,
        /** A kernel, copy or fill. */
        ACTIVITY
    }

    /** The empty stack. */
    public static final int ROOT = 0;

    /** How many parts a stack has at most, without an activity at its end. */
    public static final int MOST_PARTS = 1000;

    private final String title;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final LongIntMap known = new LongIntMap(64);
    private final IntList parent = new IntList(64);
    private final IntList name = new IntList(64);
    private final IntList depth = new IntList(64);
    private final List<Kind> kinds = new ArrayList<>();
    private final LongList own = new LongList(64);

    /**
     * No stack but the empty one.
     *
     * @param title what the time is and how stacks are cut
     */
    public WeightedStacks(String title) {
        this.title = title;
        add(-1, numberOf(""), Kind.GROUP);
    }

    /** {@return what the time is and how stacks are cut} */
    public String title() {
        return title;
    }

    /**
     * {@return the number of a name, for {@link #then(int, int, Kind)}}
     *
     * @param text a part of a stack
     */
    public int numberOf(String text) {
        Integer number = numbers.putIfAbsent(text, names.size());
        if (number == null) {
            names.add(text);
            return names.size() - 1;
        }
        return number;
    }

    /**
     * {@return the stack that a part more makes of a stack; the same where it has {@link #MOST_PARTS} parts, unless the
     * part is an activity}
     *
     * @param stack to be extended
     * @param part number of the part's name
     * @param kind of the part; where the stack is known already, it stays what it is
     */
    public int then(int stack, int part, Kind kind) {
        if (depth.get(stack) >= MOST_PARTS && kind != Kind.ACTIVITY) {
            return stack;
        }
        long key = (long) stack << Integer.SIZE | part;
        int node = known.get(key);
        if (node < 0) {
            node = add(stack, part, kind);
            known.put(key, node);
        }
        return node;
    }

    /**
     * Adds time to a stack.
     *
     * @param stack that it was spent in
     * @param ns how long; may be negative for what is found to be spent elsewhere
     */
    public void spend(int stack, long ns) {
        own.set(stack, own.get(stack) + ns);
    }

    private int add(int below, int part, Kind kind) {
        parent.add(below);
        depth.add(below < 0 ? 0 : depth.get(below) + 1);
        name.add(part);
        kinds.add(kind);
        own.add(0);
        return parent.size() - 1;
    }

    /** {@return number of stacks, the empty one among them} */
    public int size() {
        return parent.size();
    }

    /**
     * {@return the stack below, -1 below the empty one}
     *
     * @param stack a stack
     */
    public int parent(int stack) {
        return parent.get(stack);
    }

    /**
     * {@return the name of the last part}
     *
     * @param stack a stack
     */
    public String name(int stack) {
        return names.get(name.get(stack));
    }

    /**
     * {@return the number of that name}
     *
     * @param stack a stack
     */
    public int nameNumber(int stack) {
        return name.get(stack);
    }

    /** {@return all names by their numbers} */
    public List<String> names() {
        return List.copyOf(names);
    }

    /**
     * {@return what the last part is}
     *
     * @param stack a stack
     */
    public Kind kind(int stack) {
        return kinds.get(stack);
    }

    /**
     * {@return time in ns that is spent in the stack itself}
     *
     * @param stack a stack
     */
    public long own(int stack) {
        return Math.max(0, own.get(stack));
    }

    /** {@return time in ns of each stack with all that extend it} */
    public long[] whole() {
        long[] whole = new long[size()];
        for (int stack = size() - 1; stack >= 0; stack--) {
            whole[stack] += own(stack);
            if (parent(stack) >= 0) {
                whole[parent(stack)] += whole[stack];
            }
        }
        return whole;
    }

    /**
     * {@return the parts of a stack, the outermost first}
     *
     * @param stack a stack
     */
    public IntList parts(int stack) {
        IntList inwards = new IntList(16);
        for (int node = stack; node > ROOT; node = parent(node)) {
            inwards.add(node);
        }
        IntList parts = new IntList(inwards.size());
        while (inwards.size() > 0) {
            parts.add(inwards.removeLast());
        }
        return parts;
    }
}
