// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.analyze.work.CopyWay;
import dev.lockstep.model.SliceKind;
import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Waits inside of steps until the device has computed a value, or until it has done all work, which stop the host from running ahead:
 * {@code .item()}, {@code .cpu()}, {@code nonzero()} and masks, and synchronisation that the program asks for.
 */
final class NoSync implements Action {
    /** Operators that need a value of the device before they return, and how programs call them. */
    private static final Map<String, String> READS = Map.ofEntries(
            Map.entry("aten::item", ".item()"),
            Map.entry("aten::_local_scalar_dense", ".item()"),
            Map.entry("aten::is_nonzero", ".item()"),
            Map.entry("aten::nonzero", "nonzero()"),
            Map.entry("aten::equal", "torch.equal()"),
            Map.entry("aten::masked_select", "masked_select()"),
            Map.entry("aten::unique", "unique()"),
            Map.entry("aten::_unique2", "unique()"));

    /** Operators that copy to the host where they are asked to. */
    private static final Set<String> COPIES = Set.of("aten::copy_", "aten::_to_copy", "aten::to", "aten::cpu");

    private static final Pattern SYNCHRONIZE = Pattern.compile("(Device|Ctx|Context|Stream|Event)Synchronize");
    private static final double HALF = 0.5;

    @Override
    public String id() {
        return "no_sync";
    }

    /** The waits of one recording. */
    private static final class Waits {
        final Changes changes = new Changes();
        final IntList slices = new IntList(4);
        final BitSet known = new BitSet();
        final Map<String, Integer> byCall = new TreeMap<>();
        final Map<String, Integer> byPlace = new TreeMap<>();

        void add(ActionTrace trace, int slice, String call) {
            changes.doesNotWait(slice);
            if (!known.get(slice)) {
                known.set(slice);
                slices.add(slice);
                byCall.merge(call, 1, Integer::sum);
                String place = place(trace, slice);
                byPlace.merge(place == null ? "" : place, 1, Integer::sum);
            }
        }

        /** What most of the waits have in common; null where that is nothing. */
        private @Nullable String most(Map<String, Integer> counts) {
            Map.Entry<String, Integer> most =
                    counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
            return most.getValue() > HALF * slices.size() && !most.getKey().isEmpty() ? most.getKey() : null;
        }

        private String text(int steps) {
            String call = byCall.size() == 1 ? byCall.keySet().iterator().next() : null;
            int count = slices.size();
            if (count == steps && call != null) {
                return "Avoid " + call + " in each step";
            }
            boolean even = count % steps == 0 || count > steps * 2;
            int each = even ? Math.round((float) count / steps) : count;
            String what = call == null
                    ? each == 1 ? " wait for the GPU" : " waits for the GPU"
                    : " " + call + (each == 1 ? " call" : " calls");
            return "Avoid " + each + what + (even && steps > 1 ? " a step" : "");
        }

        private String snippet() {
            String place = most(byPlace);
            String call = byCall.size() == 1 ? null : most(byCall);
            String mostly = call == null ? "" : "mostly " + call + " ";
            return place != null ? mostly + "in " + place : mostly.isEmpty() ? "every N steps only" : mostly.strip();
        }
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        if (!trace.isTorch()) {
            return null;
        }
        Waits waits = new Waits();
        copies(trace, waits);
        IntList asked = new IntList(4);
        BitSet steps = new BitSet();
        for (int call = 0; call < trace.slices.size(); call++) {
            if (!trace.slices.kind(call).isLaunchCall()
                    || trace.causeOf(call) != IdleCause.SYNCHRONISATION
                    || !trace.isInStep(trace.slices.ts(call))) {
                continue;
            }
            int operator = reading(trace, call);
            if (operator >= 0) {
                waits.add(trace, operator, READS.getOrDefault(trace.trace.name(operator), ""));
            } else if (trace.operatorOf(call) < 0
                    && SYNCHRONIZE.matcher(trace.trace.name(call)).find()) {
                asked.add(call);
                steps.set(Math.max(0, trace.steps.at(trace.slices.ts(call))));
            }
        }
        // What is asked for once is how a measurement ends; stages of a pipeline wait for what they exchange.
        boolean avoidable = steps.cardinality() > 1 && !trace.exchangesMessages();
        for (int i = 0; i < asked.size() && avoidable; i++) {
            waits.add(trace, asked.get(i), trace.trace.name(asked.get(i)));
        }
        return waits.changes.isEmpty()
                ? null
                : new Offer(
                        waits.text(trace.stepCount()),
                        waits.snippet(),
                        "The CPU goes on, and a value is needed a step later or not in every step.",
                        trace.places(waits.slices),
                        waits.changes);
    }

    /** Copies to the host that their calls wait for. What gloo sums on the host is needed there. */
    private static void copies(ActionTrace trace, Waits waits) {
        for (int a = 0; a < trace.activity.size() && !trace.hasHostCollectives(); a++) {
            int slice = trace.activity.slice(a);
            int call = trace.slices.kind(slice) == SliceKind.MEMCPY ? trace.links.launchOf(slice) : -1;
            if (call < 0
                    || !CopyWay.of(trace.trace.name(slice)).direction().equals("DtoH")
                    || !trace.isInStep(trace.slices.ts(call))) {
                continue;
            }
            int operator = reading(trace, call);
            int copying = operator >= 0 ? -1 : copying(trace, call);
            if (copying >= 0 && trace.slices.end(copying) >= trace.slices.end(slice)) {
                waits.add(trace, copying, ".cpu()");
            } else if (operator >= 0 && trace.slices.end(operator) >= trace.slices.end(slice)) {
                waits.add(trace, operator, READS.getOrDefault(trace.trace.name(operator), ""));
            }
        }
    }

    /** The outermost operator around a call that reads a value; -1 where there is none. */
    private static int reading(ActionTrace trace, int call) {
        int found = -1;
        for (int one = trace.operatorOf(call); one >= 0; one = trace.operatorAround(one)) {
            found = READS.containsKey(trace.trace.name(one)) ? one : found;
        }
        return found;
    }

    /** The operator as a part of which something is copied; -1 where a copy is part of something else. */
    private static int copying(ActionTrace trace, int call) {
        int found = -1;
        int one = trace.operatorOf(call);
        while (one >= 0 && COPIES.contains(trace.trace.name(one))) {
            found = one;
            one = trace.operatorAround(one);
        }
        return found;
    }

    /** Where in the program something lies: a line of Python, else the operator or range around it; null where nothing is known. */
    private static @Nullable String place(ActionTrace trace, int slice) {
        String frame = trace.frameOf(slice);
        if (frame != null) {
            return frame;
        }
        for (int one = trace.nesting.around(slice); one >= 0; one = trace.nesting.around(one)) {
            boolean range = trace.slices.kind(one) == SliceKind.ANNOTATION && !trace.isStep(one);
            if (trace.slices.kind(one) == SliceKind.CPU_OP || range) {
                return trace.trace.name(one);
            }
        }
        return null;
    }
}
