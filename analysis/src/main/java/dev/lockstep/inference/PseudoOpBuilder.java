// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.Grafts.Role;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The trace that rules look at, and what they add to it. They see the trace as it was before any of them. */
final class PseudoOpBuilder {
    private final Trace trace;
    private final Slices slices;
    private final DerivedCache cache;
    private final CallTree.Key treeKey;
    private final LaunchRule rule;
    private final Role step;
    private final Map<Integer, Integer> newNames = new HashMap<>();
    private @Nullable TraceBuilder builder;
    private long nextEvent = -1;

    PseudoOpBuilder(Trace trace, CallTree.Key tree, LaunchRule rule, Additions additions) {
        this.trace = trace;
        this.slices = trace.slices();
        this.cache = new DerivedCache(trace);
        this.treeKey = tree;
        this.rule = rule;
        this.step = additions == Additions.BESIDE ? Role.ADDED_VIEW : Role.ADDED;
    }

    Trace trace() {
        return trace;
    }

    CallTree tree() {
        return cache.get(treeKey);
    }

    LaunchLinks links() {
        return cache.get(new LaunchLinks.Key(rule));
    }

    /** Whether any text of the trace reads so. */
    boolean mentions(String name) {
        return trace.strings().find(name) >= 0;
    }

    /** The slices of a kind with this name, by event number. */
    int[] named(SliceKind kind, String name) {
        int id = trace.strings().find(name);
        return id < 0 ? new int[0] : select(kind, candidate -> candidate == id);
    }

    /** The slices of a kind whose names pass a test, by event number. */
    int[] matching(SliceKind kind, Predicate<String> test) {
        byte[] known = new byte[trace.strings().size()];
        return select(kind, id -> {
            if (known[id] == 0) {
                known[id] = (byte) (test.test(trace.strings().get(id)) ? 1 : 2);
            }
            return known[id] == 1;
        });
    }

    private int[] select(SliceKind kind, IntPredicate name) {
        IntList found = new IntList(64);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == kind && name.test(slices.name(i))) {
                found.add(i);
            }
        }
        int[] rows = found.toArray();
        long[] places = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            places[i] = slices.index(rows[i]);
        }
        LongOrder.sort(places, rows);
        return rows;
    }

    /** Device activity below a node, in order of start. */
    int[] activities(int node) {
        SubtreeActivity below = cache.get(new SubtreeActivity.Key(treeKey, rule));
        IntList found = new IntList(16);
        for (int i = below.from(node); i < below.to(node); i++) {
            found.add(below.activity(i));
        }
        int[] rows = found.toArray();
        Arrays.sort(rows);
        return rows;
    }

    /** The nearest node above with this name, or -1. */
    int above(int node, String name) {
        int id = trace.strings().find(name);
        int at = id < 0 ? -1 : tree().parent(node);
        while (at >= 0 && slices.name(at) != id) {
            at = tree().parent(at);
        }
        return at;
    }

    /** The first node below, by event number, among these; -1 when none is below. */
    int firstBelow(int node, int[] candidates) {
        CallTree tree = tree();
        int best = -1;
        for (int candidate : candidates) {
            boolean inside = tree.isMember(candidate)
                    && tree.enter(candidate) > tree.enter(node)
                    && tree.enter(candidate) < tree.exit(node);
            if (inside && (best < 0 || slices.ts(candidate) < slices.ts(best))) {
                best = candidate;
            }
        }
        return best;
    }

    /** The text of one argument list of an operator, or null. */
    @Nullable
    String arguments(int op, int column) {
        OpDetails details = trace.view(OpDetails.KEY);
        int row = details == null ? -1 : details.of(op);
        if (details == null || row < 0) {
            return null;
        }
        int id = switch (column) {
            case OpDetails.INPUT_DIMS -> details.inputDims(row);
            case OpDetails.INPUT_TYPES -> details.inputTypes(row);
            case OpDetails.CONCRETE_INPUTS -> details.concreteInputs(row);
            default -> throw new IllegalArgumentException("column " + column);
        };
        return trace.strings().orNull(id);
    }

    /** Gives all slices with a name another one. */
    void rename(String from, String to) {
        newNames.put(trace.strings().find(from), builder().strings().intern(to));
    }

    /** Adds an operator around the call that launched an activity, and nothing else. */
    void isolate(int activity, String name, int donor, String hints) {
        int call = links().launchOf(activity);
        int parent = call < 0 ? -1 : tree().parent(call);
        if (parent >= 0) {
            move(call, adopt(add(name, parent, parent, step, hints), donor));
        }
    }

    /** Adds an operator into a node that takes over all of its children. */
    void wrap(int node, String name, int donor, String hints) {
        CallTree tree = tree();
        long event = adopt(add(name, node, node, Role.ADDED, hints), donor);
        for (int i = tree.enter(node) + 1; i < tree.exit(node); i = tree.exit(tree.node(i))) {
            move(tree.node(i), event);
        }
    }

    /** Adds an operator between a node and its parent. */
    void enclose(int node, String name, int donor, String hints) {
        int parent = tree().parent(node);
        if (parent >= 0) {
            move(node, adopt(add(name, parent, node, Role.ADDED, hints), donor));
        }
    }

    /** Notes something about an operator that stays where it is. */
    void note(int op, String hints) {
        DetailRows rows = move(op, tree().parent(op) < 0 ? -1 : slices.index(tree().parent(op)));
        rows.text(Grafts.HINTS, builder().strings().intern(hints));
    }

    Trace build() {
        if (builder == null) {
            return trace;
        }
        newNames.forEach(builder::rename);
        builder.counts().addNumbers(nextEvent - trace.counts().nextNumber());
        return builder.build(trace.info());
    }

    /** Adds an operator below a node, with the times of another; returns its slice. */
    private int add(String name, int parent, int timed, Role role, String hints) {
        TraceBuilder target = builder();
        int nameId = target.strings().intern(name);
        int op = target.slice(slices.ts(timed), slices.dur(timed), nameId, slices.track(parent), SliceKind.CPU_OP);
        target.source(op, target.strings().intern("cpu_op"), (int) nextEvent++);
        DetailRows place = target.details(Grafts.KEY);
        place.add(op);
        place.number(Grafts.PARENT, slices.index(parent));
        place.number(Grafts.ROLE, role.ordinal());
        place.text(Grafts.HINTS, hints.isEmpty() ? -1 : target.strings().intern(hints));
        return op;
    }

    /** Gives an added operator the arguments of another; returns its place among all events. */
    private long adopt(int op, int donor) {
        OpDetails details = trace.view(OpDetails.KEY);
        int row = details == null ? -1 : details.of(donor);
        if (details != null && row >= 0) {
            DetailRows rows = builder().details(OpDetails.KEY);
            rows.add(op);
            rows.text(OpDetails.INPUT_DIMS, details.inputDims(row));
            rows.text(OpDetails.INPUT_TYPES, details.inputTypes(row));
            rows.text(OpDetails.INPUT_STRIDES, details.inputStrides(row));
            rows.text(OpDetails.CONCRETE_INPUTS, details.concreteInputs(row));
        }
        return builder().index(op);
    }

    private DetailRows move(int node, long parentEvent) {
        Grafts known = trace.view(Grafts.KEY);
        int row = known == null ? -1 : known.of(node);
        DetailRows rows = builder().details(Grafts.KEY);
        rows.add(node);
        rows.number(Grafts.PARENT, parentEvent);
        rows.number(Grafts.ROLE, (known == null || row < 0 ? Role.MOVED : known.role(row)).ordinal());
        return rows;
    }

    private TraceBuilder builder() {
        TraceBuilder known = builder;
        if (known == null) {
            known = TraceBuilder.continuing(trace);
            builder = known;
            nextEvent = trace.counts().nextNumber();
        }
        return known;
    }
}
