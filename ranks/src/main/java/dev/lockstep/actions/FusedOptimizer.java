// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An optimizer that launches many small kernels for each parameter: fused, it goes over parameters, gradients and state once. */
final class FusedOptimizer implements Action {
    /** A fused optimizer launches a kernel for many parameters: fewer launches of one operator show that it is one. */
    private static final int FEW = 16;

    /** Tensors that Adam reads and writes for each parameter: parameter, gradient and two of state; three are written. */
    private static final int PASSES = 7;

    private static final double NS_PER_S = 1e9;

    /** What a fused kernel reaches of the bandwidth of memory. */
    private static final double ATTAINABLE = 0.85;

    @Override
    public String id() {
        return "fused_optimizer";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        if (!trace.isTorch() || trace.device == null) {
            return null;
        }
        Changes likely = new Changes();
        IntList places = new IntList(4);
        List<Launching> all = trace.launching();
        int next = 0;
        for (int range = 0; range < trace.slices.size(); range++) {
            boolean outermost = trace.slices.kind(range).isHost()
                    && trace.causeOf(range) == IdleCause.OPTIMIZER
                    && trace.trace.name(range).contains(".step");
            if (!outermost) {
                continue;
            }
            while (next < all.size() && all.get(next).launched(trace) < trace.slices.ts(range)) {
                next++;
            }
            if (fuse(trace, range, all.subList(next, all.size()), likely)) {
                places.add(range);
            }
        }
        return likely.isEmpty()
                ? null
                : new Offer(
                        "Use the fused optimizer",
                        "AdamW(..., fused=True)",
                        "It reads and writes parameters, gradients and state once, at 85 % of the memory bandwidth.",
                        trace.places(places),
                        likely);
    }

    /**
     * Changes one step of an optimizer; says whether it launches kernel by kernel.
     *
     * @param from what launches from the begin of the step on
     */
    private static boolean fuse(ActionTrace trace, int range, List<Launching> from, Changes changes) {
        List<Launching> inside = from.stream()
                .takeWhile(one -> one.launched(trace) <= trace.slices.end(range))
                .filter(one -> trace.slices.track(one.operator()) == trace.slices.track(range)
                        && trace.slices.ts(one.operator()) >= trace.slices.ts(range)
                        && trace.slices.end(one.operator()) <= trace.slices.end(range))
                .toList();
        boolean fused = inside.stream()
                .anyMatch(one -> one.name().contains("_foreach_") || one.name().contains("_fused_"));
        Map<String, Integer> counts = new HashMap<>();
        Map<String, Double> bytes = new HashMap<>();
        for (Launching one : inside) {
            counts.merge(one.name(), 1, Integer::sum);
            double size = one.inputs().tensors().stream()
                    .findFirst()
                    .map(tensor -> tensor.elements() * tensor.elementBytes())
                    .orElse(0.0);
            bytes.merge(one.name(), size, Double::sum);
        }
        int parameters = inside.isEmpty() ? 0 : counts.getOrDefault("aten::addcdiv_", 0);
        if (fused || parameters < FEW || trace.device == null) {
            return false;
        }
        double moved = PASSES * bytes.getOrDefault("aten::addcdiv_", 0.0);
        long ns = Math.round(moved / trace.device.bytesPerSecond() / ATTAINABLE * NS_PER_S);
        if (Double.isNaN(moved) || Double.isNaN(trace.device.bytesPerSecond())) {
            return false;
        }
        boolean first = true;
        for (Launching one : inside) {
            for (int i = 0; i < one.activities().size(); i++) {
                int slice = one.activities().get(i);
                if (trace.taken.get(slice)) {
                    continue;
                }
                trace.taken.set(slice);
                if (first) {
                    changes.takes(slice, ns);
                    first = false;
                } else {
                    changes.vanishes(slice);
                }
            }
        }
        // One operator's work for each parameter is left: what is fused still walks over all of them.
        changes.host(range, (double) parameters / inside.size());
        return true;
    }
}
