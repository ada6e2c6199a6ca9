// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The operators by whose work the time of the devices is explained: outermost ones that have a model, operators whose
 * work follows from the forward operator that they are the backward of, and operators that launch and hold no such
 * operator. What none of them launched stands alone, as the rest of the operator or call that launched it. Every activity
 * with a known launch belongs to exactly one, unless rules leave communication out.
 */
final class PerfEvents {
    /** By these definitions. */
    record Key(WorkRules rules) implements Derived<PerfEvents> {
        @Override
        public PerfEvents derive(Trace trace, DerivedCache cache) {
            return new PerfEvents(trace, cache, rules);
        }
    }

    /** How many calls or Python frames may stand between an operator and what it launches itself. */
    private static final int LAUNCH_DEPTH = 10;

    private final WorkRules rules;
    private final Trace trace;
    private final Slices slices;
    private final CallTree tree;
    private final SubtreeActivity activity;
    private final AutogradLinks autograd;
    private final DeviceActivity classes;
    private final LaunchLinks links;
    private final Works works;

    private final BitSet launchers = new BitSet();
    private final int[] modelledBefore;
    private final LongIntMap mainOperators = new LongIntMap(64);
    private final BitSet covered = new BitSet();

    private final IntList op = new IntList(256);
    private final IntList forward = new IntList(256);
    private final IntList rest = new IntList(256);
    private final int wholeOperators;

    private PerfEvents(Trace trace, DerivedCache cache, WorkRules rules) {
        this.rules = rules;
        this.trace = trace;
        slices = trace.slices();
        tree = cache.get(rules.base().tree());
        activity = cache.get(rules.activity());
        autograd = cache.get(rules.autograd());
        classes = cache.get(new DeviceActivity.Key(rules.base().kernels(), null));
        links = cache.get(new LaunchLinks.Key(rules.base().links()));
        works = cache.get(new Works.Key(rules));
        modelledBefore = new int[tree.size() + 1];
        findLaunchers();
        countModelled();
        walkRoots();
        wholeOperators = op.size();
        addRest();
    }

    int size() {
        return op.size();
    }

    /** The operator's slice; of a rest, the operator or call that launched it. */
    int op(int i) {
        return op.get(i);
    }

    /** The forward operator that the work follows from, or -1. */
    int forward(int i) {
        return forward.get(i);
    }

    /** The device slice that stands alone, or -1 for a whole operator. */
    int rest(int i) {
        return rest.get(i) < 0 ? -1 : activity.activity(rest.get(i));
    }

    /** Where the activities of the event begin in {@link SubtreeActivity}. */
    int from(int i) {
        return rest.get(i) < 0 ? activity.from(op.get(i)) : rest.get(i);
    }

    /** Where they end, exclusive. */
    int to(int i) {
        return rest.get(i) < 0 ? activity.to(op.get(i)) : rest.get(i) + 1;
    }

    /** A number for the event: the place of the operator in the file; rests are numbered behind all events of the file. */
    long number(int i) {
        return i < wholeOperators ? slices.index(op.get(i)) : trace.counts().nextNumber() + i - wholeOperators;
    }

    /** The model of a whole operator, or null. */
    @Nullable
    OpModel model(int i) {
        return rest.get(i) < 0 && forward.get(i) < 0 ? works.modelOf(op.get(i)) : null;
    }

    private void findLaunchers() {
        for (int i = 0; i < activity.size(); i++) {
            int node = links.launchOf(activity.activity(i));
            for (int depth = 0; depth < LAUNCH_DEPTH && node >= 0; depth++) {
                SliceKind kind = slices.kind(node);
                if (kind == SliceKind.CPU_OP) {
                    launchers.set(node);
                    break;
                }
                if (kind == SliceKind.DRIVER_CALL && !rules.driverLaunches()) {
                    break;
                }
                node = tree.parent(node);
            }
        }
    }

    private void countModelled() {
        for (int i = 0; i < tree.size(); i++) {
            int node = tree.node(i);
            modelledBefore[i + 1] = modelledBefore[i] + (isModelled(node) ? 1 : 0);
        }
    }

    private boolean isModelled(int node) {
        return slices.kind(node) == SliceKind.CPU_OP && activity.hasAny(node) && works.modelOf(node) != null;
    }

    private boolean holdsModelled(int node) {
        return modelledBefore[tree.exit(node)] > modelledBefore[tree.enter(node) + 1];
    }

    /** Roots of the Python stack come first, then what stands outside of it. */
    private void walkRoots() {
        for (boolean python : new boolean[] {true, false}) {
            for (int i = 0; i < tree.size(); i = tree.exit(tree.node(i))) {
                int root = tree.node(i);
                if ((slices.kind(root) == SliceKind.PYTHON) == python && activity.hasAny(root)) {
                    walk(i, tree.exit(root));
                }
            }
        }
        if (!rules.fileOrder()) {
            inOrderOfStart();
        }
        for (int i = 0; i < op.size(); i++) {
            covered.set(activity.from(op.get(i)), activity.to(op.get(i)));
        }
    }

    private void walk(int from, int to) {
        int insideOperator = from;
        int i = from;
        while (i < to) {
            int node = tree.node(i);
            SliceKind kind = slices.kind(node);
            boolean descend;
            if (!activity.hasAny(node)) {
                descend = false;
            } else if (kind == SliceKind.CPU_OP) {
                descend = !take(node);
                insideOperator = descend ? Math.max(insideOperator, tree.exit(node)) : insideOperator;
            } else {
                descend = kind == SliceKind.PYTHON || i >= insideOperator;
            }
            i = descend ? i + 1 : tree.exit(node);
        }
    }

    /** Whether nothing inside the operator is to be looked at; it is an event then, unless it communicates. */
    private boolean take(int node) {
        if (works.modelOf(node) != null) {
            add(node, works.lacks(node) ? soleForward(node) : -1, -1);
            return true;
        }
        if (holdsModelled(node)) {
            return false;
        }
        int from = rules.backward() ? soleForward(node) : -1;
        if (from >= 0) {
            add(node, from, -1);
            return true;
        }
        if (!launchers.get(node)) {
            return false;
        }
        if (rules.base().collectivesAsOps() || !communicates(node)) {
            add(node, -1, -1);
        }
        return true;
    }

    /** The forward operator whose backward this operator does alone, or -1. */
    private int soleForward(int node) {
        int engineNode = works.autogradNode(node);
        if (engineNode < 0) {
            return -1;
        }
        int origin = autograd.forwardOf(engineNode);
        OpModel model = slices.kind(origin) == SliceKind.CPU_OP ? works.modelOf(origin) : null;
        return model != null
                        && model.backwardCategory() != null
                        && mainOperators(engineNode) == 1
                        && works.backward(origin).work() != null
                ? origin
                : -1;
    }

    /** How many operators below a node of the autograd engine launch work and have the name that the node states. */
    private int mainOperators(int engineNode) {
        int known = mainOperators.get(engineNode);
        if (known >= 0) {
            return known;
        }
        String name = trace.name(engineNode);
        int colon = name.indexOf(": ");
        int main = colon < 0 ? -1 : trace.strings().find(name.substring(colon + 2));
        int count = 0;
        for (int i = tree.enter(engineNode) + 1; i < tree.exit(engineNode); i++) {
            int inner = tree.node(i);
            if (slices.kind(inner) == SliceKind.CPU_OP
                    && activity.hasAny(inner)
                    && (colon < 0 || slices.name(inner) == main)) {
                count++;
            }
        }
        mainOperators.put(engineNode, count);
        return count;
    }

    private boolean communicates(int node) {
        for (int i = activity.from(node); i < activity.to(node); i++) {
            if (classes.classOf(activity.activity(i)) == KernelClass.COMMUNICATION) {
                return true;
            }
        }
        return false;
    }

    /** What no operator covers: first what calls outside operators launched, call by call, then what operators launched. */
    private void addRest() {
        IntList outside = new IntList(16);
        IntList inside = new IntList(16);
        for (int i = covered.nextClearBit(0); i < activity.size(); i = covered.nextClearBit(i + 1)) {
            int slice = activity.activity(i);
            if (rules.base().collectivesAsOps() || classes.classOf(slice) != KernelClass.COMMUNICATION) {
                (operatorOf(slice) < 0 ? outside : inside).add(i);
            }
        }
        for (int place : ordered(outside, true)) {
            add(links.launchOf(activity.activity(place)), -1, place);
        }
        for (int place : ordered(inside, false)) {
            add(operatorOf(activity.activity(place)), -1, place);
        }
    }

    private int operatorOf(int deviceSlice) {
        int node = links.launchOf(deviceSlice);
        while (node >= 0 && slices.kind(node) != SliceKind.CPU_OP) {
            node = tree.parent(node);
        }
        return node;
    }

    /** By the order that the rules want; what one call launched stays together if wished. */
    private int[] ordered(IntList places, boolean byCall) {
        int[] order = places.toArray();
        long[] keys = new long[order.length];
        for (int i = 0; i < keys.length; i++) {
            int slice = activity.activity(order[i]);
            keys[i] = rules.fileOrder() ? slices.index(slice) : slice;
        }
        LongOrder.sort(keys, order);
        if (byCall) {
            LongIntMap first = new LongIntMap(order.length);
            for (int i = 0; i < keys.length; i++) {
                int call = links.launchOf(activity.activity(order[i]));
                if (first.get(call) < 0) {
                    first.put(call, i);
                }
                keys[i] = first.get(call);
            }
            LongOrder.sort(keys, order);
        }
        return order;
    }

    private void inOrderOfStart() {
        int[] order = new int[op.size()];
        long[] rows = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            rows[i] = op.get(i);
        }
        LongOrder.sort(rows, order);
        int[] ops = op.toArray();
        int[] origins = forward.toArray();
        for (int i = 0; i < order.length; i++) {
            op.set(i, ops[order[i]]);
            forward.set(i, origins[order[i]]);
        }
    }

    private void add(int slice, int origin, int place) {
        op.add(slice);
        forward.add(origin);
        rest.add(place);
    }
}
