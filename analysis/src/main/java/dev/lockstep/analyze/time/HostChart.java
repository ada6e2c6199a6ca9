// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.TimelineRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Threads over time, for a page: outermost annotations of a thread in one row, its outermost operators and calls in the next. */
public final class HostChart {
    private static final int MOST_SLICES = 24_000;
    private static final int RASTER = 6_000;
    private static final int MOST_THREADS = 16;
    private static final List<String> CLASSES = List.of("operator", "call", "other", "annotation");
    private static final int ANNOTATION = 3;

    private HostChart() {}

    /** The chart of these threads, of which there must be one. */
    public static Chart.Timeline of(Trace trace, HostThreads.Result threads) {
        Slices slices = trace.slices();
        List<HostThreads.Row> shown =
                threads.rows().subList(0, Math.min(MOST_THREADS, threads.rows().size()));
        long start =
                threads.rows().stream().mapToLong(HostThreads.Row::start).min().orElse(0);
        long raster = slices.size() > MOST_SLICES ? Math.max(1, threads.span() / RASTER) : 0;
        Strip.Names names = new Strip.Names(trace);
        List<TimelineRow> rows = new ArrayList<>();
        Strip[] strips = strips(slices, shown, start, raster, names);
        for (int i = 0; i < shown.size(); i++) {
            String label = shown.get(i).label();
            if (!strips[2 * i].isEmpty()) {
                rows.add(strips[2 * i].row(label + " · annotations"));
            }
            if (!strips[2 * i + 1].isEmpty()) {
                rows.add(strips[2 * i + 1].row(label));
            }
        }
        String doc = "Each bar is an operator or call on its thread that lies in no other; above them the annotations."
                + (raster > 0
                        ? " There are many: neighbours of one class closer than " + raster / 1000
                                + " µs are drawn as one."
                        : "")
                + (shown.size() < threads.rows().size()
                        ? " Only the busiest " + shown.size() + " of "
                                + threads.rows().size() + " threads are drawn."
                        : "");
        return new Chart.Timeline(
                "Threads over time", doc, start, start + threads.span(), CLASSES, names.texts(), rows);
    }

    /** Two for each thread: its annotations, and its operators and calls. */
    private static Strip[] strips(
            Slices slices, List<HostThreads.Row> shown, long origin, long raster, Strip.Names names) {
        int tracks = 1 + shown.stream().mapToInt(HostThreads.Row::track).max().orElse(0);
        int[] place = new int[tracks];
        Arrays.fill(place, -1);
        Strip[] strips = new Strip[2 * shown.size()];
        long[] reached = new long[strips.length];
        Arrays.fill(reached, Long.MIN_VALUE);
        for (int i = 0; i < shown.size(); i++) {
            place[shown.get(i).track()] = i;
        }
        Arrays.setAll(strips, i -> new Strip(raster));
        for (int i = 0; i < slices.size(); i++) {
            int kind = kind(slices.kind(i));
            int thread = slices.track(i) < tracks ? place[slices.track(i)] : -1;
            if (kind < 0 || thread < 0) {
                continue;
            }
            int strip = 2 * thread + (kind == ANNOTATION ? 0 : 1);
            if (slices.ts(i) >= reached[strip]) {
                reached[strip] = slices.end(i);
                strips[strip].add(slices.ts(i) - origin, slices.dur(i), kind, names.of(slices.name(i)));
            }
        }
        return strips;
    }

    private static int kind(SliceKind kind) {
        return switch (kind) {
            case CPU_OP -> 0;
            case RUNTIME_CALL, DRIVER_CALL -> 1;
            case HOST_OTHER -> 2;
            case ANNOTATION -> ANNOTATION;
            default -> -1;
        };
    }
}
