// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.table.IntList;
import java.util.Arrays;

/** Collects the operations of one rank after the other, and notes values that no schedule may have. */
final class OperationsBuilder {
    /** Stands for a source that may be any. */
    static final long ANY = -1;

    private static final long TAGS = 1L << 32;
    private static final int UNITS = 256;

    private final Flaws flaws;
    private int rank;
    private long ranks;
    private int size;
    byte[] kind = new byte[1024];
    long[] amount = new long[1024];
    int[] peer = new int[1024];
    int[] tag = new int[1024];
    byte[] cpu = new byte[1024];
    byte[] nic = new byte[1024];
    final IntList awaited = new IntList(1024);
    final IntList waiting = new IntList(1024);
    final IntList awaitedStart = new IntList(16);
    final IntList waitingStart = new IntList(16);

    OperationsBuilder(Flaws flaws) {
        this.flaws = flaws;
    }

    /** Begins with a rank, of so many. */
    void begin(int number, long of) {
        rank = number;
        ranks = of;
        size = 0;
        awaited.clear();
        waiting.clear();
        awaitedStart.clear();
        waitingStart.clear();
    }

    int size() {
        return size;
    }

    /**
     * Adds an operation.
     *
     * @param bytesOrNs less than 0 for what does not fit into 63 bits
     * @param from the other rank, {@link #ANY}, or 0 for calculations
     * @param mark the tag, or {@link #ANY}
     */
    void add(byte what, long bytesOrNs, long from, long mark, long processor, long card) {
        if (size == kind.length) {
            grow();
        }
        if (bytesOrNs < 0) {
            flaw((what == Operations.CALC ? "the duration" : "the size") + " does not fit into 63 bits");
        }
        checkUnits(processor, card);
        if (what != Operations.CALC) {
            checkMessage(what, from, mark);
        }
        int at = size++;
        kind[at] = what;
        amount[at] = Math.max(0, bytesOrNs);
        peer[at] = (int) (from < ranks ? from : ANY);
        tag[at] = (int) mark;
        cpu[at] = (byte) processor;
        nic[at] = (byte) card;
    }

    private void checkUnits(long processor, long card) {
        if (processor >= UNITS || card >= UNITS) {
            flaw((processor >= UNITS ? "cpu " + processor : "nic " + card)
                    + " is above 255 and would be cut to 8 bits");
        }
    }

    private void checkMessage(byte what, long from, long mark) {
        if (what == Operations.SEND && mark == ANY) {
            flaw("sends with any tag, which is no tag");
        } else if (from == ANY || mark == ANY) {
            flaw("receives from any " + (from == ANY ? "source" : "tag") + ", which cannot be proven to match");
        } else if (from >= ranks) {
            flaw("names rank " + from + ", but there are only " + ranks + " ranks");
        } else if (from == rank) {
            flaw("names its own rank");
        }
        if (mark >= TAGS) {
            flaw("tag " + mark + " does not fit into 32 bits");
        }
    }

    private void flaw(String text) {
        flaws.add("%s: " + text, new Flaws.Place(rank, size));
    }

    /** One operation may start only after another has ended, or started. */
    void dependency(int operation, int on, boolean start) {
        if (start) {
            awaitedStart.add(on);
            waitingStart.add(operation);
        } else {
            awaited.add(on);
            waiting.add(operation);
        }
    }

    Operations build() {
        return new Operations(this);
    }

    private void grow() {
        int capacity = Math.addExact(size, size >> 1);
        kind = Arrays.copyOf(kind, capacity);
        amount = Arrays.copyOf(amount, capacity);
        peer = Arrays.copyOf(peer, capacity);
        tag = Arrays.copyOf(tag, capacity);
        cpu = Arrays.copyOf(cpu, capacity);
        nic = Arrays.copyOf(nic, capacity);
    }
}
