// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;

/** The members of one record of a buffer that mean something; filled anew for each record. */
final class RecordFields {
    static final long ABSENT = Long.MIN_VALUE + 1;

    long start;
    long end;
    long kind;
    long operation;
    long thread;
    long correlation;
    long external;
    long stream;
    long agent;
    long source;
    long kernel;
    long bytes;
    final long[] grid = new long[3];
    final long[] workgroup = new long[3];

    /** Takes a record; the brace is next. */
    void read(JsonCursor c) throws Stop {
        start = end = kind = operation = thread = correlation = external = ABSENT;
        stream = agent = source = kernel = bytes = ABSENT;
        grid[0] = workgroup[0] = ABSENT;
        object(c, false);
    }

    private void object(JsonCursor c, boolean dispatch) throws Stop {
        c.take('{', "'{' of a record");
        for (boolean first = true; c.member(first); first = false) {
            c.key();
            int from = c.start;
            int length = c.end - from;
            member(c, from, length, dispatch);
        }
    }

    private void member(JsonCursor c, int from, int length, boolean dispatch) throws Stop {
        byte[] b = c.buffer;
        if (is(b, from, length, "start_timestamp")) {
            start = c.integer();
        } else if (is(b, from, length, "end_timestamp")) {
            end = c.integer();
        } else if (is(b, from, length, "dispatch_info") && !dispatch && c.peek() == '{') {
            object(c, true);
        } else if (is(b, from, length, "correlation_id")) {
            correlation(c);
        } else if (is(b, from, length, "stream_id")) {
            stream = handle(c);
        } else if (is(b, from, length, "agent_id") || is(b, from, length, "dst_agent_id")) {
            agent = handle(c);
        } else if (is(b, from, length, "src_agent_id")) {
            source = handle(c);
        } else if (is(b, from, length, "kind")) {
            kind = c.integer();
        } else if (is(b, from, length, "operation")) {
            operation = c.integer();
        } else if (is(b, from, length, "thread_id")) {
            thread = c.integer();
        } else if (is(b, from, length, "kernel_id")) {
            kernel = c.integer();
        } else if (is(b, from, length, "bytes")) {
            bytes = c.integer();
        } else if (is(b, from, length, "grid_size")) {
            sizes(c, grid);
        } else if (is(b, from, length, "workgroup_size")) {
            sizes(c, workgroup);
        } else {
            c.skip();
        }
    }

    private void correlation(JsonCursor c) throws Stop {
        if (c.peek() != '{') {
            correlation = c.integer();
            return;
        }
        long[] both = {ABSENT, ABSENT};
        numbers(c, both, "internal", "external");
        correlation = both[0];
        external = both[1];
    }

    private static long handle(JsonCursor c) throws Stop {
        if (c.peek() != '{') {
            return c.integer();
        }
        long[] one = {ABSENT};
        numbers(c, one, "handle");
        return one[0];
    }

    /** Sizes of which one cannot be are absent. */
    private static void sizes(JsonCursor c, long[] into) throws Stop {
        into[0] = into[1] = into[2] = 1;
        if (c.peek() == '{') {
            numbers(c, into, "x", "y", "z");
        } else {
            c.skip();
        }
        if (into[1] < 0 || into[2] < 0) {
            into[0] = ABSENT;
        }
    }

    private static void numbers(JsonCursor c, long[] into, String... names) throws Stop {
        c.take('{', "'{'");
        for (boolean first = true; c.member(first); first = false) {
            c.key();
            int from = c.start;
            int length = c.end - from;
            int found = -1;
            for (int i = 0; i < names.length; i++) {
                found = is(c.buffer, from, length, names[i]) ? i : found;
            }
            int value = c.peek();
            if (found >= 0 && (value == '"' || value == '-' || value >= '0' && value <= '9')) {
                into[found] = c.integer();
            } else {
                c.skip();
            }
        }
    }

    private static boolean is(byte[] bytes, int from, int length, String name) {
        if (length != name.length() || bytes[from] != name.charAt(0)) {
            return false;
        }
        for (int i = 1; i < length; i++) {
            if (bytes[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
