// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.EVENT_FLOW;
import static dev.lockstep.codec.PerfettoFormat.EVENT_FLOW_END;
import static dev.lockstep.codec.PerfettoFormat.FLOW_OF_PATH;

import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.model.Flows;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.timeline.BoundFlows;
import dev.lockstep.timeline.PathArrows;
import dev.lockstep.timeline.RankTimeline;

/**
 * The flow numbers of slices. An arrow is a number that its slices share; it runs in the order of their times, and the
 * last of them ends it. Numbers are the ids of the timeline in the lower 48 bits and the category above, since the format
 * knows no categories of arrows. Those of the path are common to all ranks.
 */
final class Arrows {
    private static final int ID_BITS = 48;

    private final BoundFlows bound;
    private final Flows flows;
    private final IntList categories = new IntList(4);
    private final LongList places = new LongList(64);
    private final LongList numbers = new LongList(64);
    private final int[] order;
    private final long[] sorted;
    private int next;
    private final PathArrows path;
    private final PathArrows.Cursor ofPath;

    Arrows(RankTimeline rank) {
        bound = rank.flows();
        flows = rank.trace().flows();
        path = rank.path();
        ofPath = new PathArrows.Cursor(path, 0);
        int[] rows = bound.order();
        for (int from = 0; from < rows.length; ) {
            int to = from + 1;
            while (to < rows.length && bound.arrow()[rows[to]] == bound.arrow()[rows[from]]) {
                to++;
            }
            arrow(rows, from, to);
            from = to;
        }
        order = new int[places.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        sorted = places.toArray();
        LongOrder.sort(sorted, order);
    }

    /** Pool ids of the categories, in the order of their numbers; -1 for none. */
    IntList categories() {
        return categories;
    }

    /** Adds the numbers of this slice; slices come in their order. */
    void write(int slice, ProtoBuffer event) {
        while (next < sorted.length && sorted[next] >>> 1 < slice) {
            next++;
        }
        while (next < sorted.length && sorted[next] >>> 1 == slice) {
            boolean last = (sorted[next] & 1) != 0;
            event.fixed(last ? EVENT_FLOW_END : EVENT_FLOW, numbers.get(order[next++]));
        }
        for (int i = ofPath.end(slice); i >= 0; i = ofPath.end(slice)) {
            event.fixed(path.starts()[i] ? EVENT_FLOW : EVENT_FLOW_END, FLOW_OF_PATH | path.ids()[i]);
        }
    }

    private void arrow(int[] rows, int from, int to) {
        int last = -1;
        int first = Integer.MAX_VALUE;
        for (int i = from; i < to; i++) {
            last = Math.max(last, bound.slice()[rows[i]]);
            first = Math.min(first, bound.slice()[rows[i]]);
        }
        if (first == last) {
            return;
        }
        long number = (long) category(flows.category(rows[from])) << ID_BITS | bound.id()[rows[from]];
        for (int i = from; i < to; i++) {
            int slice = bound.slice()[rows[i]];
            places.add((long) slice << 1 | (slice == last ? 1 : 0));
            numbers.add(number);
        }
    }

    private int category(int poolId) {
        for (int i = 0; i < categories.size(); i++) {
            if (categories.get(i) == poolId) {
                return i;
            }
        }
        categories.add(poolId);
        return categories.size() - 1;
    }
}
