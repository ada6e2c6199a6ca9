// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

/** What a call of a vendor's library means for the order of work. */
enum CallKind {
    OTHER,
    /** Marks a place in a stream. */
    RECORD,
    /** Makes a stream wait for such a mark. */
    STREAM_WAIT,
    /** Launches a graph of activities. */
    GRAPH_LAUNCH,
    /** Returns when a stream, or a mark, is through. */
    WAIT,
    /** Returns when all streams are through. */
    WAIT_FOR_ALL;

    private static final CallKind[] ALL = values();

    /** By the name of the call, which all vendors begin with the name of their library. */
    static CallKind of(String name) {
        if (name.contains("DeviceSynchronize") || name.contains("CtxSynchronize")) {
            return WAIT_FOR_ALL;
        }
        if (name.contains("StreamSynchronize") || name.contains("EventSynchronize")) {
            return WAIT;
        }
        if (name.contains("StreamWaitEvent")) {
            return STREAM_WAIT;
        }
        if (name.contains("GraphLaunch")) {
            return GRAPH_LAUNCH;
        }
        return name.contains("EventRecord") ? RECORD : OTHER;
    }

    /** A code of this kind; never 0. */
    byte code() {
        return (byte) (ordinal() + 1);
    }

    static CallKind of(byte code) {
        return ALL[code - 1];
    }
}
