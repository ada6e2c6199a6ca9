// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/** What a panel shows. Values that are not finite are gaps. */
public sealed interface Mark {
    /**
     * Distributions side by side: a box from the lower to the upper quartile, a line at the median, a dashed line at the
     * mean, whiskers to the farthest values within 1.5 times the box's height, and beyond these a point for each value.
     *
     * @param points whether values of small samples are shown too
     */
    record Boxes(List<Sample> samples, boolean points) implements Mark {
        public Boxes {
            samples = List.copyOf(samples);
        }
    }

    /** Distributions side by side: outlines as wide as values are frequent, with lines at median and mean (dashed). */
    record Violins(List<Sample> samples) implements Mark {
        public Violins {
            samples = List.copyOf(samples);
        }
    }

    /**
     * Lines over a row of places.
     *
     * @param places labels from left to right
     */
    record Lines(List<String> places, List<Series> series) implements Mark {
        public Lines {
            places = List.copyOf(places);
            series = List.copyOf(series);
        }
    }

    /**
     * Upright bars, one for each series at each place.
     *
     * @param places labels from left to right; a line break begins a second line
     */
    record Bars(List<String> places, List<Series> series) implements Mark {
        public Bars {
            places = List.copyOf(places);
            series = List.copyOf(series);
        }
    }

    /**
     * Lying bars with their values beside them.
     *
     * @param places labels from top to bottom; a line break begins a second line where there is room
     * @param unit printed behind values, may be empty
     */
    record RowBars(List<String> places, List<Series> series, String unit) implements Mark {
        public RowBars {
            places = List.copyOf(places);
            series = List.copyOf(series);
        }
    }

    /**
     * A coloured cell for each row and column, in the colours of what is better and worse than zero.
     *
     * @param rows labels from top to bottom
     * @param columns labels from left to right
     * @param values {@code values[row][column]}
     * @param scale what the colours mean, with the unit
     * @param moreIsBetter whether values above zero are for the better
     * @param least the smallest amount that gets the full colour, so that noise stays pale
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Heat(
            List<String> rows,
            List<String> columns,
            double[][] values,
            String scale,
            boolean moreIsBetter,
            double least)
            implements Mark {
        public Heat {
            rows = List.copyOf(rows);
            columns = List.copyOf(columns);
        }
    }

    /**
     * Bars along time in rows under each other.
     *
     * @param low left end of time
     * @param high right end of time, larger
     * @param classes colours of the bars, and their names for the legend; their values do not matter
     */
    record Gantt(List<GanttRow> rows, double low, double high, List<Series> classes) implements Mark {
        public Gantt {
            rows = List.copyOf(rows);
            classes = List.copyOf(classes);
        }
    }

    /**
     * A row of bars, and below them what is too dense for bars. The arrays run in parallel and pass to the record.
     *
     * @param group rows of one group stand together, such as those of a rank; may be empty
     * @param label may be empty
     * @param from begin of each bar
     * @param to its end
     * @param kind its class, by place
     * @param names what is written into bars that are wide enough; empty for nothing
     * @param shares {@code shares[class][column]}: how much of the time of a column, all of which are equally wide, a
     *     class takes; drawn as stacks of such heights. Without classes nothing is drawn.
     */
    @SuppressWarnings("ArrayRecordComponent")
    record GanttRow(
            String group, String label, double[] from, double[] to, int[] kind, List<String> names, double[][] shares) {
        public GanttRow {
            names = List.copyOf(names);
        }
    }
}
