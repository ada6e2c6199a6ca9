// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.replay.reconcile.PartsEnergy.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Parts that were measured alone against the whole, in like units: times in ns and energies in J of one pass of the model,
 * or of one step.
 *
 * @param isolated the parts
 * @param whole what they are compared with, one pass
 * @param forwards how many passes the recording holds; null when that cannot be told, and the recording counts as one
 * @param energy the energy of the parts; null without power
 */
public record Reconciliation(
        MeasuredParts isolated,
        Whole whole,
        @Nullable ForwardPasses forwards,
        @Nullable PartsEnergy energy) {
    /**
     * A contribution that leads from the parts to the whole.
     *
     * @param ns for one pass; negative where it makes the whole shorter
     * @param doc how it is found
     */
    public record Contribution(String label, double ns, String doc) {}

    /** Passes in the recording, at least 1. */
    public int passes() {
        return forwards == null ? 1 : forwards.count();
    }

    /** The sum over all calls of the recording, in ns: time of one execution times calls. */
    public double predictedAll() {
        return isolated.parts().stream()
                .filter(Part::isMeasured)
                .mapToDouble(part -> part.ns() * part.calls())
                .sum();
    }

    /** The sum for one pass, in ns. Where calls by step are known, those of the steps alone. */
    public double predicted() {
        return sum(Part::isMeasured, Part::ns);
    }

    /** What calls took in the recording, of one pass, in ns: those of measured parts, or of the others. */
    public double recorded(boolean measured) {
        return sum(
                part -> part.isMeasured() == measured && !Double.isNaN(part.recordedNs()) && part.calls() > 0,
                part -> part.recordedNs() / part.calls());
    }

    /** What measured parts take longer in recorded order than alone, of one pass, in ns; 0 when none was run so. */
    public double surroundings() {
        return sum(Reconciliation::hasOrder, part -> part.inOrderNs() - part.ns());
    }

    private static boolean hasOrder(Part part) {
        return part.isMeasured() && !Double.isNaN(part.inOrderNs());
    }

    private double sum(Predicate<Part> of, ToDoubleFunction<Part> ns) {
        return isolated.parts().stream()
                .filter(of)
                .mapToDouble(part -> ns.applyAsDouble(part) * perPass(part))
                .sum();
    }

    /** Calls of a part in one pass. */
    public double perPass(Part part) {
        return isolated.perPass(part, passes());
    }

    /** Energy of the parts in one pass, in J; NaN where that of none is known. */
    public double predictedJoules() {
        return joules(Row::perCall);
    }

    /** Bound of the error of {@link #predictedJoules}, in J, if all errors at the ends of windows had one sign. */
    public double errorOfJoules() {
        return joules(Row::errorPerCall);
    }

    private double joules(ToDoubleFunction<Row> ofCall) {
        if (energy == null || energy.rows().isEmpty()) {
            return Double.NaN;
        }
        return energy.rows().stream()
                .mapToDouble(row -> ofCall.applyAsDouble(row) * perPass(row.part()))
                .sum();
    }

    /** In per cent of one pass: how far the sum over the whole recording is from it, which compares unlike units. */
    public double errorAcrossUnits() {
        return 100 * Math.abs(predictedAll() - whole.ns()) / whole.ns();
    }

    /** The parts of one pass over the whole; 1 when they explain all of it. */
    public double explained() {
        return predicted() / whole.ns();
    }

    /** Parts whose stated counts of executions cannot be. */
    public List<Part> miscounted() {
        return isolated.parts().stream().filter(Part::isMiscounted).toList();
    }

    /**
     * What leads from the sum of the parts to the whole: the contributions add up to their difference. Without a whole,
     * what leads to the recorded times of all parts; empty when these are not known either.
     */
    public List<Contribution> contributions() {
        List<Contribution> found = new ArrayList<>();
        double reached = predicted();
        boolean ordered = isolated.parts().stream().anyMatch(Reconciliation::hasOrder);
        if (ordered) {
            found.add(new Contribution("cache effects", surroundings(), surroundingsDoc()));
            reached += surroundings();
        }
        boolean recorded = recorded(true) > 0;
        if (recorded) {
            found.add(otherConditions(reached, ordered));
            found.add(new Contribution(
                    "not replayed", recorded(false), "recorded time of the parts that were not measured"));
            reached = recorded(true) + recorded(false);
        }
        found.addAll(besideTheParts(reached, recorded));
        return found;
    }

    private String surroundingsDoc() {
        long measured = isolated.parts().stream().filter(Part::isMeasured).count();
        long ordered =
                isolated.parts().stream().filter(Reconciliation::hasOrder).count();
        return "time in recorded order less time alone: caches and memory as the neighbours leave them"
                + (ordered < measured ? "; of " + ordered + " of " + measured + " measured parts" : "");
    }

    private Contribution otherConditions(double reached, boolean ordered) {
        return new Contribution(
                "other conditions in the recording",
                recorded(true) - reached,
                ordered
                        ? "recorded time of the same calls less their time in recorded order: clocks, what else ran"
                        : "recorded time of the same calls less their time alone: caches, clocks, what else ran");
    }

    /** @param recorded whether {@code reached} is recorded time, which can be compared with that of all device activities */
    private List<Contribution> besideTheParts(double reached, boolean recorded) {
        Whole.Activity done = whole.activity();
        Contribution gaps =
                new Contribution("launch gaps", whole.ns() - done.busy(), "step without any device activity");
        if (done.equals(Whole.Activity.NONE)) {
            return List.of(new Contribution(
                    "host beside the parts",
                    whole.ns() - reached,
                    "step less the parts: what calls them, the profiler, waiting; the trace has no device activity"));
        }
        if (!Double.isNaN(done.sum()) && recorded) {
            return List.of(
                    new Contribution(
                            "device work of no listed part",
                            done.sum() - reached,
                            "sum of all device activities less recorded time"),
                    new Contribution(
                            "overlap",
                            done.busy() - done.sum(),
                            "time with any activity less the sum of all durations"),
                    gaps);
        }
        if (!Double.isNaN(done.busy())) {
            return List.of(
                    new Contribution(
                            "device time that the parts do not reach",
                            done.busy() - reached,
                            "time with any activity less the parts"),
                    gaps);
        }
        return Double.isNaN(whole.ns())
                ? List.of()
                : List.of(new Contribution(
                        "launch gaps, overlap and host, not told apart",
                        whole.ns() - reached,
                        "the rest; a trace of the whole would split it"));
    }
}
