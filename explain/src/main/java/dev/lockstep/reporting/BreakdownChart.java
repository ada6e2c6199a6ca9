// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.analyze.time.StreamTimeline;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.StackedBars;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the time goes, as bars: all together, by step, by stream. */
final class BreakdownChart {
    private static final int MOST_STEPS = 20;
    private static final int MOST_STREAMS = 12;
    private static final double NS_PER_MS = 1e6;

    /** Bars below this share of the longest cannot be seen. */
    private static final double VISIBLE = 0.01;

    private BreakdownChart() {}

    static StackedBars of(GpuTimeline.Result timeline, StepTimeline.Result steps, StreamTimeline.Result streams) {
        List<Bar> bars = new ArrayList<>();
        bars.add(bar("all", timeline.blocks().getFirst()));
        long span = timeline.total();
        List<StepTimeline.Row> shown = steps.rows().stream()
                .filter(row -> row.parts().total() >= span * VISIBLE)
                .limit(MOST_STEPS)
                .toList();
        for (StepTimeline.Row row : shown) {
            bars.add(bar("step " + row.step().number(), row.parts()));
        }
        List<StreamTimeline.Row> queues = busiest(streams.rows().stream()
                .filter(row -> row.parts().total() >= span * VISIBLE)
                .toList());
        for (StreamTimeline.Row row : queues) {
            bars.add(bar("device " + row.stream().device() + " stream " + row.stream().stream(), row.parts()));
        }
        return new StackedBars(
                "Where the time goes",
                "The span from the first to the last device activity: computation, communication and copies that nothing"
                        + " hides, and idle time. A step holds what was launched in it."
                        + left("steps", shown.size(), steps.rows().size(), "first that are long enough to see")
                        + left("streams", queues.size(), streams.rows().size(), "busiest that are long enough to see"),
                "ms",
                List.of("computation", "exposed communication", "exposed copies", "other", "idle"),
                bars);
    }

    /** The streams with most activity, in their order. */
    private static List<StreamTimeline.Row> busiest(List<StreamTimeline.Row> rows) {
        if (rows.size() <= MOST_STREAMS) {
            return rows;
        }
        Set<StreamTimeline.Row> chosen = rows.stream()
                .sorted(Comparator.comparingLong(
                                (StreamTimeline.Row r) -> r.parts().busy())
                        .reversed())
                .limit(MOST_STREAMS)
                .collect(Collectors.toSet());
        return rows.stream().filter(chosen::contains).toList();
    }

    private static String left(String what, int shown, int all, String which) {
        return shown == all
                ? ""
                : " Of " + all + " " + what + "," + " only the " + which + " are drawn: " + shown + ".";
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
