// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of the library as the host recorded it, and what was found to belong to it. Confined to one thread. */
public final class RecordedCall {
    /** Belongs to no group. */
    public static final int UNGROUPED = -1;

    private final Collective kind;
    private final String communicator;
    private final String stream;
    private final long bytes;
    private final int typeBytes;
    private final int peer;
    private final long start;
    private final long end;
    private final long thread;

    private int group = UNGROUPED;
    private RecordedMark.@Nullable PlanMark plan;
    private final List<RecordedMark.WorkMark> works = new ArrayList<>(2);
    private final List<RecordedMark.PartMark> parts = new ArrayList<>(2);
    private long deviceStart = -1;
    private long deviceEnd = -1;

    RecordedCall(
            Collective kind,
            String communicator,
            String stream,
            long bytes,
            int typeBytes,
            int peer,
            long start,
            long end,
            long thread) {
        this.kind = kind;
        this.communicator = communicator;
        this.stream = stream;
        this.bytes = bytes;
        this.typeBytes = typeBytes;
        this.peer = peer;
        this.start = start;
        this.end = end;
        this.thread = thread;
    }

    public Collective kind() {
        return kind;
    }

    /** The communicator's hash as it is written. */
    public String communicator() {
        return communicator;
    }

    public String stream() {
        return stream;
    }

    /** Size that the call names. */
    public long bytes() {
        return bytes;
    }

    /** Size of an element. */
    public int typeBytes() {
        return typeBytes;
    }

    /** Rank of the other side of a message, -1 if there is none. */
    public int peer() {
        return peer;
    }

    /** When the host began the call. */
    public long start() {
        return start;
    }

    /** When the call returned. */
    public long end() {
        return end;
    }

    /** The thread that called, as a global id. */
    public long thread() {
        return thread;
    }

    public int group() {
        return group;
    }

    public void group(int number) {
        group = number;
    }

    public RecordedMark.@Nullable PlanMark plan() {
        return plan;
    }

    public void plan(RecordedMark.PlanMark mark) {
        plan = mark;
    }

    /** One for each channel. */
    public List<RecordedMark.WorkMark> works() {
        return works;
    }

    /** One for each message part. */
    public List<RecordedMark.PartMark> parts() {
        return parts;
    }

    /** When the GPU began with it, -1 if unknown. */
    public long deviceStart() {
        return deviceStart;
    }

    /** When the GPU had finished, -1 if unknown. */
    public long deviceEnd() {
        return deviceEnd;
    }

    /** States when the GPU was at it. */
    public void device(long from, long to) {
        deviceStart = from;
        deviceEnd = to;
    }
}
