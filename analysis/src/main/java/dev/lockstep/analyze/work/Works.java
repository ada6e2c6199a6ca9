// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.AnnotationRule;
import dev.lockstep.derive.AnnotationScopes;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Iterations;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.Grafts.Role;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.perfmodel.NotModelled;
import dev.lockstep.perfmodel.OpCall;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.perfmodel.Roofline;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The work of operators. Models are asked once for all calls that are alike. */
final class Works {
    /** By these definitions. */
    record Key(WorkRules rules) implements Derived<Works> {
        @Override
        public Works derive(Trace trace, DerivedCache cache) {
            return new Works(trace, cache, rules);
        }
    }

    /**
     * What a model says of a call.
     *
     * @param work null when it is not known
     * @param reason why it is not known, or null
     * @param roofline the least time for the work on the device, null when there is none
     */
    record Outcome(
            @Nullable Work work,
            @Nullable NotModelled reason,
            @Nullable Roofline roofline) {
        /** Whether the model has no formulas for this direction at all. */
        boolean notImplemented() {
            return reason != null && reason.kind() == NotModelled.Kind.NOT_IMPLEMENTED;
        }
    }

    /** Calls that are alike. */
    private static final class Alike {
        private final int number;
        private final OpModel model;
        private final OpCall call;
        private final boolean accepted;
        private @Nullable Outcome forward;
        private @Nullable Outcome backward;

        private Alike(int number, OpModel model, OpCall call) {
            this.number = number;
            this.model = model;
            this.call = call;
            this.accepted = model.accepts(call);
        }
    }

    /** How far above an operator the node of the autograd engine may stand. */
    private static final int AUTOGRAD_DEPTH = 5;

    /** Operators that stand inside of so many with models have none themselves, so that the work grows with the trace. */
    private static final int MOST_DEPTH = 100;

    private final Trace trace;
    private final Slices slices;
    private final WorkRules rules;
    private final @Nullable OpDetails details;
    private final @Nullable Grafts grafts;
    private final @Nullable Iterations iterations;
    private final @Nullable AnnotationScopes scopes;
    private final SubtreeActivity activity;
    private final CallTree tree;
    private final AutogradLinks autograd;
    private final @Nullable OpModel[] modelOfName;
    private final boolean[] nameKnown;
    private final @Nullable Alike[] ofSlice;
    private final IntTuples tuples = new IntTuples();
    private final List<@Nullable Alike> alike = new ArrayList<>();
    private final BitSet tooDeep = new BitSet();

    private Works(Trace trace, DerivedCache cache, WorkRules rules) {
        this.trace = trace;
        this.slices = trace.slices();
        this.rules = rules;
        details = trace.view(OpDetails.KEY);
        grafts = trace.view(Grafts.KEY);
        iterations = rules.annotations() == AnnotationRule.ITERATION ? cache.get(new Iterations.Key()) : null;
        scopes = iterations == null ? cache.get(new AnnotationScopes.Key(true)) : null;
        activity = cache.get(rules.activity());
        tree = cache.get(rules.base().tree());
        autograd = cache.get(rules.autograd());
        modelOfName = new OpModel[trace.strings().size()];
        nameKnown = new boolean[modelOfName.length];
        ofSlice = new Alike[slices.size()];
        findTooDeep();
    }

    private void findTooDeep() {
        IntList around = new IntList(16);
        for (int i = 0; i < tree.size(); i++) {
            int node = tree.node(i);
            while (around.size() > 0 && tree.exit(around.get(around.size() - 1)) <= i) {
                around.removeLast();
            }
            if (slices.kind(node) != SliceKind.CPU_OP || modelOfName(slices.name(node)) == null) {
                continue;
            }
            if (around.size() == MOST_DEPTH) {
                tooDeep.set(node);
            } else {
                around.add(node);
            }
        }
    }

    /** Whether the operator's times are its own; those of a step of another operator are not. */
    boolean hasHostTime(int op) {
        int place = grafts == null ? -1 : grafts.of(op);
        return grafts == null || place < 0 || grafts.role(place) != Role.ADDED_VIEW;
    }

    /** The model of operators of this name, or null. */
    @Nullable
    OpModel modelOfName(int name) {
        if (!nameKnown[name]) {
            nameKnown[name] = true;
            modelOfName[name] = rules.models().of(trace.strings().get(name));
        }
        return modelOfName[name];
    }

    /** The model that knows the call, or null. */
    @Nullable
    OpModel modelOf(int op) {
        OpModel model = modelOfName(slices.name(op));
        return model == null || tooDeep.get(op) || !known(op).accepted ? null : model;
    }

    /** The work of an operator that has a model. */
    Outcome forward(int op) {
        Alike calls = known(op);
        if (calls.forward == null) {
            calls.forward = ask(calls, false);
        }
        return calls.forward;
    }

    /** The work of the backward pass of an operator that has a model. */
    Outcome backward(int op) {
        Alike calls = known(op);
        if (calls.backward == null) {
            calls.backward = ask(calls, true);
        }
        return calls.backward;
    }

    /** Whether the call of an operator that has a model recorded too little for it, so that its forward operator may tell more. */
    boolean lacks(int op) {
        return rules.thoroughLinks() && forward(op).work() == null;
    }

    /** The node of the autograd engine above the operator, or -1. */
    int autogradNode(int op) {
        if (autograd.isEmpty()) {
            return -1;
        }
        int node = op;
        for (int level = 0; level < AUTOGRAD_DEPTH && node >= 0; level++) {
            node = tree.parent(node);
            if (node >= 0 && autograd.forwardOf(node) >= 0) {
                return node;
            }
        }
        return -1;
    }

    private Alike known(int op) {
        Alike calls = ofSlice[op];
        if (calls == null) {
            OpModel model = modelOfName(slices.name(op));
            if (model == null) {
                throw new IllegalArgumentException("no model of " + trace.name(op));
            }
            calls = alike(model, op, true);
            ofSlice[op] = calls;
        }
        return calls;
    }

    private Outcome ask(Alike calls, boolean backward) {
        try {
            Work work = backward ? calls.model.backward(calls.call) : calls.model.forward(calls.call);
            return new Outcome(work, null, rules.device() == null ? null : Roofline.of(work, rules.device()));
        } catch (NotModelled e) {
            return new Outcome(null, e, null);
        }
    }

    private Alike alike(OpModel model, int op, boolean withForward) {
        int forward = -1;
        if (withForward) {
            int node = autogradNode(op);
            forward = node < 0 ? -1 : autograd.forwardOf(node);
        }
        OpInputs inputs = OpInputs.of(details, op);
        int row = details == null ? -1 : details.of(op);
        int outputs = details == null || row < 0 ? -1 : details.outputTypes(row);
        int tuple = tuples.then(IntTuples.ROOT, slices.name(op));
        tuple = tuples.then(tuple, inputs.dims());
        tuple = tuples.then(tuple, inputs.types());
        tuple = tuples.then(tuple, inputs.strides());
        tuple = tuples.then(tuple, inputs.concrete());
        tuple = tuples.then(tuple, outputs);
        int annotation = model.readsAnnotation() ? annotation(op) : -1;
        int place = grafts == null ? -1 : grafts.of(op);
        int hints = grafts == null || place < 0 ? -1 : grafts.hints(place);
        tuple = tuples.then(tuples.then(tuple, annotation), hints);
        int gradient = model.readsResults() && rules.thoroughLinks() ? gradient(op) : -1;
        OpInputs gradients = OpInputs.of(details, gradient);
        tuple = tuples.then(tuples.then(tuple, gradients.dims()), gradients.types());
        OpModel forwardModel = forward < 0 || tooDeep.get(forward) ? null : modelOfName(slices.name(forward));
        Alike before = forwardModel == null ? null : alike(forwardModel, forward, false);
        tuple = tuples.then(tuple, before == null ? -1 : before.number);
        int from = activity.from(op);
        int to = activity.to(op);
        for (int i = from; i < to; i++) {
            tuple = tuples.then(tuple, slices.name(activity.activity(i)));
        }
        while (alike.size() <= tuple) {
            alike.add(null);
        }
        Alike found = alike.get(tuple);
        if (found == null) {
            OpCall call = call(op, inputs, outputs, before)
                    .withAnnotation(trace.strings().orNull(annotation))
                    .withHints(trace.strings().orNull(hints))
                    .withGradient(gradient < 0 ? null : plainCall(gradient, gradients));
            found = new Alike(tuple, model, call);
            alike.set(tuple, found);
        }
        return found;
    }

    /** The operator that did the backward of the operator alone, as its arguments are gradients of the results, or -1. */
    private int gradient(int op) {
        int[] nodes = autograd.backwardOf(op);
        int inner = nodes.length == 1 ? tree.enter(nodes[0]) + 1 : -1;
        if (inner < 0 || inner >= tree.exit(nodes[0])) {
            return -1;
        }
        int backward = tree.node(inner);
        return trace.name(nodes[0]).endsWith(": " + trace.name(backward)) ? backward : -1;
    }

    /** Pool id of the name of the annotation that tells of the operator's iteration, or -1. */
    private int annotation(int op) {
        int slice = -1;
        if (scopes != null) {
            slice = scopes.around(op);
        } else if (iterations != null) {
            int iteration = iterations.at(slices.ts(op));
            slice = iteration < 0 ? -1 : iterations.all().get(iteration).slice();
        }
        return slice < 0 ? -1 : slices.name(slice);
    }

    private OpCall call(int op, OpInputs inputs, int outputs, @Nullable Alike before) {
        List<String> kernels = new ArrayList<>();
        for (int i = activity.from(op); i < activity.to(op); i++) {
            kernels.add(trace.name(activity.activity(i)));
        }
        return plainCall(op, inputs)
                .withOutputTypes(trace.strings().orNull(outputs))
                .withForward(before == null ? null : before.call)
                .withKernels(kernels);
    }

    private OpCall plainCall(int op, OpInputs inputs) {
        return OpCall.of(
                trace.name(op),
                trace.strings().orNull(inputs.dims()),
                trace.strings().orNull(inputs.types()),
                trace.strings().orNull(inputs.strides()),
                trace.strings().orNull(inputs.concrete()));
    }
}
