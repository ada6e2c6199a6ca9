// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.timeline.PathArrows;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The slices through which paths lead, also from rank to rank, and the arrows between them. Viewers want arrows to lead to
 * slices that begin later. So where the path leads into one that began before, as a call that waited or the kernel of a member
 * that was in time, the arrow leads to the next one behind. Confined to one thread.
 *
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public final class PathStops {
    /**
     * A slice on a path.
     *
     * @param path number of the path; no arrows lead from one to another
     * @param rank number of its rank
     * @param event place of its event in the rank's file
     * @param start when it begins on the common clock, in ns
     * @param onPath for how long the path is in it, in ns
     */
    public record Stop(int path, int rank, int event, long start, long onPath) {}

    private final List<Stop> stops;
    private final Map<Integer, OfRank> ranks = new HashMap<>();
    private final BitSet shown = new BitSet();
    private int arrows;

    /** What a rank has of it; all by event. */
    private static final class OfRank {
        final Map<Integer, Long> onPath = new HashMap<>();
        final IntList stops = new IntList(16);
        final IntList touched = new IntList(16);
        final LongList ids = new LongList(16);
        final BitSet starts = new BitSet();

        void end(Stop at, boolean starts, int id) {
            this.starts.set(touched.size(), starts);
            touched.add(at.event);
            ids.add(id);
        }
    }

    /**
     * The arrows of paths.
     *
     * @param paths one after the other, each in the order in which it leads through them; a slice may come several times
     */
    public PathStops(List<Stop> paths) {
        stops = List.copyOf(paths);
        Stop from = null;
        for (int i = 0; i < stops.size(); i++) {
            Stop stop = stops.get(i);
            OfRank of = of(stop);
            of.onPath.merge(stop.event, stop.onPath, Long::sum);
            of.stops.add(i);
            Stop last = from != null && from.path == stop.path ? from : null;
            if (last == null || stop.start > last.start) {
                if (last != null) {
                    of(last).end(last, true, arrows);
                    of.end(stop, false, arrows++);
                }
                from = stop;
            }
        }
    }

    /** {@return no path} */
    public static PathStops none() {
        return new PathStops(List.of());
    }

    private OfRank of(Stop stop) {
        return ranks.computeIfAbsent(stop.rank, rank -> new OfRank());
    }

    /** How many arrows there are. */
    int arrows() {
        return arrows;
    }

    /** Whether there is a path. */
    boolean isEmpty() {
        return stops.isEmpty();
    }

    /** {@return the path through those slices alone that were shown so far} */
    public PathStops ofShown() {
        List<Stop> left = new ArrayList<>();
        shown.stream().forEach(i -> left.add(stops.get(i)));
        return new PathStops(left);
    }

    /**
     * What a rank has of it.
     *
     * @param slices rows of the slices that are shown, ascending
     */
    PathArrows on(Trace trace, int[] slices) {
        OfRank of = ranks.get(trace.info().rank().index());
        if (of == null) {
            return PathArrows.none();
        }
        Map<Integer, Integer> rows = rows(trace.slices(), slices, of.onPath);
        for (int i = 0; i < of.stops.size(); i++) {
            shown.set(of.stops.get(i), rows.containsKey(stops.get(of.stops.get(i)).event));
        }
        long[] byRow = new long[rows.size()];
        int[] events = new int[byRow.length];
        int n = 0;
        for (Map.Entry<Integer, Integer> row : rows.entrySet()) {
            events[n] = row.getKey();
            byRow[n++] = row.getValue();
        }
        LongOrder.sort(byRow, events);
        int[] onPathRows = new int[byRow.length];
        long[] onPath = new long[byRow.length];
        for (int i = 0; i < byRow.length; i++) {
            onPathRows[i] = (int) byRow[i];
            onPath[i] = of.onPath.getOrDefault(events[i], 0L);
        }
        int[] order = new int[of.touched.size()];
        long[] keys = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            keys[i] = rows.getOrDefault(of.touched.get(i), -1);
        }
        LongOrder.sort(keys, order);
        int[] touched = new int[order.length];
        boolean[] starts = new boolean[order.length];
        long[] ids = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            touched[i] = (int) keys[i];
            starts[i] = of.starts.get(order[i]);
            ids[i] = of.ids.get(order[i]);
        }
        return new PathArrows(onPathRows, onPath, touched, starts, ids);
    }

    /** Events to rows, of those that are on the path and shown. */
    private static Map<Integer, Integer> rows(Slices slices, int[] shown, Map<Integer, Long> onPath) {
        Map<Integer, Integer> rows = new HashMap<>();
        for (int row : shown) {
            int event = slices.index(row);
            if (onPath.containsKey(event)) {
                rows.put(event, row);
            }
        }
        return rows;
    }
}
