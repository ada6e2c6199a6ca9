// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import dev.lockstep.table.LongList;

/** A node as a file states it; filled anew for each. */
final class ChakraNode {
    static final long ABSENT = -1;

    /** Types of nodes. */
    static final int METADATA = 1;

    static final int SEND = 5;
    static final int RECEIVE = 6;
    static final int COLLECTIVE = 7;

    private static final long NS_PER_US = 1000;
    private static final long LATEST_US = (1L << 62) / NS_PER_US;

    long id;
    String name = "";
    long type;
    final LongList dependencies = new LongList(8);
    boolean onHost;
    String track = "";
    String group = "";
    long startNs;
    long durationNs;
    long collective;
    long bytes;
    long from;
    long to;

    void clear() {
        id = type = startNs = durationNs = collective = bytes = from = to = ABSENT;
        name = track = group = "";
        onHost = false;
        dependencies.clear();
    }

    boolean communicates() {
        return type >= SEND && type <= COLLECTIVE;
    }

    /** Takes a fact by its name; what is not known is passed over. */
    void number(String fact, long value) {
        switch (fact) {
            case "is_cpu_op" -> onHost = value != 0;
            case "comm_type" -> collective = value;
            case "comm_size" -> bytes = Math.max(ABSENT, value);
            case "comm_src" -> from = Math.max(ABSENT, value);
            case "comm_dst" -> to = Math.max(ABSENT, value);
            case "start_ns" -> startNs = Math.clamp(value, ABSENT, LATEST_US * NS_PER_US);
            case "duration_ns" -> durationNs = Math.clamp(value, ABSENT, LATEST_US * NS_PER_US);
            default -> {}
        }
    }

    void text(String fact, String value) {
        switch (fact) {
            case "pg_name" -> group = value;
            case "track" -> track = value;
            default -> {}
        }
    }

    /** Takes the times that simulators look at, where no others are known that are exact. */
    void micros(long start, long duration) {
        startNs = startNs < 0 && start > 0 ? Math.min(start, LATEST_US) * NS_PER_US : startNs;
        durationNs = durationNs < 0 ? Math.clamp(duration, 0, LATEST_US) * NS_PER_US : durationNs;
    }
}
