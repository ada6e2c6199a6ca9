// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A row and those behind it that its events move to, for events in order of time: finds the first row with room without
 * looking at each. A tree over the rows holds, of each half, the earliest and the latest of their next ends.
 */
final class RowChain {
    private final int first;
    private final LongList tids = new LongList(2);
    private final List<RunningEnds> rows = new ArrayList<>(2);

    /** For each place the last event that it took. */
    private double[] took = new double[2];

    private double[] earliest = emptyTree(2, Double.POSITIVE_INFINITY);
    private double[] latest = emptyTree(2, Double.NEGATIVE_INFINITY);
    private int leaves = 2;
    private double now = Double.NEGATIVE_INFINITY;

    /** @param first number of the first row */
    RowChain(int first, long tid, RunningEnds row) {
        this.first = first;
        add(tid, row);
    }

    /** Whether an event of a row may come next. */
    boolean takes(int row, long tid, double ts) {
        return first == row && tids.get(0) == tid && ts >= now;
    }

    /** How many rows there are. */
    int size() {
        return rows.size();
    }

    long tid(int place) {
        return tids.get(place);
    }

    /** Adds a row behind the last. */
    void add(long tid, RunningEnds row) {
        int place = rows.size();
        if (place == leaves) {
            grow();
        }
        tids.add(tid);
        rows.add(row);
        took[place] = Double.NEGATIVE_INFINITY;
        set(place, row.next(now));
    }

    /** The first place with room for an event; the number of places if there is none. */
    int find(double ts, double end) {
        now = ts;
        while (mayHaveRoom(1, ts, end)) {
            int node = 1;
            while (node < leaves) {
                node = mayHaveRoom(2 * node, ts, end) ? 2 * node : 2 * node + 1;
            }
            int place = node - leaves;
            if (!(earliest[node] > ts)) {
                rows.get(place).advance(ts);
                set(place, rows.get(place).next(ts));
            }
            if (!(earliest[node] < end)) {
                return place;
            }
        }
        return rows.size();
    }

    /** Puts the event that was looked for last on a row. */
    void take(int place, double end) {
        rows.get(place).add(now, end);
        took[place] = now;
        set(place, rows.get(place).next(now));
    }

    /** Brings the rows that were passed on the way to others to the time at which that happened last. */
    void settle() {
        double last = Double.NEGATIVE_INFINITY;
        for (int place = rows.size() - 1; place >= 0; place--) {
            last = Math.max(last, took[place]);
            rows.get(place).advance(last);
        }
    }

    /** Whether a row of a node has room, or has something that is over by now. */
    private boolean mayHaveRoom(int node, double ts, double end) {
        return !(latest[node] < end) || !(earliest[node] > ts);
    }

    private void set(int place, double next) {
        int node = leaves + place;
        earliest[node] = next;
        latest[node] = next;
        for (node >>= 1; node > 0; node >>= 1) {
            earliest[node] = Math.min(earliest[2 * node], earliest[2 * node + 1]);
            latest[node] = Math.max(latest[2 * node], latest[2 * node + 1]);
        }
    }

    private void grow() {
        double[] before = earliest;
        int places = leaves;
        leaves *= 2;
        took = Arrays.copyOf(took, leaves);
        earliest = emptyTree(leaves, Double.POSITIVE_INFINITY);
        latest = emptyTree(leaves, Double.NEGATIVE_INFINITY);
        for (int place = 0; place < places; place++) {
            set(place, before[places + place]);
        }
    }

    private static double[] emptyTree(int leaves, double value) {
        double[] tree = new double[2 * leaves];
        Arrays.fill(tree, value);
        return tree;
    }
}
