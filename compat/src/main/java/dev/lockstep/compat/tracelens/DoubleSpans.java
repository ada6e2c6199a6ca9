// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.table.DoubleList;

/** Disjoint intervals of doubles in ascending order. Spans that touch are one. Confined to one thread. */
final class DoubleSpans {
    private final DoubleList starts = new DoubleList(16);
    private final DoubleList ends = new DoubleList(16);
    private double start = Double.NaN;
    private double end;

    /** Adds a span that does not start before the one added last. */
    void add(double from, double to) {
        if (Double.isNaN(start)) {
            start = from;
            end = to;
        } else if (from <= end) {
            end = Math.max(end, to);
        } else {
            starts.add(start);
            ends.add(end);
            start = from;
            end = to;
        }
    }

    private int size() {
        return starts.size() + (Double.isNaN(start) ? 0 : 1);
    }

    private double start(int i) {
        return i < starts.size() ? starts.get(i) : start;
    }

    private double end(int i) {
        return i < ends.size() ? ends.get(i) : end;
    }

    /** The sum of the lengths, first to last. */
    double total() {
        double total = 0;
        for (int i = 0; i < size(); i++) {
            total += end(i) - start(i);
        }
        return total;
    }

    /** From the first start to the last end, 0 for nothing. */
    double span() {
        return size() == 0 ? 0 : end(size() - 1) - start(0);
    }

    /** The sum of the gaps that are shorter. */
    double gapsBelow(double length) {
        double total = 0;
        for (int i = 1; i < size(); i++) {
            double gap = start(i) - end(i - 1);
            total += gap < length ? gap : 0;
        }
        return total;
    }

    /** What is not covered by others. */
    DoubleSpans minus(DoubleSpans others) {
        DoubleSpans rest = new DoubleSpans();
        int first = 0;
        for (int i = 0; i < size(); i++) {
            double reached = start(i);
            double to = end(i);
            while (first < others.size() && others.end(first) <= reached) {
                first++;
            }
            for (int k = first; k < others.size() && others.start(k) < to && reached < to; k++) {
                if (others.start(k) > reached) {
                    rest.add(reached, others.start(k));
                }
                reached = Math.max(reached, others.end(k));
            }
            if (reached < to) {
                rest.add(reached, to);
            }
        }
        return rest;
    }
}
