// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.account;

import dev.lockstep.kernels.Forwards;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parts against the whole, in like units.
 *
 * @param isolated the parts
 * @param whole what they are compared with, one pass
 * @param forwards how many passes the recording holds; null when that cannot be told, and the recording counts as one
 * @param energy the energy of the parts; null without power
 */
public record Accounting(
        Isolated isolated,
        Whole whole,
        @Nullable Forwards forwards,
        @Nullable EnergyAccount energy) {
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
        boolean bySteps = isolated.steps() > 0 && isolated.steps() == passes();
        return isolated.parts().stream()
                .filter(Part::isMeasured)
                .mapToDouble(part -> part.ns() * perPass(part, bySteps))
                .sum();
    }

    /** What calls took in the recording, of one pass, in ns: those of measured parts, or of the others. */
    public double recorded(boolean measured) {
        boolean bySteps = isolated.steps() > 0 && isolated.steps() == passes();
        return isolated.parts().stream()
                .filter(part -> part.isMeasured() == measured && !Double.isNaN(part.recordedNs()) && part.calls() > 0)
                .mapToDouble(part -> part.recordedNs() / part.calls() * perPass(part, bySteps))
                .sum();
    }

    private double perPass(Part part, boolean bySteps) {
        return bySteps && !Double.isNaN(part.callsPerStep()) ? part.callsPerStep() : (double) part.calls() / passes();
    }

    /** Energy of the parts in one pass, in J; NaN without power. */
    public double predictedJoules() {
        return energy == null ? Double.NaN : energy.joules() / passes();
    }

    /** The error as one would state it who compares the sum over the recording with one pass, in per cent. */
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

    /** From the sum of the parts to the whole; empty when the whole is not known. */
    public List<Contribution> contributions() {
        List<Contribution> found = new ArrayList<>();
        double reached = predicted();
        double same = recorded(true);
        if (same > 0) {
            found.add(new Contribution(
                    "other conditions in the recording",
                    same - reached,
                    "recorded time of the same calls less their time alone: caches, clocks, what else ran"));
            reached = same;
            double missing = recorded(false);
            found.add(new Contribution("not replayed", missing, "recorded time of the parts that were not measured"));
            reached += missing;
        }
        Whole.Activity done = whole.activity();
        if (done.equals(Whole.Activity.NONE)) {
            found.add(new Contribution(
                    "host beside the parts",
                    whole.ns() - reached,
                    "step less the parts: what calls them, the profiler, waiting; the trace has no device activity"));
        } else if (!Double.isNaN(done.sum()) && same > 0) {
            found.add(new Contribution(
                    "device work of no listed part",
                    done.sum() - reached,
                    "sum of all device activities less recorded time"));
            found.add(new Contribution(
                    "overlap", done.busy() - done.sum(), "time with any activity less the sum of all durations"));
            found.add(new Contribution("launch gaps", whole.ns() - done.busy(), "step without any device activity"));
        } else if (!Double.isNaN(done.busy())) {
            found.add(new Contribution(
                    "device time that the parts do not reach",
                    done.busy() - reached,
                    "time with any activity less the parts"));
            found.add(new Contribution("launch gaps", whole.ns() - done.busy(), "step without any device activity"));
        } else if (!Double.isNaN(whole.ns())) {
            found.add(new Contribution(
                    "launch gaps, overlap and host, not told apart",
                    whole.ns() - reached,
                    "the rest; a trace of the whole would split it"));
        }
        return found;
    }
}
