// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.work.StackTimes;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Chart.Box;
import dev.lockstep.report.Chart.Icicle;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.WeightedStacks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Pictures of the time in modules, operators and kernels: of devices and of the host. */
final class ModuleCharts {
    private static final double NS_PER_MS = 1e6;
    /** Boxes below this share of all are too narrow to see. */
    private static final double SMALLEST = 1e-3;

    private static final int MOST_BOXES = 3000;

    private ModuleCharts() {}

    /** The pictures of a trace that tells of modules. */
    static List<ChartSection> of(DerivedCache cache, AnalysisRules rules) {
        List<ChartSection> charts = new ArrayList<>();
        if (cache.get(rules.activity()).size() > 0) {
            charts.add(new ChartSection(() -> icicle(new StackTimes(false, true).of(cache, rules), true), true));
        }
        charts.add(new ChartSection(() -> icicle(new StackTimes(false, false).of(cache, rules), false), true));
        return charts;
    }

    private static Icicle icicle(WeightedStacks stacks, boolean device) {
        long[] whole = stacks.whole();
        double least = Math.max(SMALLEST * whole[WeightedStacks.ROOT], leastOfMost(whole));
        int[] box = new int[stacks.size()];
        Arrays.fill(box, -1);
        List<Box> boxes = new ArrayList<>();
        for (int stack = 0; stack < stacks.size(); stack++) {
            if (stack == WeightedStacks.ROOT || whole[stack] >= least && box[stacks.parent(stack)] >= 0) {
                box[stack] = boxes.size();
                boxes.add(new Box(
                        stack == WeightedStacks.ROOT ? "all" : stacks.name(stack),
                        stacks.kind(stack).name().toLowerCase(Locale.ROOT),
                        stack == WeightedStacks.ROOT ? -1 : box[stacks.parent(stack)],
                        whole[stack] / NS_PER_MS));
            }
        }
        return new Icicle(
                stacks.title(),
                (device
                                ? "Durations of device activity by the module and operator that launched it, forward"
                                        + " and backward."
                                : "Time of the host in modules, operators and calls, forward and backward.")
                        + " A box is as wide as its time with all that is inside; the part below which nothing stands"
                        + " is its own or too small to see.",
                "ms",
                boxes);
    }

    /** The value that so many have at least as can be shown. */
    private static double leastOfMost(long[] whole) {
        if (whole.length <= MOST_BOXES) {
            return 0;
        }
        long[] sorted = whole.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length - MOST_BOXES];
    }
}
