// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.algorithm.Primitives;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.Part;
import dev.lockstep.goal.schedule.Composition;
import dev.lockstep.goal.schedule.RankCosts;
import dev.lockstep.goal.schedule.ScheduleSink;
import java.io.IOException;
import java.util.List;

/**
 * Turns the primitives of one rank into operations: data is cut into slices, what is received is waited for before it is
 * worked on and sent on. Between GPUs of one node, messages are empty, and the transfer is a time on both sides. Confined
 * to one thread.
 */
public final class PrimitiveWriter implements Primitives {
    private static final int NOBODY = -1;
    private static final int SMALLEST_PART = 32;
    private static final int ALIGNMENT = 16;

    private final int self;
    private final List<String> nodes;
    private final WireRules wire;
    private final RankCosts costs;
    private final ScheduleSink sink;
    private final Composition blocks;
    private final MessageTags tags;

    private int[] gpus = {};
    private boolean[] near = {};
    private NcclProtocol protocol = NcclProtocol.SIMPLE;
    private int slices = 1;
    private long largestSlice = Long.MAX_VALUE;
    private int cpu;
    private int firstCpu;
    private CpuRange cpus = CpuRange.from(0);
    private int workers = 1;

    /**
     * @param self the rank
     * @param nodes where each rank lives
     */
    public PrimitiveWriter(
            int self,
            List<String> nodes,
            WireRules wire,
            RankCosts costs,
            ScheduleSink sink,
            Composition blocks,
            MessageTags tags) {
        this.self = self;
        this.nodes = nodes;
        this.wire = wire;
        this.costs = costs;
        this.sink = sink;
        this.blocks = blocks;
        this.tags = tags;
    }

    /** States whose ranks peers are. */
    public void communicator(Communicator communicator) {
        int size = communicator.size();
        if (gpus.length < size) {
            gpus = new int[size];
            near = new boolean[size];
        }
        for (int rank = 0; rank < size; rank++) {
            gpus[rank] = communicator.gpu(rank);
            near[rank] = gpus[rank] >= 0 && nodes.get(gpus[rank]).equals(nodes.get(self));
        }
    }

    /**
     * States how data is cut in what follows, and where it runs.
     *
     * @param range of the cpus that there are
     * @param first the first of them that the channel takes
     * @param groups how many it takes, one for each group of warps
     */
    public void channel(CollectivePlan plan, CpuRange range, int first, int groups) {
        protocol = plan.protocol();
        slices = Math.max(1, plan.chunkSteps() / Math.max(1, plan.sliceSteps()));
        largestSlice = plan.sliceSteps() * plan.stepBytes();
        cpus = range;
        firstCpu = first;
        workers = groups;
        cpu = range.of(first);
    }

    /** One part of a message between a pair. */
    public void part(Part part, int onCpu) throws IOException {
        protocol = part.protocol();
        cpu = onCpu;
        if (protocol != NcclProtocol.SIMPLE || wire.atOnce(part.bytes(), part.chunkBytes())) {
            piece(part, part.bytes());
            return;
        }
        blocks.parallel(cpu);
        for (long rest = part.bytes(); rest > 0; rest -= part.chunkBytes()) {
            piece(part, Math.min(rest, part.chunkBytes()));
        }
        blocks.close();
    }

    private void piece(Part part, long bytes) throws IOException {
        if (gpus[part.peer()] == self && wire.keepsOwn()) {
            if (part.sent()) {
                blocks.add(sink.calc(costs.copy(protocol.ordinal(), bytes), cpu));
            }
        } else if (part.sent()) {
            chain(NOBODY, 0, part.peer(), bytes);
        } else {
            chain(part.peer(), 0, NOBODY, bytes);
        }
    }

    private static final int REDUCE = 1;
    private static final int COPY = 2;

    @Override
    public void send(int to, long bytes) throws IOException {
        primitive(NOBODY, 0, to, bytes);
    }

    @Override
    public void copySend(int to, long bytes) throws IOException {
        primitive(NOBODY, COPY, to, bytes);
    }

    @Override
    public void recv(int from, long bytes) throws IOException {
        primitive(from, 0, NOBODY, bytes);
    }

    @Override
    public void recvReduceSend(int from, int to, long bytes) throws IOException {
        primitive(from, REDUCE, to, bytes);
    }

    @Override
    public void recvReduceCopySend(int from, int to, long bytes) throws IOException {
        primitive(from, REDUCE | COPY, to, bytes);
    }

    @Override
    public void recvCopySend(int from, int to, long bytes) throws IOException {
        primitive(from, COPY, to, bytes);
    }

    @Override
    public void recvReduce(int from, long bytes) throws IOException {
        primitive(from, REDUCE, NOBODY, bytes);
    }

    @Override
    public void recvReduceCopy(int from, long bytes) throws IOException {
        primitive(from, REDUCE | COPY, NOBODY, bytes);
    }

    @Override
    public void recvCopy(int from, long bytes) throws IOException {
        primitive(from, COPY, NOBODY, bytes);
    }

    @Override
    public void copy(long bytes) throws IOException {
        blocks.add(sink.calc(cost(COPY, wire.workBytes(protocol, bytes)), cpu));
    }

    @Override
    public void fetchSum(int[] from, long bytes) throws IOException {
        together(from, bytes, false);
    }

    @Override
    public void multicast(int[] to, long bytes) throws IOException {
        together(to, bytes, true);
    }

    @Override
    public void worker(int group) {
        cpu = cpus.of(firstCpu + Math.min(group, workers - 1));
    }

    @Override
    public void largestSlice(long bytes) {
        largestSlice = bytes;
    }

    @Override
    public void sequence() throws IOException {
        blocks.sequence();
    }

    @Override
    public void parallel() throws IOException {
        blocks.parallel(cpu);
    }

    @Override
    public void close() throws IOException {
        blocks.close();
    }

    private void primitive(int from, int work, int to, long bytes) throws IOException {
        if (protocol != NcclProtocol.SIMPLE) {
            chain(from, work, to, bytes);
            return;
        }
        blocks.parallel(cpu);
        long slice = slice(bytes);
        long rest = bytes;
        for (int i = 0; i < slices && rest > 0; i++) {
            long size = Math.min(slice, rest);
            chain(from, work, to, size);
            rest -= size;
        }
        blocks.close();
    }

    private long slice(long bytes) {
        long unit = (long) ALIGNMENT * slices;
        return Math.max((bytes + unit - 1) / unit * ALIGNMENT, largestSlice / SMALLEST_PART);
    }

    /** Messages with ranks of the node that take the time of one; cut like all others. */
    private void together(int[] ranks, long bytes, boolean sent) throws IOException {
        if (ranks.length == 0 || (bytes == 0 && !wire.sendsEmpty())) {
            return;
        }
        long slice = protocol == NcclProtocol.SIMPLE ? slice(bytes) : bytes;
        blocks.parallel(cpu);
        long rest = bytes;
        for (int i = 0; i < slices && rest > 0; i++) {
            long size = Math.min(slice, rest);
            blocks.sequence();
            if (sent) {
                transfer(wire.wireBytes(protocol, size));
            }
            blocks.parallel(cpu);
            for (int rank : ranks) {
                signal(gpus[rank], sent);
            }
            blocks.close();
            if (!sent) {
                transfer(wire.wireBytes(protocol, size));
            }
            blocks.close();
            rest -= size;
        }
        blocks.close();
    }

    private void signal(int peer, boolean sent) throws IOException {
        int nic = wire.nearNic();
        blocks.add(
                sent ? sink.send(0, peer, tags.send(peer), cpu, nic) : sink.recv(0, peer, tags.recv(peer), cpu, nic));
    }

    /** Receives, works, sends, one after the other. */
    private void chain(int from, int work, int to, long bytes) throws IOException {
        if (bytes == 0 && !wire.sendsEmpty()) {
            return;
        }
        long wireBytes = wire.wireBytes(protocol, bytes);
        boolean single = work == 0 && (from < 0 || to < 0);
        if (!single) {
            blocks.sequence();
        }
        if (from >= 0) {
            message(from, wireBytes, false);
        }
        if (work != 0) {
            blocks.add(sink.calc(cost(work, wire.workBytes(protocol, bytes)), cpu));
        }
        if (to >= 0) {
            message(to, wireBytes, true);
        }
        if (!single) {
            blocks.close();
        }
    }

    private void message(int rank, long bytes, boolean sent) throws IOException {
        int peer = gpus[rank];
        long tag = sent ? tags.send(peer) : tags.recv(peer);
        if (!near[rank]) {
            blocks.add(sent ? sink.send(bytes, peer, tag, cpu, 0) : sink.recv(bytes, peer, tag, cpu, 0));
            return;
        }
        blocks.sequence();
        blocks.add(sent ? sink.send(0, peer, tag, cpu, wire.nearNic()) : sink.recv(0, peer, tag, cpu, wire.nearNic()));
        transfer(bytes);
        blocks.close();
    }

    private void transfer(long bytes) throws IOException {
        blocks.add(sink.transfer(wire.insideNode(bytes), bytes, cpu));
    }

    private long cost(int work, long bytes) {
        long nanoseconds = 0;
        if ((work & REDUCE) != 0) {
            nanoseconds += costs.reduce(protocol.ordinal(), bytes);
        }
        if ((work & COPY) != 0) {
            nanoseconds += costs.copy(protocol.ordinal(), bytes);
        }
        return nanoseconds;
    }
}
