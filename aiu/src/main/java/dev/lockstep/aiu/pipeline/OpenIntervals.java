// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import dev.lockstep.table.DoubleList;
import java.util.Arrays;

/** The right count: intervals that begin at a time are open from it on, those that end at it no longer. */
final class OpenIntervals implements OpenCount {
    private final DoubleList starts = new DoubleList(64);
    private final DoubleList ends = new DoubleList(64);

    @Override
    public void add(double start, double end, StepSink steps) {
        if (Double.isNaN(start) || Double.isNaN(end)) {
            return; // of no place in time
        }
        starts.add(start);
        ends.add(end);
    }

    @Override
    public void finish(StepSink steps) {
        double[] from = starts.toArray();
        double[] to = ends.toArray();
        Arrays.sort(from);
        Arrays.sort(to);
        int begun = 0;
        int ended = 0;
        while (ended < to.length) {
            double ts = begun < from.length ? Math.min(from[begun], to[ended]) : to[ended];
            while (begun < from.length && from[begun] == ts) {
                begun++;
            }
            while (ended < to.length && to[ended] == ts) {
                ended++;
            }
            steps.step(ts, begun - ended);
        }
    }
}
