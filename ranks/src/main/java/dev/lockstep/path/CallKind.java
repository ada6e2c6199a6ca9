// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.regex.Pattern;

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
    WAIT_FOR_ALL,
    /** Gives memory of the device back: returns when all streams are through, unless times show otherwise. */
    FREE;

    private static final CallKind[] ALL = values();

    private static final Pattern STREAM_WAITS = Pattern.compile("(?i)(stream|queue)_?wait|enqueue(?:(?!enqueue|wait).)*+wait|append_?wait");

    private static final Pattern WAITS_FOR_ALL = Pattern.compile(
            "(?i)(device|ctx|context|thread)_?sync|sync_?device" + "|synchroni[sz]e_?(device|context)|device_?reset");

    private static final Pattern WAITS =
            Pattern.compile("(?i)synchroni[sz]e|(stream|queue|event)_?sync|sync_?(stream|queue)"
                    + "|events?_?wait$|wait_?(for_?event|on_?event|notifier)|signal_?wait|finish$");

    private static final Pattern RECORDS = Pattern.compile("(?i)event_?record|record_?event");

    private static final Pattern FREES = Pattern.compile("(?i)^(cuda|hip|musa|aclrt)free$|^(cu|mu)memfree(_v2)?$");

    /**
     * By the name of the call. All vendors begin it with the name of their library; CUDA and those that follow it name the stream
     * first, CANN the waiting; Level Zero and SYCL wait for queues and events.
     */
    static CallKind of(String name) {
        String call = name.substring(name.lastIndexOf('@') + 1);
        if (STREAM_WAITS.matcher(call).find()) {
            return STREAM_WAIT;
        }
        if (WAITS_FOR_ALL.matcher(call).find()) {
            return WAIT_FOR_ALL;
        }
        if (WAITS.matcher(call).find()) {
            return WAIT;
        }
        if (call.contains("GraphLaunch")) {
            return GRAPH_LAUNCH;
        }
        if (RECORDS.matcher(call).find()) {
            return RECORD;
        }
        return FREES.matcher(call).find() ? FREE : OTHER;
    }

    /** A code of this kind; never 0. */
    byte code() {
        return (byte) (ordinal() + 1);
    }

    static CallKind of(byte code) {
        return ALL[code - 1];
    }
}
