// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.RecordedMark.GroupMark;
import dev.lockstep.goal.nccl.RecordedMark.MemberMark;
import dev.lockstep.goal.nccl.RecordedMark.PartMark;
import dev.lockstep.goal.nccl.RecordedMark.PlanMark;
import dev.lockstep.goal.nccl.RecordedMark.RingMark;
import dev.lockstep.goal.nccl.RecordedMark.TreeMark;
import dev.lockstep.goal.nccl.RecordedMark.WorkMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Everything a process recorded about the library, sorted by kind. Confined to one thread. */
public final class RecordedProcess {
    private final String node;
    private final long pid;
    int file;

    final List<RecordedCall> calls = new ArrayList<>();
    final Marks<PlanMark> plans = new Marks<>();
    final Marks<WorkMark> works = new Marks<>();
    final Marks<PartMark> parts = new Marks<>();
    final Marks<GroupMark> groups = new Marks<>();
    final Marks<MemberMark> members = new Marks<>();
    final Marks<RingMark> rings = new Marks<>();
    final Marks<TreeMark> trees = new Marks<>();
    final List<RecordedKernel> kernels = new ArrayList<>();
    final List<RecordedLaunch> launches = new ArrayList<>();
    long windowStart = -1;
    long windowEnd = -1;

    RecordedProcess(String node, long pid) {
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
    public List<RecordedCall> calls() {
        return calls;
    }

    public Marks<PlanMark> plans() {
        return plans;
    }

    public Marks<WorkMark> works() {
        return works;
    }

    public Marks<PartMark> parts() {
        return parts;
    }

    /** Beginnings and ends of groups. */
    public Marks<GroupMark> groups() {
        return groups;
    }

    /** Kernels in the order in which they began. */
    public List<RecordedKernel> kernels() {
        return kernels;
    }

    /** Calls of the runtime that launched kernels. */
    List<RecordedLaunch> launches() {
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
        calls.sort(Comparator.comparingLong(RecordedCall::start));
        kernels.sort(Comparator.comparingLong(RecordedKernel::start).thenComparingInt(RecordedKernel::stream));
    }
}
