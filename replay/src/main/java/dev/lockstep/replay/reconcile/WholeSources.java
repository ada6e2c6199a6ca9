// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.model.Trace;
import dev.lockstep.power.Energy;
import dev.lockstep.power.EnergyIntegrator;
import dev.lockstep.replay.reconcile.Part.Window;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where time and energy of the whole come from. What stands further down here counts more.
 *
 * @param beside what was found beside the parts; {@link Whole#UNKNOWN} for nothing
 * @param recorded steps of a trace of the whole; null for none
 * @param stated what a benchmark of the whole states; null for none
 * @param ns time of one pass in ns as the user gives it; NaN for none
 * @param forwards how many passes the recording of the parts holds, as the user says; 0 to find out
 */
public record WholeSources(
        Whole beside, @Nullable Recorded recorded, @Nullable Stated stated, double ns, int forwards) {
    /** Nothing is known of the whole. */
    public static final WholeSources NONE = new WholeSources(Whole.UNKNOWN, null, null, Double.NaN, 0);

    /**
     * A trace of the whole.
     *
     * @param annotation annotations that mark steps in it; null to find what does
     */
    public record Recorded(RecordedSteps steps, @Nullable String annotation) {
        /** The steps of a trace. */
        public static Recorded of(Trace trace, @Nullable String annotation) {
            return new Recorded(RecordedSteps.of(new DerivedCache(trace), annotation), annotation);
        }
    }

    /**
     * A benchmark of the whole.
     *
     * @param whole what it states; its energy counts where none can be told from the window
     * @param window when it ran; null when unknown
     * @param runs how many passes it ran in the window; NaN when unknown
     */
    public record Stated(Whole whole, @Nullable Window window, double runs) {}

    /** The steps that the profiler marked in a trace. */
    public static WholeSources recorded(Trace trace) {
        return new WholeSources(Whole.UNKNOWN, Recorded.of(trace, null), null, Double.NaN, 0);
    }

    /**
     * How many passes the recording of the parts holds: as the user says, by the marks of the trace where the user names
     * them or the parts know no steps, else as the parts tell. Null when nothing tells it.
     */
    public @Nullable ForwardPasses passes(MeasuredParts parts) {
        return recorded != null
                        && forwards == 0
                        && marked() > 0
                        && (recorded.annotation() != null || parts.steps() == 0)
                ? new ForwardPasses(marked(), ForwardPasses.Source.ANNOTATION, Double.NaN)
                : parts.forwards(forwards);
    }

    /**
     * One pass of the whole.
     *
     * @param power joins the window of what is stated with its energy
     */
    public Whole whole(MeasuredParts parts, PartsPower power) {
        Whole known = beside;
        if (recorded != null) {
            Whole steps = recorded.steps().whole(passesOfTrace(parts));
            known = new Whole(steps.source(), steps.ns(), known.joules(), steps.activity());
        }
        if (stated != null) {
            known = with(stated, known, power);
        }
        return Double.isNaN(ns) ? known : new Whole("--whole-ms", ns, known.joules(), known.activity());
    }

    private int passesOfTrace(MeasuredParts parts) {
        if (marked() > 0 && forwards == 0) {
            return marked();
        }
        ForwardPasses passes = passes(parts);
        return passes == null ? 1 : passes.count();
    }

    private static Whole with(Stated stated, Whole known, PartsPower power) {
        double measured = joules(stated, power);
        double joules = Double.isNaN(measured) ? stated.whole.joules() : measured;
        return new Whole(
                stated.whole.source(),
                Double.isNaN(stated.whole.ns()) ? known.ns() : stated.whole.ns(),
                Double.isNaN(joules) ? known.joules() : joules,
                known.activity());
    }

    /** Energy of a pass by the window and the power in it; NaN when one of them is not known. */
    private static double joules(Stated stated, PartsPower power) {
        if (stated.window == null || !(stated.runs > 0) || !power.isKnown()) {
            return Double.NaN;
        }
        Energy energy = PartsEnergy.energy(
                power.series().stream().map(EnergyIntegrator::new).toList(), stated.window);
        return energy == null || Double.isNaN(energy.joules())
                ? Double.NaN
                : energy.without(power.idleWatts()).joules() / stated.runs;
    }

    /** What is to be said where steps of one recording are compared with steps of another. */
    public List<Finding> remarks(MeasuredParts parts) {
        if (recorded == null || recorded.annotation() != null || marked() == 0) {
            return List.of();
        }
        if (parts.steps() == 0 || marked() == parts.steps()) {
            return List.of();
        }
        return List.of(new Finding(
                Severity.NOTICE,
                "other_recording",
                recorded.steps().source() + " holds " + marked() + " steps, the trace of the parts " + parts.steps()
                        + ". Steps of the one are compared with steps of the other.",
                "trace: steps"));
    }

    private int marked() {
        return recorded == null ? 0 : recorded.steps().marked();
    }
}
