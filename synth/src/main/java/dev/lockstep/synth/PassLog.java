// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayList;
import java.util.List;

/** The passes of micro-batches that a rank of a pipeline has run: first to last moment of its compute kernels. */
final class PassLog {
    /**
     * A pass. Times are true ns since the start of the run.
     *
     * @param step from 1
     */
    record Entry(int step, PipelineOrder.Work work, long start, long end) {}

    private final List<Entry> entries = new ArrayList<>();
    private long start;
    private long end;
    private boolean open;

    void begin() {
        open = true;
        start = Long.MAX_VALUE;
        end = Long.MIN_VALUE;
    }

    /** A compute kernel runs. */
    void ran(long from, long until) {
        if (open) {
            start = Math.min(start, from);
            end = Math.max(end, until);
        }
    }

    void end(int step, PipelineOrder.Work work) {
        open = false;
        entries.add(new Entry(step, work, start, end));
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }
}
