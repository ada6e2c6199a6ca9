// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.account;

import dev.lockstep.account.Whole.Activity;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import org.jspecify.annotations.Nullable;

/** The steps of a trace as a whole: what they took, and what devices did for them. */
public final class RecordedSteps {
    private RecordedSteps() {}

    /**
     * The mean step.
     *
     * @param stepAnnotation annotations that mark steps; null for the profiler's own
     * @param forwards how many steps there are if nothing marks them; 0 for the whole recording as one
     */
    public static Whole of(DerivedCache cache, @Nullable String stepAnnotation, int forwards) {
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
        double count = marked ? steps.steps().size() : Math.max(1, forwards);
        double time = 0;
        if (marked) {
            for (Steps.Step step : steps.steps()) {
                time += step.end() - step.start();
            }
        } else {
            time = activity.size() > 0 ? union.span() : hostSpan(slices);
        }
        Activity done = activity.size() == 0 ? Activity.NONE : new Activity(union.total() / count, sum / count);
        return new Whole(cache.trace().info().source(), time / count, Double.NaN, done);
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
