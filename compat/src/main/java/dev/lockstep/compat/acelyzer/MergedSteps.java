// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.acelyzer;

import dev.lockstep.aiu.pipeline.OpenCount;
import java.util.ArrayList;
import java.util.List;

/**
 * The count as acelyzer makes it: a list of steps into which each interval is merged. A step at the end of an interval
 * ignores intervals around it that have no step inside it.
 */
final class MergedSteps implements OpenCount {
    private record Step(double ts, long open) {}

    private List<Step> steps = new ArrayList<>();

    @Override
    public void add(double start, double end, StepSink sink) {
        if (steps.isEmpty()) {
            steps.add(new Step(start, 1));
            steps.add(new Step(end, 0));
            return;
        }
        List<Step> inside = new ArrayList<>();
        List<Step> behind = new ArrayList<>();
        long before = 0;
        for (Step step : steps) {
            if (step.ts < start) {
                sink.step(step.ts, step.open);
                before = step.open;
            } else {
                (step.ts < end ? inside : behind).add(step);
            }
        }
        List<Step> merged = new ArrayList<>();
        if (inside.isEmpty() || start < inside.get(0).ts) {
            merged.add(new Step(start, before + 1));
        }
        long last = 0;
        for (Step step : inside) {
            merged.add(new Step(step.ts, step.open + 1));
            last = step.open;
        }
        if (behind.isEmpty() || end < behind.get(0).ts) {
            merged.add(new Step(end, last));
        }
        merged.addAll(behind);
        steps = merged;
    }

    @Override
    public void finish(StepSink sink) {
        steps.forEach(step -> sink.step(step.ts, step.open));
        steps = new ArrayList<>();
    }
}
