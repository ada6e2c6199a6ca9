// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;

/** A picture, as data. Writers draw it; those that cannot draw leave it out. */
public sealed interface Chart {
    /** Shown above the picture. */
    String title();

    /** What the picture shows, and how to read it. */
    String doc();

    /**
     * Horizontal bars, each split into parts that share one legend.
     *
     * @param unit printed beside the values, may be empty
     * @param parts names of the parts, in the order in which they are stacked
     * @param bars the bars from top to bottom
     */
    record StackedBars(String title, String doc, String unit, List<String> parts, List<Bar> bars) implements Chart {
        public StackedBars {
            parts = List.copyOf(parts);
            bars = List.copyOf(bars);
        }
    }

    /** One bar: a label, and a value for each part. Ownership of the array passes to the bar. */
    @SuppressWarnings("ArrayRecordComponent")
    record Bar(String label, double[] values) {}

    /**
     * Activity over time, a row per device stream, to be zoomed and panned.
     *
     * @param startNs time of the left edge
     * @param endNs time of the right edge
     * @param classes the legend: what kinds of activity there are
     * @param names texts that slices refer to
     * @param rows from top to bottom
     */
    record Timeline(
            String title,
            String doc,
            long startNs,
            long endNs,
            List<String> classes,
            List<String> names,
            List<TimelineRow> rows)
            implements Chart {
        public Timeline {
            classes = List.copyOf(classes);
            names = List.copyOf(names);
            rows = List.copyOf(rows);
        }
    }

    /**
     * One row of a timeline. Either every slice is given, or, where there are too many, {@code merged} says how many
     * neighbours were joined into the slices that are given. The arrays run in parallel and pass to the row.
     *
     * @param label e.g. {@code GPU 0 · stream 7}
     * @param start offsets from the chart's start in ns, ascending
     * @param duration ns
     * @param kind index into the chart's classes
     * @param name index into the chart's names, -1 for a joined slice
     * @param merged 1 for a single slice, else the number of slices that were joined
     */
    @SuppressWarnings("ArrayRecordComponent")
    record TimelineRow(String label, long[] start, long[] duration, int[] kind, int[] name, int[] merged) {}
}
