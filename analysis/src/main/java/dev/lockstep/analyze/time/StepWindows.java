// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time of each step, on one line: a step lasts until the next begins, the last until the host leaves it and what was launched
 * in it ends. Where nothing marks steps, the recording is one: from the first to the last work of host and devices.
 */
final class StepWindows {
    /**
     * The windows of a trace.
     *
     * @param rules definitions
     * @param annotation what marks steps, null to find what does
     */
    record Key(AnalysisRules rules, @Nullable String annotation) implements Derived<StepWindows> {
        @Override
        public StepWindows derive(Trace trace, DerivedCache cache) {
            Steps steps = cache.get(new Steps.Key(annotation));
            return new StepWindows(
                    steps.steps(), steps.steps().isEmpty() ? recording(trace.slices()) : edges(cache, steps, rules));
        }
    }

    private final List<Steps.Step> steps;
    private final long[] edges;

    private StepWindows(List<Steps.Step> steps, long[] edges) {
        this.steps = steps;
        this.edges = edges;
    }

    /** Number of windows; 0 for an empty trace. */
    int size() {
        return edges.length - 1;
    }

    /** Begin of a window in ns. */
    long start(int window) {
        return edges[window];
    }

    /** End of a window in ns: where the next one begins. */
    long end(int window) {
        return edges[window + 1];
    }

    /** Whether the windows are steps; else the one is the whole recording. */
    boolean areSteps() {
        return !steps.isEmpty();
    }

    /** Number of the step of a window. */
    long number(int window) {
        return steps.get(window).number();
    }

    private static long[] recording(Slices slices) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind.isDeviceActivity() || kind.isHost() && kind != SliceKind.OVERHEAD) {
                first = Math.min(first, slices.ts(i));
                last = Math.max(last, slices.end(i));
            }
        }
        return first > last ? new long[1] : new long[] {first, last};
    }

    private static long[] edges(DerivedCache cache, Steps steps, AnalysisRules rules) {
        Slices slices = cache.trace().slices();
        int count = steps.steps().size();
        DeviceActivity activity = cache.get(rules.activity());
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
        long end = steps.steps().getLast().end();
        for (int i = 0; i < activity.size(); i++) {
            int launch = links.launchOf(activity.slice(i));
            if (launch >= 0 && steps.at(slices.ts(launch)) == count - 1) {
                end = Math.max(end, slices.end(activity.slice(i)));
            }
        }
        long[] edges = new long[count + 1];
        for (int i = 0; i < count; i++) {
            edges[i] = steps.steps().get(i).start();
        }
        edges[count] = end;
        return edges;
    }
}
