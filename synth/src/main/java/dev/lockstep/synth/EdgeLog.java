// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/**
 * The dependencies of one rank in one step, as they were made: which moment had to wait for which, and how long at least.
 * Calls and device activities are known by the correlation number that they share, those of a graph also by their place in it.
 */
final class EdgeLog {
    /** The first line of a file of edges. */
    static final String HEADER = "edge,from,to,cost_ns\n";

    /** Kinds of edges, and what they lead from and to. */
    enum Kind {
        /** A call begins, what it launched starts. */
        LAUNCH("call", "device"),
        /** An activity ends, the next of its stream starts. */
        STREAM("device", "device"),
        /** An activity of another stream ends, one that waits for its event starts. */
        WAIT("device", "device"),
        /** An activity ends, the call that waits for it returns. */
        SYNC("device", "call"),
        /** A call begins, the next of its thread begins. */
        THREAD("call", "call"),
        /** The same, the next being of the thread that goes on. */
        HAND_OVER("call", "call"),
        /** A member starts, the collective runs. */
        MEMBER("device", "collective");

        private static final Kind[] ALL = values();
        private final String source;
        private final String target;

        Kind(String source, String target) {
            this.source = source;
            this.target = target;
        }
    }

    /** Of the number of an activity, as many bits are its place in its graph. */
    private static final int NODE_BITS = 20;

    private int size;
    private byte[] kind = new byte[1024];
    private long[] numbers = new long[1024 * 4];

    /**
     * The number of a device activity. Of two, the one that was launched later has the larger.
     *
     * @param call the correlation number of its launch
     * @param node its place in the graph that was launched, from 1; 0 where it was launched alone
     */
    static long activity(long call, int node) {
        return call << NODE_BITS | node;
    }

    void clear() {
        size = 0;
    }

    /** An edge between calls, by correlation number, or activities, by {@link #activity}, that takes {@code cost} ns at least. */
    void add(Kind edge, long from, long to, long cost) {
        add(edge, from, to, -1, cost);
    }

    /** The edge of a member to a collective: its number in the process group of this name. */
    void member(long from, long group, long sequence, long cost) {
        add(Kind.MEMBER, from, group, sequence, cost);
    }

    private void add(Kind edge, long from, long to, long sequence, long cost) {
        if (size == kind.length) {
            kind = Arrays.copyOf(kind, 2 * size);
            numbers = Arrays.copyOf(numbers, 8 * size);
        }
        kind[size] = (byte) edge.ordinal();
        numbers[4 * size] = from;
        numbers[4 * size + 1] = to;
        numbers[4 * size + 2] = sequence;
        numbers[4 * size + 3] = cost;
        size++;
    }

    void write(ByteSink sink) throws IOException {
        for (int i = 0; i < size; i++) {
            Kind edge = Kind.ALL[kind[i]];
            sink.text(edge.name().toLowerCase(Locale.ROOT)
                    + ','
                    + named(edge.source, numbers[4 * i])
                    + ','
                    + named(edge.target, numbers[4 * i + 1])
                    + (numbers[4 * i + 2] < 0 ? "" : "#" + numbers[4 * i + 2])
                    + ','
                    + numbers[4 * i + 3]
                    + '\n');
        }
    }

    private static String named(String what, long number) {
        if (!what.equals("device")) {
            return what + ' ' + number;
        }
        long node = number & (1L << NODE_BITS) - 1;
        return what + ' ' + (number >>> NODE_BITS) + (node == 0 ? "" : "#" + node);
    }
}
