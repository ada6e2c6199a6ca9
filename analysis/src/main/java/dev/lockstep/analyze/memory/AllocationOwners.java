// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.IterationAnnotation;
import dev.lockstep.model.Marks;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who asked for memory and who gave it back: the innermost operator that covers the event on its own thread, from its start
 * to before its end; outside of operators the innermost annotation or frame; of events that carry a stack of their own, its
 * first frame that is neither PyTorch's nor the standard library's nor native. Immutable.
 */
public final class AllocationOwners {
    /**
     * The owners of all rows of {@link MemoryDetails}.
     *
     * @param frames how many frames of a stack name an owner, at least 1
     */
    public record Key(int frames) implements Derived<AllocationOwners> {
        @Override
        public AllocationOwners derive(Trace trace, DerivedCache cache) {
            return new AllocationOwners(trace, frames);
        }
    }

    /** What a step of training does. */
    enum Pass {
        /** Whatever is neither of the others. */
        FORWARD,
        /** Gradients are computed. */
        BACKWARD,
        /** Weights are updated, or gradients set to zero. */
        OPTIMIZER
    }

    /**
     * An owner.
     *
     * @param name of the operator, annotation or frame
     * @param module the innermost module of the network around it, null when not recorded
     * @param dims shapes of the operator's arguments, null when not recorded
     * @param line the first frame of the recorded stack outside of libraries, null when no stack was recorded or none is
     */
    public record Owner(
            String name,
            @Nullable String module,
            @Nullable String dims,
            @Nullable String line) {
        /** What sentences call it: the line of the user's own, where it is known. */
        public String said() {
            return line == null ? name : line;
        }
    }

    /** The owner of what lies in nothing that was recorded. */
    public static final String OUTSIDE = "(outside of operators)";

    private static final String MODULE = "nn.Module: ";
    private static final Pattern BACKWARD = Pattern.compile("autograd::engine::evaluate_function.*|.*Backward\\d*");
    private static final Pattern OPTIMIZER = Pattern.compile("Optimizer\\.(step|zero_grad)#.*");
    private static final int KNOWN = 1;
    private static final Pass[] PASSES = Pass.values();

    /** What a name is, beside the pass that it tells: nothing known yet, or these bits. */
    private static final byte SEEN = 1;

    private static final byte MARKS_STEP = 2;
    private static final byte NAMES_MODULE = 4;

    private final Trace trace;
    private final int depth;
    private final Slices slices;
    private final @Nullable OpDetails operators;
    private final int[] owner;
    private final int[] operator;
    private final int[] inside;
    private final Pass[] pass;
    private final List<Owner> owners = new ArrayList<>();
    private final Map<Owner, Integer> numbers = new HashMap<>();

    /** What makes an owner: names and shapes of operators; names, below 0, and kinds of what else lies around; names of modules. */
    private final IntTuples surroundings = new IntTuples();

    private final LongIntMap numberOf = new LongIntMap(64);
    private final Map<Integer, StackOwner> byStack = new HashMap<>();
    private final byte[] passOfName;
    private final byte[] isName;
    private final boolean[] isOperator;

    private AllocationOwners(Trace trace, int frames) {
        this.trace = trace;
        this.depth = frames;
        this.slices = trace.slices();
        this.operators = trace.view(OpDetails.KEY);
        MemoryDetails memory = trace.view(MemoryDetails.KEY);
        int n = memory == null ? 0 : memory.size();
        owner = new int[n];
        operator = new int[n];
        inside = new int[n];
        pass = new Pass[n];
        Arrays.fill(operator, -1);
        Arrays.fill(inside, -1);
        passOfName = new byte[trace.strings().size()];
        isName = new byte[passOfName.length];
        isOperator = new boolean[passOfName.length];
        if (memory != null) {
            walk(memory);
        }
    }

    /** Who is behind an event. */
    public Owner of(int row) {
        return owners.get(owner[row]);
    }

    /** The number of the owner behind an event, below {@link #count}. */
    int number(int row) {
        return owner[row];
    }

    /** Number of owners. */
    int count() {
        return owners.size();
    }

    /** The owner with this number. */
    Owner owner(int number) {
        return owners.get(number);
    }

    /** The operator in which the event lies: row in {@link Slices}, -1 for none. */
    int operator(int row) {
        return operator[row];
    }

    /** The innermost operator or Python frame in which the event lies: row in {@link Slices}, -1 for none. */
    public int inside(int row) {
        return inside[row];
    }

    /** What the program was doing. */
    Pass pass(int row) {
        return pass[row];
    }

    /** Walks slices and events in order of time, with the slices of each thread that are open. */
    private void walk(MemoryDetails memory) {
        Marks marks = trace.marks();
        int[] rows = new int[memory.size()];
        long[] times = new long[rows.length];
        Open[] threads = new Open[trace.tracks().size()];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = row;
            times[row] = marks.ts(memory.mark(row));
            int track = marks.track(memory.mark(row));
            threads[track] = threads[track] == null ? new Open() : threads[track];
        }
        for (int i = 0; i < slices.size(); i++) {
            isOperator[slices.name(i)] |= slices.kind(i) == SliceKind.CPU_OP;
        }
        LongOrder.sort(times, rows);
        int next = 0;
        for (int i = 0; i < rows.length; i++) {
            while (next < slices.size() && slices.ts(next) <= times[i]) {
                Open open = threads[slices.track(next)];
                if (open != null && slices.dur(next) > 0) {
                    open.add(next);
                }
                next++;
            }
            int row = rows[i];
            if (memory.frames(row) >= 0 || memory.category(row) >= 0) {
                stated(memory, row);
            } else {
                around(threads[marks.track(memory.mark(row))], times[i], row);
            }
        }
    }

    /** The slices of a thread that may not have ended, by what is asked of them, each kept in the order of their starts. */
    private final class Open {
        private final IntList operators = new IntList(16);
        private final IntList calls = new IntList(16);
        private final IntList beside = new IntList(16);
        private final IntList modules = new IntList(16);
        private final IntList backward = new IntList(16);
        private final IntList optimizer = new IntList(16);

        private void add(int slice) {
            SliceKind kind = slices.kind(slice);
            boolean isCall = kind == SliceKind.CPU_OP || kind == SliceKind.PYTHON;
            if (!isCall && kind != SliceKind.ANNOTATION) {
                return;
            }
            put(calls, slice, isCall);
            put(operators, slice, kind == SliceKind.CPU_OP);
            put(beside, slice, kind != SliceKind.CPU_OP && !is(MARKS_STEP, slice));
            put(modules, slice, kind == SliceKind.PYTHON && is(NAMES_MODULE, slice));
            Pass tells = passOf(slices.name(slice));
            put(backward, slice, tells == Pass.BACKWARD);
            put(optimizer, slice, tells == Pass.OPTIMIZER);
        }

        private void put(IntList open, int slice, boolean belongs) {
            if (belongs) {
                innermost(open, slices.ts(slice));
                open.add(slice);
            }
        }

        /** The slice that began last of those that have not ended at that time, -1 for none; times do not decrease. */
        private int innermost(IntList open, long ts) {
            while (open.size() > 0 && slices.end(open.get(open.size() - 1)) <= ts) {
                open.removeLast();
            }
            return open.size() == 0 ? -1 : open.get(open.size() - 1);
        }

        private Pass pass(long ts) {
            if (innermost(optimizer, ts) >= 0) {
                return Pass.OPTIMIZER;
            }
            return innermost(backward, ts) >= 0 ? Pass.BACKWARD : Pass.FORWARD;
        }
    }

    private void around(Open open, long ts, int row) {
        int op = open.innermost(open.operators, ts);
        int named = open.innermost(open.beside, ts);
        int module = open.innermost(open.modules, ts);
        inside[row] = open.innermost(open.calls, ts);
        operator[row] = op;
        pass[row] = open.pass(ts);
        int around = IntTuples.ROOT;
        if (op >= 0) {
            around = surroundings.then(surroundings.then(around, slices.name(op)), dims(op));
        } else if (named >= 0) {
            int name = surroundings.then(around, ~slices.name(named));
            around = surroundings.then(name, slices.kind(named).ordinal());
        }
        around = surroundings.then(around, module < 0 ? -1 : slices.name(module));
        int known = numberOf.get(around);
        if (known < 0) {
            known = number(new Owner(
                    op >= 0 ? trace.name(op) : named < 0 ? OUTSIDE : besideOperators(named),
                    module < 0 ? null : trace.name(module).substring(MODULE.length()),
                    trace.strings().orNull(dims(op)),
                    null));
            numberOf.put(around, known);
        }
        owner[row] = known;
    }

    private boolean is(byte what, int slice) {
        int name = slices.name(slice);
        if (isName[name] == 0) {
            String text = trace.strings().get(name);
            isName[name] = (byte) (SEEN
                    | (Steps.number(text, null, -1) >= 0 || IterationAnnotation.parse(text) != null ? MARKS_STEP : 0)
                    | (text.startsWith(MODULE) ? NAMES_MODULE : 0));
        }
        return (isName[name] & what) != 0;
    }

    /** The name of an annotation or frame, told apart from an operator of the same name. */
    private String besideOperators(int slice) {
        String name = trace.name(slice);
        return isOperator[slices.name(slice)]
                ? name + (slices.kind(slice) == SliceKind.PYTHON ? " (frame)" : " (annotation)")
                : name;
    }

    /** The text that tells the shapes of an operator's arguments, -1 for none. */
    private int dims(int op) {
        int details = op < 0 || operators == null ? -1 : operators.of(op);
        return details < 0 || operators == null ? -1 : Math.max(-1, operators.inputDims(details));
    }

    private Pass passOf(int name) {
        if (passOfName[name] == 0) {
            String text = trace.strings().get(name);
            Pass found = OPTIMIZER.matcher(text).matches()
                    ? Pass.OPTIMIZER
                    : BACKWARD.matcher(text).matches() ? Pass.BACKWARD : Pass.FORWARD;
            passOfName[name] = (byte) (found.ordinal() + KNOWN);
        }
        return PASSES[passOfName[name] - KNOWN];
    }

    private void stated(MemoryDetails memory, int row) {
        int category = memory.category(row);
        if (category >= 0) {
            pass[row] = Pass.FORWARD;
            owner[row] = number(new Owner(trace.strings().get(category), null, null, null));
            return;
        }
        StackOwner stack = byStack.computeIfAbsent(
                memory.frames(row), frames -> StackOwner.of(trace.strings().get(frames), depth));
        pass[row] = stack.pass();
        owner[row] = number(new Owner(stack.name(), null, null, stack.line()));
    }

    private int number(Owner one) {
        Integer known = numbers.putIfAbsent(one, owners.size());
        if (known == null) {
            owners.add(one);
            return owners.size() - 1;
        }
        return known;
    }
}
