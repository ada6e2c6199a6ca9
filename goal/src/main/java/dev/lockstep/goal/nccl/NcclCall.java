// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.recording.NcclFunction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of the library as the host recorded it, and what was found to belong to it. Confined to one thread. */
public final class NcclCall {
    /** Belongs to no group. */
    public static final int UNGROUPED = -1;

    /**
     * What the annotation of a call says.
     *
     * @param communicator its hash as it is written
     * @param bytes size that the call names
     * @param typeBytes size of an element
     * @param peer rank of the other side of a message, -1 if there is none
     */
    record Said(NcclFunction kind, String communicator, String stream, long bytes, int typeBytes, int peer) {}

    private final Said said;
    private final long start;
    private final long end;
    private final long thread;

    private int group = UNGROUPED;
    private NvtxMark.@Nullable PlanMark plan;
    private final List<NvtxMark.WorkMark> works = new ArrayList<>(2);
    private final List<NvtxMark.PartMark> parts = new ArrayList<>(2);
    private long deviceStart = -1;
    private long deviceEnd = -1;

    /**
     * @param start when the host began the call
     * @param end when the call returned
     * @param thread that called, as a global id
     */
    NcclCall(Said said, long start, long end, long thread) {
        this.said = said;
        this.start = start;
        this.end = end;
        this.thread = thread;
    }

    public NcclFunction kind() {
        return said.kind;
    }

    /** The communicator's hash as it is written. */
    public String communicator() {
        return said.communicator;
    }

    public String stream() {
        return said.stream;
    }

    /** Size that the call names. */
    public long bytes() {
        return said.bytes;
    }

    /** Size of an element. */
    public int typeBytes() {
        return said.typeBytes;
    }

    /** Rank of the other side of a message, -1 if there is none. */
    public int peer() {
        return said.peer;
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

    public NvtxMark.@Nullable PlanMark plan() {
        return plan;
    }

    public void plan(NvtxMark.PlanMark mark) {
        plan = mark;
    }

    /** One for each channel. */
    public List<NvtxMark.WorkMark> works() {
        return works;
    }

    /** One for each message part. */
    public List<NvtxMark.PartMark> parts() {
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
