// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.schedule.Composition;
import dev.lockstep.goal.schedule.ScheduleSink;
import dev.lockstep.table.IntList;
import java.io.IOException;
import java.util.Arrays;

/**
 * Blocks as the reference writes them: each parallel block has a {@code calc 0} at its beginning and one at its end, even
 * if it is empty. A part's dependency on what came before stands behind all of its lines.
 */
final class NestedComposition implements Composition {
    private static final int SEQUENCE = 0;
    private static final int PARALLEL = 1;
    private static final int NONE = -1;

    private final ScheduleSink sink;
    private final IntList ends = new IntList(64);

    /** For each open block: kind, first operation, last operation or cpu, begin of its ends. */
    private int[] frames = new int[4 * 16];

    private int depth = -1;

    NestedComposition(ScheduleSink sink) {
        this.sink = sink;
        sequence();
    }

    @Override
    public void sequence() {
        push(SEQUENCE, NONE, NONE);
    }

    @Override
    public void parallel(int cpu) throws IOException {
        push(PARALLEL, sink.calc(0, cpu), cpu);
    }

    @Override
    public void close() throws IOException {
        int frame = 4 * depth;
        int first = frames[frame + 1];
        int last = frames[frame + 2];
        if (frames[frame] == PARALLEL) {
            int from = frames[frame + 3];
            last = sink.calc(0, last);
            for (int i = from; i < ends.size(); i++) {
                sink.requires(last, ends.get(i));
            }
            while (ends.size() > from) {
                ends.removeLast();
            }
        }
        depth--;
        if (first != NONE && depth >= 0) {
            part(first, last);
        }
    }

    @Override
    public void add(int operation) throws IOException {
        part(operation, operation);
    }

    /** Whether nothing came so far. */
    boolean empty() {
        return frames[1] == NONE;
    }

    private void part(int first, int last) throws IOException {
        int frame = 4 * depth;
        if (frames[frame] == PARALLEL) {
            sink.requires(first, frames[frame + 1]);
            ends.add(last);
            return;
        }
        if (frames[frame + 1] == NONE) {
            frames[frame + 1] = first;
        } else {
            sink.requires(first, frames[frame + 2]);
        }
        frames[frame + 2] = last;
    }

    private void push(int kind, int first, int last) {
        depth++;
        if (4 * depth + 4 > frames.length) {
            frames = Arrays.copyOf(frames, 2 * frames.length);
        }
        int frame = 4 * depth;
        frames[frame] = kind;
        frames[frame + 1] = first;
        frames[frame + 2] = last;
        frames[frame + 3] = ends.size();
    }
}
