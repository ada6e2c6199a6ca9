// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.nccl.NvtxMark.PartMark;
import dev.lockstep.goal.nccl.NvtxMark.PlanMark;
import dev.lockstep.goal.nccl.NvtxMark.WorkMark;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.PairwisePlan;
import dev.lockstep.goal.recording.Plan.Part;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes operations of the calls of a process. Equal plans become one. */
final class OperationBuilder {
    private record Counter(int communicator, NcclFunction kind, int peer) {}

    private final NcclProcess process;
    private final int gpu;
    private final Communicators communicators;
    private final boolean matched;
    private final RecordingNotes notes;
    private final Map<Plan, Plan> plans = new HashMap<>();
    private final Map<Counter, Long> counters = new HashMap<>();

    /** @param matched whether marks are known to belong to their calls, so that they can be held against each other */
    OperationBuilder(NcclProcess process, int gpu, Communicators communicators, boolean matched, RecordingNotes notes) {
        this.matched = matched;
        this.process = process;
        this.gpu = gpu;
        this.communicators = communicators;
        this.notes = notes;
    }

    Gpu build() {
        List<RecordedOperation> operations = new ArrayList<>();
        for (NcclCall call : process.calls()) {
            int communicator = communicators.place(gpu, call.communicator());
            long sequence = next(call, communicator);
            if (call.deviceStart() >= 0 && inWindow(call) && communicator >= 0) {
                operations.add(new RecordedOperation(
                        call.kind(),
                        communicator,
                        sequence,
                        call.stream(),
                        call.group(),
                        call.deviceStart(),
                        call.deviceEnd(),
                        call.peer(),
                        call.bytes(),
                        plan(call, communicators.all().get(communicator))));
            }
        }
        long start = process.windowStart();
        long end = process.windowEnd();
        return new Gpu(
                process.node(),
                process.device(),
                process.pid(),
                start >= 0
                        ? start
                        : operations.stream()
                                .mapToLong(RecordedOperation::start)
                                .min()
                                .orElse(0),
                end >= 0
                        ? end
                        : operations.stream()
                                .mapToLong(RecordedOperation::end)
                                .max()
                                .orElse(0),
                operations);
    }

    /** Collectives of a communicator are counted together, messages for each pair and direction. */
    private long next(NcclCall call, int communicator) {
        boolean message = call.kind() == NcclFunction.SEND || call.kind() == NcclFunction.RECV;
        Counter counter =
                new Counter(communicator, message ? call.kind() : NcclFunction.ALL_REDUCE, message ? call.peer() : -1);
        return counters.merge(counter, 1L, Long::sum) - 1;
    }

    private boolean inWindow(NcclCall call) {
        return (process.windowEnd() < 0 || call.deviceStart() < process.windowEnd())
                && (process.windowStart() < 0 || call.deviceEnd() > process.windowStart());
    }

    private @Nullable Plan plan(NcclCall call, Communicator communicator) {
        Plan plan = call.kind().pairwise() ? pairwise(call, communicator) : collective(call, communicator);
        if (plan == null) {
            return null;
        }
        Plan known = plans.putIfAbsent(plan, plan);
        return known == null ? plan : known;
    }

    private @Nullable Plan pairwise(NcclCall call, Communicator communicator) {
        if (call.parts().isEmpty()) {
            return null;
        }
        for (PartMark mark : call.parts()) {
            if (mark.bytes() < 0 || mark.peer() < 0 || mark.peer() >= communicator.size()) {
                unknown("a part with peer " + mark.peer());
                return null;
            }
        }
        List<Part> parts = new ArrayList<>(call.parts().size());
        for (PartMark mark : call.parts()) {
            NcclProtocol protocol = NcclProtocol.ofNumber(mark.protocol());
            parts.add(new Part(
                    mark.sent(),
                    mark.peer(),
                    protocol == null ? NcclProtocol.SIMPLE : protocol,
                    mark.bytes(),
                    mark.chunkBytes()));
        }
        return new PairwisePlan(parts);
    }

    /** Where every channel states the whole, as it does for the network's own reductions, they take chunks in turn. */
    private static long share(WorkMark work, int channel, int channels) {
        long chunk = Math.max(1, work.chunk());
        long whole = work.count() / chunk;
        long chunks = whole / channels + (channel < whole % channels ? 1 : 0);
        return chunks * chunk + (channel == whole % channels ? work.count() % chunk : 0);
    }

    private void unknown(String what) {
        notes.assumed("plan_unknown", "process " + process.pid() + " of node " + process.node() + ": " + what);
    }

    /**
     * Whether every channel can do its work, and one has some; what is left after whole rounds of a ring fits into the last
     * one.
     */
    private boolean adequate(NcclCall call, NcclAlgorithm algorithm, Communicator communicator) {
        boolean rounds = matched && call.kind() == NcclFunction.ALL_REDUCE && algorithm == NcclAlgorithm.RING;
        long n = communicator.size();
        boolean idle = true;
        for (WorkMark work : call.works()) {
            idle &= work.work() == 0 && work.count() > 0;
            long rest = rounds && work.work() > 0 ? work.work() % (n * work.chunk()) : 0;
            boolean last = rest == 0 || (NvtxMark.size(work.lastChunk()) && rest <= n * work.lastChunk());
            if (work.work() < 0 || !last) {
                return false;
            }
        }
        return !(matched && idle);
    }

    private @Nullable Plan collective(NcclCall call, Communicator communicator) {
        PlanMark mark = call.plan();
        if (mark == null || call.works().isEmpty()) {
            return null;
        }
        NcclAlgorithm algorithm = NcclAlgorithm.ofNumber(mark.algorithm());
        NcclProtocol protocol = NcclProtocol.ofNumber(mark.protocol());
        boolean rooted = call.kind() == NcclFunction.BROADCAST || call.kind() == NcclFunction.REDUCE;
        if (algorithm == null || protocol == null || (rooted && communicator.gpu(mark.root()) == Communicator.NONE)) {
            unknown("a plan with algorithm " + mark.algorithm() + ", protocol " + mark.protocol() + " and root "
                    + mark.root());
            return null;
        }
        if (!adequate(call, algorithm, communicator)) {
            unknown("a plan whose channels cannot do what they are said to");
            return null;
        }
        int rank = communicator.rankOf(gpu);
        List<WorkMark> works = call.works();
        boolean whole = works.size() > 1 && works.stream().allMatch(work -> work.work() == work.count());
        List<ChannelWork> channels = new ArrayList<>(works.size());
        for (int channel = 0; channel < works.size(); channel++) {
            WorkMark work = works.get(channel);
            channels.add(new ChannelWork(
                    whole ? share(work, channel, works.size()) : work.work(),
                    work.chunk(),
                    work.lastChunk(),
                    work.distance() == rank * work.count()));
        }
        return new CollectivePlan(
                algorithm,
                protocol,
                mark.root(),
                mark.typeBytes(),
                mark.chunkSteps(),
                mark.sliceSteps(),
                mark.stepBytes(),
                channels);
    }
}
