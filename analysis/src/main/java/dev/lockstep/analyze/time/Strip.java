// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.model.Trace;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A row of a timeline as it is filled, in order of time: neighbours of one kind that lie close are joined. */
final class Strip {
    private final LongList starts = new LongList(256);
    private final LongList durations = new LongList(256);
    private final IntList kinds = new IntList(256);
    private final IntList texts = new IntList(256);
    private final IntList merged = new IntList(256);
    private final long raster;

    /** @param raster neighbours closer than this, in ns, are joined; 0 to join none */
    Strip(long raster) {
        this.raster = raster;
    }

    void add(long from, long duration, int kind, int text) {
        int last = starts.size() - 1;
        long reached = last < 0 ? 0 : starts.get(last) + durations.get(last);
        boolean near = last >= 0 && kinds.get(last) == kind && from - reached < raster && duration < raster * 4;
        if (near && raster > 0) {
            durations.set(last, Math.max(reached, from + duration) - starts.get(last));
            merged.set(last, merged.get(last) + 1);
            texts.set(last, -1);
        } else {
            starts.add(from);
            durations.add(duration);
            kinds.add(kind);
            texts.add(text);
            merged.add(1);
        }
    }

    boolean isEmpty() {
        return starts.size() == 0;
    }

    TimelineRow row(String label) {
        long[] lengths = durations.toArray();
        return new TimelineRow(
                label, starts.toArray(), lengths, kinds.toArray(), texts.toArray(), merged.toArray(), lengths);
    }

    /** Numbers the names that a chart needs. */
    static final class Names {
        private final Trace trace;
        private final int[] numbers;
        private final List<String> texts = new ArrayList<>();

        Names(Trace trace) {
            this.trace = trace;
            this.numbers = new int[trace.strings().size()];
            Arrays.fill(numbers, -1);
        }

        int of(int name) {
            if (numbers[name] < 0) {
                numbers[name] = texts.size();
                texts.add(trace.strings().get(name));
            }
            return numbers[name];
        }

        List<String> texts() {
            return texts;
        }
    }
}
