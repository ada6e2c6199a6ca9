// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import dev.lockstep.replay.reconcile.Whole.Activity;
import org.jspecify.annotations.Nullable;

/**
 * What a trace says of all its steps together; where nothing marks steps, of the whole recording.
 *
 * @param source name of the trace
 * @param marked how many steps are marked, or were inferred; 0 for none
 * @param ns their time
 * @param busy time with any device activity
 * @param sum sum of all durations of device activities
 * @param device whether there are any in the whole recording
 */
public record RecordedSteps(String source, int marked, double ns, double busy, double sum, boolean device) {
    /**
     * The steps of a trace.
     *
     * @param stepAnnotation annotations that mark steps; null to find what does
     */
    public static RecordedSteps of(DerivedCache cache, @Nullable String stepAnnotation) {
        AnalysisRules rules = AnalysisRules.standard();
        Steps steps = cache.get(new Steps.Key(stepAnnotation));
        DeviceActivity activity = cache.get(rules.activity());
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
        Slices slices = cache.trace().slices();
        boolean marked = !steps.steps().isEmpty();
        IntervalSet.Builder busy = new IntervalSet.Builder();
        long sum = 0;
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            int call = links.launchOf(slice);
            if (!marked || steps.at(slices.ts(call >= 0 ? call : slice)) >= 0) {
                busy.add(slices.ts(slice), slices.end(slice));
                sum += slices.dur(slice);
            }
        }
        IntervalSet union = busy.build();
        double time = 0;
        if (marked) {
            for (Steps.Step step : steps.steps()) {
                time += step.end() - step.start();
            }
        } else {
            time = activity.size() > 0 ? union.span() : hostSpan(slices);
        }
        return new RecordedSteps(
                cache.trace().info().source(), steps.steps().size(), time, union.total(), sum, activity.size() > 0);
    }

    /** The mean of so many passes, which is what they hold. */
    public Whole whole(int passes) {
        return new Whole(
                source, ns / passes, Double.NaN, device ? new Activity(busy / passes, sum / passes) : Activity.NONE);
    }

    private static long hostSpan(Slices slices) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            first = Math.min(first, slices.ts(i));
            last = Math.max(last, slices.end(i));
        }
        return slices.size() == 0 ? 0 : last - first;
    }
}
