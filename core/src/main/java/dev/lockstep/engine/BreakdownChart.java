// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.engine;

import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.analyze.time.StreamTimeline;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.StackedBars;
import java.util.ArrayList;
import java.util.List;

/** Where the time goes, as bars: all together, by step, by stream. */
final class BreakdownChart {
    private static final int MOST_BARS = 40;
    private static final double NS_PER_MS = 1e6;

    private BreakdownChart() {}

    static StackedBars of(GpuTimeline.Result timeline, StepTimeline.Result steps, StreamTimeline.Result streams) {
        List<Bar> bars = new ArrayList<>();
        bars.add(bar("all", timeline.blocks().getFirst()));
        List<StepTimeline.Row> shown =
                steps.rows().subList(0, Math.min(MOST_BARS, steps.rows().size()));
        for (StepTimeline.Row row : shown) {
            bars.add(bar("step " + row.step().number(), row.parts()));
        }
        List<StreamTimeline.Row> queues =
                streams.rows().subList(0, Math.min(MOST_BARS, streams.rows().size()));
        for (StreamTimeline.Row row : queues) {
            bars.add(bar("device " + row.stream().device() + " stream " + row.stream().stream(), row.parts()));
        }
        return new StackedBars(
                "Where the time goes",
                "The span from the first to the last device activity: computation, communication and copies that nothing"
                        + " hides, and idle time. A step holds what was launched in it.",
                "ms",
                List.of("computation", "exposed communication", "exposed copies", "other", "idle"),
                bars);
    }

    private static Bar bar(String label, Parts p) {
        return new Bar(label, new double[] {
            p.computation() / NS_PER_MS,
            p.exposedCommunication() / NS_PER_MS,
            p.exposedMemory() / NS_PER_MS,
            p.exposedOther() / NS_PER_MS,
            p.idle() / NS_PER_MS
        });
    }
}
