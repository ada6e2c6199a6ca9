// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The computation of a rank that exchanges messages with single ranks, cut into passes: in the order in which its host
 * launched them, kernels between two messages that belong to the same direction are one pass. Kernels are backward where
 * the autograd engine launched them. Nodes of the graph that the engine runs a second time compute gradients of weights that
 * were put off: a pass by themselves for each forward pass. Immutable.
 *
 * @param all in the order of their launches
 */
public record RankPasses(List<Pass> all) {
    /**
     * What a pass computes.
     *
     * @param backward whether the autograd engine launched its kernels
     * @param putOff whether they are gradients of weights that were put off
     * @param forward place among all passes of the forward pass whose gradients these are, -1 when not known
     */
    public record Purpose(boolean backward, boolean putOff, int forward) {}

    /**
     * Kernels that ran for one purpose. Times are ns since the trace's origin.
     *
     * @param purpose what they compute
     * @param received whether a message was to be received before the first of them, and after what was launched before
     * @param sends whether a message was sent after the last of them, and before what was launched next
     * @param step index of the step, -1 outside of all
     * @param launched begin of the call that launched the first kernel, {@link LongColumn#ABSENT} when not known
     * @param start of the first kernel
     * @param end of the last kernel
     * @param busy how long kernels ran, counting overlaps once
     */
    public record Pass(
            Purpose purpose,
            boolean received,
            boolean sends,
            int step,
            long launched,
            long start,
            long end,
            long busy) {
        /** Whether the autograd engine launched its kernels. */
        public boolean backward() {
            return purpose.backward();
        }

        private Pass sending() {
            return new Pass(purpose, received, true, step, launched, start, end, busy);
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
        private final EngineNodes engine;
        private final int[] nodes;
        private final List<Pass> passes = new ArrayList<>();
        private final IntList open = new IntList(64);
        private final IntList forwards = new IntList(64);
        private final LongList forwardsUntil = new LongList(64);
        private boolean received;
        private boolean backward;
        private boolean putOff;
        private int forward = -1;

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
                keys[i] = began(order[i]);
            }
            LongOrder.sort(keys, order);
            engine = new EngineNodes(trace);
            nodes = engine.during(Arrays.stream(order).map(links::launchOf).toArray());
        }

        /** When a kernel was launched, or else when it started. */
        private long began(int kernel) {
            return launched(kernel) == LongColumn.ABSENT ? slices.ts(kernel) : launched(kernel);
        }

        private long launched(int kernel) {
            int call = links.launchOf(kernel);
            return call < 0 ? LongColumn.ABSENT : slices.ts(call);
        }

        RankPasses cut() {
            for (int i = 0; i < order.length; i++) {
                Boolean receives = messages.get(order[i]);
                if (receives == null) {
                    compute(order[i], nodes[i]);
                    continue;
                }
                if (open.size() == 0 && !receives && !passes.isEmpty()) {
                    passes.add(passes.removeLast().sending());
                }
                close(order[i], !receives);
                received |= receives;
            }
            close(-1, false);
            return new RankPasses(passes);
        }

        /** Adds a kernel to the pass that is open, or begins another. What says nothing of its node goes on with the last. */
        private void compute(int kernel, int node) {
            boolean numbered = node >= 0 && engine.number(node) >= 0;
            boolean again = node >= 0 && (numbered ? engine.isAgain(node) : putOff && open.size() > 0);
            int of = numbered ? forward(engine.forwardOf(node)) : -1;
            boolean other = again && of >= 0 && forward >= 0 && of != forward;
            if (backward != node >= 0
                    || putOff != again
                    || other
                    || open.size() > 0 && step(kernel) != step(open.get(0))) {
                close(kernel, false);
            }
            backward = node >= 0;
            putOff = again;
            forward = forward < 0 ? of : forward;
            open.add(kernel);
        }

        /** The forward pass in which something began, -1 if in none. */
        private int forward(long moment) {
            int all = moment == LongColumn.ABSENT ? 0 : forwards.size();
            int from = LongOrder.leading(all, place -> forwardsUntil.get(place) < moment);
            return from < all ? forwards.get(from) : -1;
        }

        /** The step that a kernel belongs to. */
        private int step(int kernel) {
            return steps.at(began(kernel));
        }

        /** Ends the pass that is open, if one is, before a kernel; what was received before belonged to it. */
        private void close(int before, boolean sends) {
            if (open.size() == 0) {
                return;
            }
            if (!backward) {
                forwards.add(passes.size());
                forwardsUntil.add(before < 0 ? Long.MAX_VALUE : began(before));
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
            Purpose purpose = new Purpose(backward, putOff, backward ? forward : -1);
            passes.add(new Pass(purpose, received, sends, step(first), launched(first), start, end, busy));
            received = false;
            forward = -1;
            open.clear();
        }
    }
}
