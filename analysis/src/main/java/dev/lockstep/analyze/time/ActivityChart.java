// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.TimelineRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The strip of device streams for a page: every activity while there are few; where there are many, neighbours of one
 * class that lie closer than a fine raster are joined.
 */
public final class ActivityChart {
    private static final int MOST_SLICES = 24_000;
    private static final int RASTER = 6_000;
    private static final int MOST_STREAMS = 24;

    private ActivityChart() {}

    /** The chart of this activity, which must not be empty. */
    public static Chart.Timeline of(Trace trace, DeviceActivity activity) {
        Slices slices = trace.slices();
        long start = slices.ts(activity.slice(0));
        long end = start;
        for (int i = 0; i < activity.size(); i++) {
            end = Math.max(end, slices.end(activity.slice(i)));
        }
        boolean join = activity.size() > MOST_SLICES;
        long raster = join ? Math.max(1, (end - start) / RASTER) : 0;
        Strip.Names names = new Strip.Names(trace);
        List<TimelineRow> rows = new ArrayList<>();
        int[] streams = busiest(activity, slices);
        for (int stream : streams) {
            DeviceActivity.Stream place = activity.streams().get(stream);
            String label = "device " + place.device() + " · stream " + place.stream();
            rows.add(strip(slices, activity, stream, raster, names).row(label));
        }
        String doc = "Each bar is a kernel, copy or fill on its stream."
                + (join
                        ? " There are many: neighbours of one class closer than " + raster / 1000
                                + " µs are drawn as one."
                        : "")
                + (streams.length < activity.streams().size()
                        ? " Only the busiest " + streams.length + " of "
                                + activity.streams().size() + " streams are drawn."
                        : "");
        return new Chart.Timeline("Streams over time", doc, start, end, classes(), names.texts(), rows);
    }

    /** The streams with the longest activities in sum, in their order. */
    private static int[] busiest(DeviceActivity activity, Slices slices) {
        long[] time = new long[activity.streams().size()];
        for (int i = 0; i < activity.size(); i++) {
            time[activity.streamOf(i)] += slices.dur(activity.slice(i));
        }
        return IntStream.range(0, time.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer s) -> -time[s]))
                .limit(MOST_STREAMS)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    /** What lies on a stream, from the chart's start on. */
    private static Strip strip(Slices slices, DeviceActivity activity, int stream, long raster, Strip.Names names) {
        long origin = slices.ts(activity.slice(0));
        Strip strip = new Strip(raster);
        for (int i = 0; i < activity.size(); i++) {
            if (activity.streamOf(i) == stream) {
                int slice = activity.slice(i);
                int kind = activity.classOf(slice).ordinal();
                strip.add(slices.ts(slice) - origin, slices.dur(slice), kind, names.of(slices.name(slice)));
            }
        }
        return strip;
    }

    private static List<String> classes() {
        return Arrays.stream(KernelClass.values())
                .map(c -> c.name().toLowerCase(Locale.ROOT))
                .toList();
    }
}
