// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Flows;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.timeline.BoundFlows;
import dev.lockstep.timeline.PathArrows;
import dev.lockstep.timeline.RankIds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the arrows among flow events and the slices that they join.
 *
 * <p>An end touches the innermost slice of its track at its moment; where several are open there and one carries the
 * arrow's id as its correlation, that one. On a device, a start touches what ends at its moment before what begins.
 *
 * <p>Ends with equal category, name and id make an arrow; where a program used an id again, each start begins a new one.
 * An arrow of which no two ends are left is not shown.
 */
final class FlowBinding {
    private final Trace trace;
    private final Flows flows;
    private final Slices slices;
    private final BitSet shown;
    private final Tally tally;
    private final RankIds ids;
    private final int[] touched;
    private final int[] arrow;
    private final long[] id;
    private final IntList order = new IntList(1024);
    private int arrows;
    /** Category of arrows that are replaced, -1 for none. */
    private int replaced = -1;

    private FlowBinding(Trace trace, BitSet shown, RankIds ids, Tally tally) {
        this.trace = trace;
        this.flows = trace.flows();
        this.slices = trace.slices();
        this.shown = shown;
        this.ids = ids;
        this.tally = tally;
        this.id = new long[flows.size()];
        this.touched = new int[flows.size()];
        this.arrow = new int[flows.size()];
        Arrays.fill(touched, -1);
        Arrays.fill(arrow, -1);
    }

    /**
     * @param shown the slices that are in the file
     * @param withPath whether a critical path is drawn, which takes the place of one that was drawn before
     */
    static BoundFlows of(Trace trace, BitSet shown, RankIds ids, boolean withPath, Tally tally) {
        FlowBinding binding = new FlowBinding(trace, shown, ids, tally);
        binding.replaced = withPath ? trace.strings().find(PathArrows.NAME) : -1;
        if (binding.flows.size() > 0) {
            binding.touch();
            binding.join();
        }
        return new BoundFlows(binding.arrow, binding.id, binding.touched, binding.order.toArray());
    }

    /** Goes through slices and flow ends in order of time, with the open slices of each track at hand. */
    private void touch() {
        int[] rows = new int[flows.size()];
        long[] times = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i;
            times[i] = flows.ts(i);
        }
        LongOrder.sort(times, rows);
        IntList[] open = new IntList[trace.tracks().size()];
        for (int row : rows) {
            if (open[flows.track(row)] == null) {
                open[flows.track(row)] = new IntList(16);
            }
        }
        int next = 0;
        for (int row : rows) {
            long ts = flows.ts(row);
            for (; next < slices.size() && slices.ts(next) <= ts; next++) {
                IntList stack = open[slices.track(next)];
                if (stack != null) {
                    close(stack, slices.ts(next));
                    stack.add(next);
                }
            }
            IntList stack = Objects.requireNonNull(open[flows.track(row)]);
            int at = at(stack, ts, flows.id(row));
            touched[row] = flows.phase(row) == 's' ? ended(stack, at, ts) : at;
        }
    }

    private void close(IntList stack, long before) {
        while (stack.size() > 0 && slices.end(stack.get(stack.size() - 1)) < before) {
            stack.removeLast();
        }
    }

    private int at(IntList stack, long ts, long id) {
        int open = 0; // what is over may lie beneath what ends at this moment
        for (int i = 0; i < stack.size(); i++) {
            if (slices.end(stack.get(i)) >= ts) {
                stack.set(open++, stack.get(i));
            }
        }
        while (stack.size() > open) {
            stack.removeLast();
        }
        int innermost = -1;
        for (int i = open - 1; i >= 0; i--) {
            int slice = stack.get(i);
            if (slices.correlation(slice) == id) {
                return slice;
            }
            innermost = innermost < 0 ? slice : innermost;
        }
        return innermost;
    }

    /** An arrow from a device starts where what it comes from ends, which is where the next one may begin. */
    private int ended(IntList stack, int innermost, long ts) {
        if (innermost < 0
                || slices.ts(innermost) != ts
                || !slices.kind(innermost).isOnDevice()) {
            return innermost;
        }
        for (int i = stack.size() - 1; i >= 0; i--) {
            int slice = stack.get(i);
            if (slices.end(slice) == ts && slices.ts(slice) < ts) {
                return slice;
            }
        }
        return innermost;
    }

    /** Brings the ends of each id together. */
    private void join() {
        int[] rows = new int[flows.size()];
        long[] ids = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i;
            ids[i] = flows.id(i);
        }
        LongOrder.sort(ids, rows);
        for (int from = 0; from < rows.length; ) {
            int to = from + 1;
            while (to < rows.length && ids[to] == ids[from]) {
                to++;
            }
            ofOneId(rows, from, to);
            from = to;
        }
    }

    private void ofOneId(int[] rows, int from, int to) {
        if (to - from > 2 || to - from == 2 && compare(rows[from], rows[from + 1]) > 0) {
            Integer[] boxed = new Integer[to - from];
            for (int i = 0; i < boxed.length; i++) {
                boxed[i] = rows[from + i];
            }
            Arrays.sort(boxed, (Comparator<Integer>) this::compare);
            for (int i = 0; i < boxed.length; i++) {
                rows[from + i] = boxed[i];
            }
        }
        int begin = from;
        while (begin < to) {
            int end = begin + 1;
            while (end < to && alike(rows[begin], rows[end])) {
                end++;
            }
            split(rows, begin, end);
            begin = end;
        }
    }

    /** Starts of one key stand first where there is but one; else each start takes what comes before the next. */
    private void split(int[] rows, int from, int to) {
        int starts = 0;
        for (int i = from; i < to; i++) {
            starts += flows.phase(rows[i]) == 's' ? 1 : 0;
        }
        if (starts == 1) {
            for (int i = from; i < to; i++) {
                if (flows.phase(rows[i]) == 's') {
                    int start = rows[i];
                    System.arraycopy(rows, from, rows, from + 1, i - from);
                    rows[from] = start;
                }
            }
        }
        int begin = from;
        boolean again = false;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || flows.phase(rows[i]) == 's') {
                arrow(rows, begin, i, again);
                again = true;
                begin = i;
            }
        }
    }

    private void arrow(int[] rows, int from, int to, boolean again) {
        if (replaced >= 0 && flows.category(rows[from]) == replaced) {
            drop(rows, from, to, Reason.FLOW_OF_PATH);
            return;
        }
        if (flows.phase(rows[from]) != 's') {
            drop(rows, from, to, Reason.FLOW_WITHOUT_START);
            return;
        }
        if (to - from == 1) {
            drop(rows, from, to, Reason.FLOW_WITHOUT_END);
            return;
        }
        Reason reason = problem(rows[from], rows[from]);
        if (reason != null) {
            drop(rows, from, to, reason);
            return;
        }
        int kept = order.size();
        order.add(rows[from]);
        Reason alone = Reason.FLOW_WITHOUT_END;
        for (int i = from + 1; i < to; i++) {
            Reason why = problem(rows[from], rows[i]);
            if (why == null) {
                order.add(rows[i]);
            } else {
                drop(rows, i, i + 1, why);
                alone = why == Reason.FLOW_OF_FILTERED ? why : alone;
            }
        }
        if (order.size() == kept + 1) {
            order.removeLast();
            drop(rows, from, from + 1, alone);
            return;
        }
        for (int i = kept; i < order.size(); i++) {
            int row = order.get(i);
            arrow[row] = arrows;
            id[row] = again ? ids.again(arrows) : ids.of(flows.id(row));
        }
        arrows++;
    }

    private @Nullable Reason problem(int start, int end) {
        int slice = touched[end];
        if (slice < 0) {
            return Reason.FLOW_WITHOUT_SLICE;
        }
        if (!shown.get(slice)) {
            return Reason.FLOW_OF_FILTERED;
        }
        int first = touched[start];
        if (end != start && Math.max(slices.ts(slice), slices.ts(first) + 1) > slices.end(slice)) {
            return Reason.FLOW_BACKWARDS;
        }
        long one = slices.correlation(first);
        long other = slices.correlation(slice);
        return one >= 0 && other >= 0 && one != other ? Reason.FLOW_CORRELATION : null;
    }

    private void drop(int[] rows, int from, int to, Reason reason) {
        for (int i = from; i < to; i++) {
            touched[rows[i]] = -1;
            tally.add(reason);
        }
    }

    private boolean alike(int x, int y) {
        return flows.category(x) == flows.category(y) && name(x) == name(y);
    }

    private int compare(int x, int y) {
        int c = Integer.compare(flows.category(x), flows.category(y));
        c = c != 0 ? c : Integer.compare(name(x), name(y));
        c = c != 0 ? c : Long.compare(flows.ts(x), flows.ts(y));
        c = c != 0 ? c : Integer.compare(rank(flows.phase(x)), rank(flows.phase(y)));
        return c != 0 ? c : Integer.compare(x, y);
    }

    private static int rank(char phase) {
        return phase == 's' ? 0 : phase == 't' ? 1 : 2;
    }

    private int name(int row) {
        Recorded recorded = trace.recorded();
        return recorded == null ? -1 : recorded.flowName(row);
    }
}
