// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import dev.lockstep.table.IntList;
import java.io.IOException;
import java.util.Arrays;

/**
 * Dependencies between the operations themselves: the first operations of a block wait for the last ones of what came
 * before. No operations are added, but where many would have to wait for many, which one in between makes cheaper.
 */
public final class DirectComposition implements Composition {
    /** More than so many last operations are brought together in one. */
    private static final int FEW = 3;

    private static final int SEQUENCE = 0;
    private static final int PARALLEL = 1;

    private final ScheduleSink sink;

    /** Last operations: of what came before the block, and of its parts so far; ranges of this list. */
    private final IntList pool = new IntList(64);

    /** For each open block: kind, begin and end of the range before it, begin of its own range, whether it has parts. */
    private int[] frames = new int[5 * 16];

    private int depth;
    private long added;

    public DirectComposition(ScheduleSink sink) {
        this.sink = sink;
        push(SEQUENCE, 0, 0);
    }

    @Override
    public void sequence() {
        push(SEQUENCE, beforeFrom(), beforeTo());
    }

    @Override
    public void parallel(int cpu) throws IOException {
        join(cpu);
        push(PARALLEL, beforeFrom(), beforeTo());
    }

    @Override
    public void close() {
        int frame = 5 * depth;
        boolean any = frames[frame + 4] != 0;
        int from = frames[frame + 3];
        int to = pool.size();
        depth--;
        if (any) {
            part(from, to);
        }
    }

    @Override
    public void add(int operation) throws IOException {
        added++;
        int to = beforeTo();
        for (int i = beforeFrom(); i < to; i++) {
            sink.requires(operation, pool.get(i));
        }
        int from = pool.size();
        pool.add(operation);
        part(from, from + 1);
    }

    /** How many operations there were so far. */
    public long added() {
        return added;
    }

    /** How many operations what comes next has to wait for. */
    public int waiting() {
        return beforeTo() - beforeFrom();
    }

    /** The i-th of the operations that what comes next has to wait for. */
    public int waitingFor(int i) {
        return pool.get(beforeFrom() + i);
    }

    /** Sets a list to the operations that what comes next has to wait for. */
    public void copyWaiting(IntList into) {
        into.clear();
        for (int i = beforeFrom(); i < beforeTo(); i++) {
            into.add(pool.get(i));
        }
    }

    /** Makes what comes next wait for an operation, too; only where a sequence is open. */
    public void await(int operation) {
        int frame = 5 * depth;
        if (frames[frame] != SEQUENCE || pool.size() != frames[frame + 2]) {
            throw new IllegalStateException("only between the parts of a sequence");
        }
        pool.add(operation);
        frames[frame + 2] = pool.size();
    }

    /** Forgets everything so far: what comes next waits for nothing. Only outside of blocks. */
    public void restart() {
        if (depth != 1) {
            throw new IllegalStateException("a block is open");
        }
        pool.clear();
        depth = 0;
        push(SEQUENCE, 0, 0);
    }

    private void join(int cpu) throws IOException {
        if (waiting() > FEW && frames[5 * depth] == SEQUENCE) {
            add(sink.calc(0, cpu));
        }
    }

    /** A part has ended with the operations from one place of the pool to another, which is its end. */
    private void part(int from, int to) {
        int frame = 5 * depth;
        frames[frame + 4] = 1;
        if (frames[frame] == SEQUENCE) {
            int into = frames[frame + 3];
            if (into != from) {
                for (int i = from; i < to; i++) {
                    pool.set(into + i - from, pool.get(i));
                }
                while (pool.size() > into + to - from) {
                    pool.removeLast();
                }
            }
            frames[frame + 1] = into;
            frames[frame + 2] = into + to - from;
        }
    }

    private int beforeFrom() {
        return frames[5 * depth + 1];
    }

    private int beforeTo() {
        return frames[5 * depth + 2];
    }

    private void push(int kind, int from, int to) {
        depth++;
        if (5 * depth + 5 > frames.length) {
            frames = Arrays.copyOf(frames, 2 * frames.length);
        }
        int frame = 5 * depth;
        frames[frame] = kind;
        frames[frame + 1] = from;
        frames[frame + 2] = to;
        frames[frame + 3] = pool.size();
        frames[frame + 4] = 0;
    }
}
