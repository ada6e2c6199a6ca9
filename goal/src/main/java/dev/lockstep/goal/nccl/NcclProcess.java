// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.NvtxMark.GroupMark;
import dev.lockstep.goal.nccl.NvtxMark.MemberMark;
import dev.lockstep.goal.nccl.NvtxMark.PartMark;
import dev.lockstep.goal.nccl.NvtxMark.PlanMark;
import dev.lockstep.goal.nccl.NvtxMark.RingMark;
import dev.lockstep.goal.nccl.NvtxMark.TreeMark;
import dev.lockstep.goal.nccl.NvtxMark.WorkMark;
import dev.lockstep.read.nsys.NsysKernel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Everything a process recorded about the library, sorted by kind. Confined to one thread. */
public final class NcclProcess {
    private final String node;
    private final long pid;
    int file;

    final List<NcclCall> calls = new ArrayList<>();
    final MarkColumn<PlanMark> plans = new MarkColumn<>();
    final MarkColumn<WorkMark> works = new MarkColumn<>();
    final MarkColumn<PartMark> parts = new MarkColumn<>();
    final MarkColumn<GroupMark> groups = new MarkColumn<>();
    final MarkColumn<MemberMark> members = new MarkColumn<>();
    final MarkColumn<RingMark> rings = new MarkColumn<>();
    final MarkColumn<TreeMark> trees = new MarkColumn<>();
    final List<NsysKernel> kernels = new ArrayList<>();
    final List<KernelLaunch> launches = new ArrayList<>();
    long windowStart = -1;
    long windowEnd = -1;

    NcclProcess(String node, long pid) {
        this.node = node;
        this.pid = pid;
    }

    public String node() {
        return node;
    }

    public long pid() {
        return pid;
    }

    /** Calls in the order in which they were made. */
    public List<NcclCall> calls() {
        return calls;
    }

    public MarkColumn<PlanMark> plans() {
        return plans;
    }

    public MarkColumn<WorkMark> works() {
        return works;
    }

    public MarkColumn<PartMark> parts() {
        return parts;
    }

    /** Beginnings and ends of groups. */
    public MarkColumn<GroupMark> groups() {
        return groups;
    }

    /** Kernels in the order in which they began. */
    public List<NsysKernel> kernels() {
        return kernels;
    }

    /** Calls of the runtime that launched kernels. */
    List<KernelLaunch> launches() {
        return launches;
    }

    /** When profiling began, -1 if nothing says so. */
    public long windowStart() {
        return windowStart;
    }

    /** When profiling ended, -1 if nothing says so. */
    public long windowEnd() {
        return windowEnd;
    }

    /** Number of the device its kernels ran on; -1 if there are none. */
    public int device() {
        return kernels.isEmpty() ? -1 : kernels.getFirst().device();
    }

    void sort() {
        calls.sort(Comparator.comparingLong(NcclCall::start));
        kernels.sort(Comparator.comparingLong(NsysKernel::start).thenComparingInt(NsysKernel::stream));
    }
}
