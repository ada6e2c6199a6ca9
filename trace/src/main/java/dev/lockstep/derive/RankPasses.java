// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The computation of a rank that exchanges messages with single ranks, cut into passes: in the order in which its host
 * launched them, kernels between two messages that belong to the same direction are one pass. Kernels are backward where
 * the autograd engine launched them. Immutable.
 *
 * @param all in the order of their launches
 */
public record RankPasses(List<Pass> all) {
    private static final String ENGINE = "autograd::engine::evaluate_function";

    /**
     * Kernels that ran for one purpose. Times are ns since the trace's origin.
     *
     * @param backward whether the autograd engine launched them
     * @param received whether a message was to be received before the first of them, and after what was launched before
     * @param sends whether a message was sent after the last of them, and before what was launched next
     * @param step index of the step, -1 outside of all
     * @param launched begin of the call that launched the first kernel, {@link LongColumn#ABSENT} when not known
     * @param start of the first kernel
     * @param end of the last kernel
     * @param busy how long kernels ran, counting overlaps once
     */
    public record Pass(
            boolean backward,
            boolean received,
            boolean sends,
            int step,
            long launched,
            long start,
            long end,
            long busy) {
        private Pass sending() {
            return new Pass(backward, received, true, step, launched, start, end, busy);
        }
    }

    /** No passes. */
    public static final RankPasses NONE = new RankPasses(List.of());

    /** Copies the list. */
    public RankPasses {
        all = List.copyOf(all);
    }

    /** @param messages slices of kernels that exchange messages, with 1 for those that receive */
    static RankPasses of(Trace trace, DerivedCache cache, Kernels kernels, Map<Integer, Boolean> messages) {
        if (messages.isEmpty()) {
            return NONE;
        }
        return new Cutting(trace, cache, kernels, messages).cut();
    }

    /**
     * What is known of the kernels of a trace.
     *
     * @param classes what each slice is for
     * @param links their launches
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Kernels(KernelClass[] classes, LaunchLinks links) {}

    private static final class Cutting {
        private final Slices slices;
        private final LaunchLinks links;
        private final Steps steps;
        private final Map<Integer, Boolean> messages;
        private final int[] order;
        private final boolean[] backward;
        private final List<Pass> passes = new ArrayList<>();
        private final IntList open = new IntList(64);
        private boolean received;

        Cutting(Trace trace, DerivedCache cache, Kernels kernels, Map<Integer, Boolean> messages) {
            slices = trace.slices();
            links = kernels.links();
            this.messages = messages;
            steps = cache.get(new Steps.Key(null));
            IntList rows = new IntList(1024);
            for (int i = 0; i < slices.size(); i++) {
                boolean computes = slices.kind(i) == SliceKind.KERNEL && kernels.classes()[i] == KernelClass.COMPUTE;
                if (computes || messages.containsKey(i)) {
                    rows.add(i);
                }
            }
            order = rows.toArray();
            long[] keys = new long[order.length];
            for (int i = 0; i < order.length; i++) {
                keys[i] = launched(order[i]) == LongColumn.ABSENT ? slices.ts(order[i]) : launched(order[i]);
            }
            LongOrder.sort(keys, order);
            backward = backward(trace);
        }

        private long launched(int kernel) {
            int call = links.launchOf(kernel);
            return call < 0 ? LongColumn.ABSENT : slices.ts(call);
        }

        /** By place in {@link #order}: whether the engine was at work on the thread that launched the kernel. */
        private boolean[] backward(Trace trace) {
            Map<Integer, IntList> engines = new HashMap<>();
            for (int i = 0; i < slices.size(); i++) {
                if (slices.kind(i) == SliceKind.CPU_OP && trace.name(i).startsWith(ENGINE)) {
                    engines.computeIfAbsent(slices.track(i), track -> new IntList(64))
                            .add(i);
                }
            }
            Map<Integer, Integer> next = new HashMap<>();
            Map<Integer, Long> until = new HashMap<>();
            boolean[] found = new boolean[order.length];
            for (int i = 0; i < order.length; i++) {
                int call = links.launchOf(order[i]);
                IntList of = call < 0 ? null : engines.get(slices.track(call));
                if (of == null) {
                    continue;
                }
                int track = slices.track(call);
                int at = next.getOrDefault(track, 0);
                long reached = until.getOrDefault(track, Long.MIN_VALUE);
                for (; at < of.size() && slices.ts(of.get(at)) <= slices.ts(call); at++) {
                    reached = Math.max(reached, slices.end(of.get(at)));
                }
                next.put(track, at);
                until.put(track, reached);
                found[i] = slices.ts(call) < reached;
            }
            return found;
        }

        RankPasses cut() {
            boolean direction = false;
            for (int i = 0; i < order.length; i++) {
                Boolean receives = messages.get(order[i]);
                if (receives != null) {
                    if (open.size() == 0 && !receives && !passes.isEmpty()) {
                        passes.add(passes.removeLast().sending());
                    }
                    close(direction, !receives);
                    received |= receives;
                    continue;
                }
                if (backward[i] != direction || open.size() > 0 && step(order[i]) != step(open.get(0))) {
                    close(direction, false);
                }
                direction = backward[i];
                open.add(order[i]);
            }
            close(direction, false);
            return new RankPasses(passes);
        }

        /** The step that a kernel belongs to. */
        private int step(int kernel) {
            long launched = launched(kernel);
            return steps.at(launched == LongColumn.ABSENT ? slices.ts(kernel) : launched);
        }

        /** Ends the pass that is open, if one is; what was received before belonged to it. */
        private void close(boolean direction, boolean sends) {
            if (open.size() == 0) {
                return;
            }
            long start = Long.MAX_VALUE;
            long end = Long.MIN_VALUE;
            long reached = Long.MIN_VALUE;
            long busy = 0;
            for (int i = 0; i < open.size(); i++) {
                int kernel = open.get(i);
                start = Math.min(start, slices.ts(kernel));
                end = Math.max(end, slices.end(kernel));
                busy += Math.max(0, slices.end(kernel) - Math.max(reached, slices.ts(kernel)));
                reached = Math.max(reached, slices.end(kernel));
            }
            int first = open.get(0);
            passes.add(new Pass(direction, received, sends, step(first), launched(first), start, end, busy));
            received = false;
            open.clear();
        }
    }
}
