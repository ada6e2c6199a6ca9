// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A picture, as data. Writers draw it; those that cannot draw leave it out. */
public sealed interface Chart {
    /** {@return what is shown above the picture} */
    String title();

    /** {@return what the picture shows, and how to read it} */
    String doc();

    /**
     * Horizontal bars, each split into parts that share one legend.
     *
     * @param title shown above the picture
     * @param doc what the picture shows, and how to read it
     * @param unit printed beside the values, may be empty
     * @param parts names of the parts, in the order in which they are stacked
     * @param bars the bars from top to bottom
     * @param shares whether the bars share one whole, as kernels share the time of a device; else each is a whole
     */
    record StackedBars(String title, String doc, String unit, List<String> parts, List<Bar> bars, boolean shares)
            implements Chart {
        /** Copies the lists. */
        public StackedBars {
            parts = List.copyOf(parts);
            bars = List.copyOf(bars);
        }

        /**
         * Bars each of which is a whole.
         *
         * @param title shown above the picture
         * @param doc what the picture shows, and how to read it
         * @param unit printed beside the values, may be empty
         * @param parts names of the parts, in the order in which they are stacked
         * @param bars the bars from top to bottom
         */
        public StackedBars(String title, String doc, String unit, List<String> parts, List<Bar> bars) {
            this(title, doc, unit, parts, bars, false);
        }
    }

    /**
     * One bar: a label, and a value for each part. Ownership of the array passes to the bar.
     *
     * @param label shown beside the bar
     * @param values one value for each part, in the chart's unit
     * @param lead where the bar leads to; null for nowhere of its own
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Bar(String label, double[] values, @Nullable Evidence lead) {
        /**
         * A bar that leads nowhere of its own.
         *
         * @param label shown beside the bar
         * @param values one value for each part, in the chart's unit
         */
        public Bar(String label, double[] values) {
            this(label, values, null);
        }
    }

    /**
     * Activity over time, a row per device stream, thread or counter, to be zoomed and panned.
     *
     * @param title shown above the picture
     * @param doc what the picture shows, and how to read it
     * @param startNs time of the left edge
     * @param endNs time of the right edge
     * @param classes the legend: what kinds of activity there are
     * @param texts what slices refer to
     * @param rows from top to bottom
     */
    record Timeline(
            String title,
            String doc,
            long startNs,
            long endNs,
            List<String> classes,
            TimelineTexts texts,
            List<TimelineRow> rows)
            implements Chart {
        /** Copies the lists. */
        public Timeline {
            classes = List.copyOf(classes);
            rows = List.copyOf(rows);
        }

        /**
         * A timeline whose slices have names, but nothing else to tell.
         *
         * @param title shown above the picture
         * @param doc what the picture shows, and how to read it
         * @param startNs time of the left edge
         * @param endNs time of the right edge
         * @param classes the legend: what kinds of activity there are
         * @param names texts that slices refer to
         * @param rows from top to bottom
         */
        public Timeline(
                String title,
                String doc,
                long startNs,
                long endNs,
                List<String> classes,
                List<String> names,
                List<TimelineRow> rows) {
            this(title, doc, startNs, endNs, classes, new TimelineTexts(names, List.of()), rows);
        }
    }

    /**
     * Texts that the slices of a timeline refer to.
     *
     * @param names what slices are called
     * @param details what else is known of slices, a line for each thing
     * @param labels short words for the names at the same places, empty for those that have none; none where nobody has
     */
    record TimelineTexts(List<String> names, List<String> details, List<String> labels) {
        /** Copies the lists. */
        public TimelineTexts {
            names = List.copyOf(names);
            details = List.copyOf(details);
            labels = List.copyOf(labels);
        }

        /**
         * Texts without short words.
         *
         * @param names what slices are called
         * @param details what else is known of slices, a line for each thing
         */
        public TimelineTexts(List<String> names, List<String> details) {
            this(names, details, List.of());
        }
    }

    /**
     * One of two recordings that share a timeline.
     *
     * @param label short, the same as before the labels of its rows
     * @param source where it was read from
     * @param originNs its time at the left edge of the picture, in ns
     */
    record TimelineSide(String label, String source, long originNs) {}

    /**
     * What a row of a timeline is.
     *
     * @param label e.g. {@code device 0 · stream 7}; empty for further lanes of the row above
     * @param group word for the part of the picture it belongs to, e.g. {@code device}; empty where there are no parts
     * @param counter whether it shows numbers, which are the {@code merged} of its slices, not activity
     * @param unit of these numbers, empty for none
     * @param step what one of these numbers stands for, in the unit
     * @param side the recording it is of; null where the timeline shows one
     */
    record TimelineHead(
            String label,
            String group,
            boolean counter,
            String unit,
            double step,
            @Nullable TimelineSide side) {
        /**
         * A row of the only recording.
         *
         * @param label e.g. {@code power, device 0}
         * @param group word for the part of the picture it belongs to
         * @param counter whether it shows numbers
         * @param unit of these numbers, empty for none
         * @param step what one of these numbers stands for, in the unit
         */
        public TimelineHead(String label, String group, boolean counter, String unit, double step) {
            this(label, group, counter, unit, step, null);
        }

        /**
         * A row that shows numbers as they are.
         *
         * @param label e.g. {@code memory, device 0}
         * @param group word for the part of the picture it belongs to
         * @param counter whether it shows numbers
         * @param unit of these numbers, empty for none
         */
        public TimelineHead(String label, String group, boolean counter, String unit) {
            this(label, group, counter, unit, 1);
        }

        /**
         * A row that shows activity, or numbers without a unit.
         *
         * @param label e.g. {@code device 0 · stream 7}
         * @param group word for the part of the picture it belongs to
         * @param counter whether it shows numbers
         */
        public TimelineHead(String label, String group, boolean counter) {
            this(label, group, counter, "");
        }

        /**
         * {@return the head of a row of one of two recordings, which its label names}
         *
         * @param of the recording
         */
        public TimelineHead of(TimelineSide of) {
            String named = label.isEmpty() ? "" : of.label + " · " + label;
            return new TimelineHead(named, group, counter, unit, step, of);
        }
    }

    /**
     * One row of a timeline. Either every slice is given, or, where there are too many, {@code joined} says what was joined
     * into the slices that are given. The arrays run in parallel and pass to the row.
     *
     * @param head what the row is
     * @param start offsets from the chart's start in ns, ascending
     * @param duration ns
     * @param kind index into the chart's classes
     * @param name index into the chart's names, -1 for a joined slice
     * @param joined what was joined; null where every slice stands for itself
     * @param links what else is known of the slices; null for nothing
     */
    @SuppressWarnings("ArrayRecordComponent")
    record TimelineRow(
            TimelineHead head,
            long[] start,
            long[] duration,
            int[] kind,
            int[] name,
            @Nullable TimelineJoined joined,
            @Nullable TimelineLinks links) {
        /**
         * A row whose slices may be joined.
         *
         * @param label e.g. {@code GPU 0 · stream 7}
         * @param start offsets from the chart's start in ns, ascending
         * @param duration ns
         * @param kind index into the chart's classes
         * @param name index into the chart's names, -1 for a joined slice
         * @param merged 1 for a single slice, else the number of slices that were joined
         * @param busy how much of the duration something ran, in ns
         */
        public TimelineRow(
                String label, long[] start, long[] duration, int[] kind, int[] name, int[] merged, long[] busy) {
            this(
                    new TimelineHead(label, "", false),
                    start,
                    duration,
                    kind,
                    name,
                    new TimelineJoined(merged, busy),
                    null);
        }

        /** {@return what is shown beside the row} */
        public String label() {
            return head.label();
        }
    }

    /**
     * Slices of a row that stand for several. The arrays run in parallel with those of the row.
     *
     * @param merged 1 for a single slice, else how many began in it
     * @param busy how much of the duration something ran, in ns
     */
    @SuppressWarnings("ArrayRecordComponent")
    record TimelineJoined(int[] merged, long[] busy) {}

    /**
     * What else is known of the slices of a row. The arrays run in parallel with those of the row.
     *
     * @param details index into the chart's details, -1 for none
     * @param cause number of the slice that launched it, counted over all rows from top to bottom; -1 for none
     */
    @SuppressWarnings("ArrayRecordComponent")
    record TimelineLinks(int[] details, int[] cause) {}

    /**
     * Points in a plane, e.g. operators under a roofline.
     *
     * @param title shown above the picture
     * @param doc what the picture shows, and how to read it
     * @param x horizontal axis
     * @param y vertical axis
     * @param series groups of points, each with a colour of its own, in order of the legend
     * @param lines drawn beneath the points, e.g. the roofs of a device
     */
    record Scatter(String title, String doc, Axis x, Axis y, List<Points> series, List<Polyline> lines)
            implements Chart {
        /** Copies the lists. */
        public Scatter {
            series = List.copyOf(series);
            lines = List.copyOf(lines);
        }
    }

    /**
     * What is laid off along one side of a chart.
     *
     * @param label what is measured, with the unit
     * @param logarithmic whether equal distances are equal ratios; such an axis leaves out values that are not positive
     */
    record Axis(String label, boolean logarithmic) {}

    /**
     * Points that belong together. The arrays run in parallel and pass to the record.
     *
     * @param name shown in the legend
     * @param connected whether neighbours are joined by a line
     * @param x places along the horizontal axis, in its unit
     * @param y places along the vertical axis, in its unit
     * @param weight what the area of a point stands for, e.g. time; all alike for points of one size
     * @param labels what a reader sees who points at one
     * @param leads where each leads to; empty where that is to be found by their labels
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Points(
            String name,
            boolean connected,
            double[] x,
            double[] y,
            double[] weight,
            List<String> labels,
            List<Evidence> leads) {
        /** Copies the lists. */
        public Points {
            labels = List.copyOf(labels);
            leads = List.copyOf(leads);
        }

        /**
         * Points that lead to the rows which their labels name.
         *
         * @param name shown in the legend
         * @param connected whether neighbours are joined by a line
         * @param x places along the horizontal axis, in its unit
         * @param y places along the vertical axis, in its unit
         * @param weight what the area of a point stands for, e.g. time; all alike for points of one size
         * @param labels what a reader sees who points at one
         */
        public Points(String name, boolean connected, double[] x, double[] y, double[] weight, List<String> labels) {
            this(name, connected, x, y, weight, labels, List.of());
        }
    }

    /**
     * A line from corner to corner. The arrays run in parallel and pass to the record.
     *
     * @param name shown in the legend
     * @param x places of the corners along the horizontal axis
     * @param y places of the corners along the vertical axis
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Polyline(String name, double[] x, double[] y) {}

    /**
     * A value for each row and column, shown by colour.
     *
     * @param title shown above the picture
     * @param doc what the picture shows, and how to read it
     * @param unit printed beside the values, may be empty
     * @param rows labels from top to bottom
     * @param columns labels from left to right
     * @param values {@code values[row][column]}; NaN for cells that have none
     * @param scale what the values mean
     * @param leads where cells lead to, {@code leads[row * columns + column]}; empty for nowhere
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Heat(
            String title,
            String doc,
            String unit,
            List<String> rows,
            List<String> columns,
            double[][] values,
            Scale scale,
            List<Evidence> leads)
            implements Chart {
        /** Copies the labels. */
        public Heat {
            rows = List.copyOf(rows);
            columns = List.copyOf(columns);
            leads = List.copyOf(leads);
        }

        /**
         * Values whose cells lead nowhere.
         *
         * @param title shown above the picture
         * @param doc what the picture shows, and how to read it
         * @param unit printed beside the values, may be empty
         * @param rows labels from top to bottom
         * @param columns labels from left to right
         * @param values {@code values[row][column]}; NaN for cells that have none
         * @param scale what the values mean
         */
        public Heat(
                String title,
                String doc,
                String unit,
                List<String> rows,
                List<String> columns,
                double[][] values,
                Scale scale) {
            this(title, doc, unit, rows, columns, values, scale, List.of());
        }

        /**
         * Values that are neither good nor bad.
         *
         * @param title shown above the picture
         * @param doc what the picture shows, and how to read it
         * @param unit printed beside the values, may be empty
         * @param rows labels from top to bottom
         * @param columns labels from left to right
         * @param values {@code values[row][column]}; NaN for cells that have none
         */
        public Heat(String title, String doc, String unit, List<String> rows, List<String> columns, double[][] values) {
            this(title, doc, unit, rows, columns, values, Scale.MAGNITUDE);
        }
    }

    /**
     * What holds what, as boxes below each other: each is as wide as its value, and stands below the one that holds it.
     *
     * @param title shown above the picture
     * @param doc what the picture shows, and how to read it
     * @param unit printed beside the values, may be empty
     * @param boxes each behind the one that holds it; the first holds all
     */
    record Icicle(String title, String doc, String unit, List<Box> boxes) implements Chart {
        /** Copies the boxes. */
        public Icicle {
            boxes = List.copyOf(boxes);
        }
    }

    /**
     * A box of an icicle.
     *
     * @param label shown in it
     * @param kind what it is, which decides how it is coloured: a word of the legend
     * @param parent number of the box that holds it, -1 for the first
     * @param value in the chart's unit, that of the boxes inside included
     */
    record Box(String label, String kind, int parent, double value) {}

    /** What the values of a picture mean, which decides how they are coloured. */
    enum Scale {
        /** How much there is, which is neither good nor bad. */
        MAGNITUDE,
        /** The less the better: time lost. */
        LOSS,
        /** Differences: below 0 is better, above worse. */
        CHANGE
    }

    /**
     * Contributions that lead from one total to another, as a waterfall from top to bottom.
     *
     * @param title shown above the picture
     * @param doc what the picture shows, and how to read it
     * @param unit printed beside the values, may be empty
     * @param fromLabel what the first total is
     * @param from the first total
     * @param toLabel what the last total is
     * @param steps contributions in order; {@code from} plus all of them is the last total
     * @param totals where both totals lead to
     */
    record Waterfall(
            String title,
            String doc,
            String unit,
            String fromLabel,
            double from,
            String toLabel,
            List<Contribution> steps,
            Evidence totals)
            implements Chart {
        /** Copies the steps. */
        public Waterfall {
            steps = List.copyOf(steps);
        }
    }

    /**
     * One step of a waterfall; negative values lead down.
     *
     * @param label shown beside the step
     * @param value what it adds, in the chart's unit
     * @param lead where it leads to
     */
    record Contribution(String label, double value, Evidence lead) {}
}
