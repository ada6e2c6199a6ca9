// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.algorithm.StepStatement.Move;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * A collective as a {@link StatedAlgorithm} has it, and where that does not take a communicator, as another algorithm has it.
 *
 * <p>Where every rank has a part of its own, a round moves a chunk of each. Elsewhere a round has a chunk for each part; the
 * last round has as small ones as the plan says for a ring with as many parts as ranks, else the rest in equal parts.
 *
 * @param insteadOf the library's algorithm that it stands for
 * @param otherwise who carries out what the program does not take
 */
record StepAlgorithm(StatedAlgorithm program, NcclAlgorithm insteadOf, CollectiveAlgorithm otherwise)
        implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == program.kind() && algorithm == insteadOf;
    }

    @Override
    public int workers() {
        return program.onlyIf() == null ? program.workers() : Math.max(program.workers(), otherwise.workers());
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        if (job.ranks() < 2) {
            return;
        }
        Round round = new Round(job, out);
        StepMachine machine = new StepMachine(program, job, round, StepBudget.unlimited());
        if (!machine.fits()) {
            otherwise.expand(job, out);
            return;
        }
        int parts = machine.count();
        long work = job.work().work();
        long step = step(program, job, parts);
        long number = 0;
        for (long offset = 0; offset < work; offset += step) {
            round.sizes(parts, work - offset, program.partForEachRank());
            machine.round(number++);
        }
    }

    /** How many rounds a job has. */
    static long rounds(StatedAlgorithm program, ChannelJob job, int parts) {
        return Math.ceilDiv(job.work().work(), step(program, job, parts));
    }

    /** Elements of one round. */
    private static long step(StatedAlgorithm program, ChannelJob job, int parts) {
        return program.partForEachRank() ? job.chunk() : Math.multiplyExact(parts, job.chunk());
    }

    /** Primitives with the sizes of one round. */
    private static final class Round implements StepMachine.Actions {
        private final ChannelJob job;
        private final Primitives out;
        private long[] bytes = {};

        Round(ChannelJob job, Primitives out) {
            this.job = job;
            this.out = out;
        }

        void sizes(int parts, long rest, boolean alike) {
            if (bytes.length != parts) {
                bytes = new long[parts];
            }
            long chunk = job.chunk();
            if (!alike && rest < parts * chunk) {
                long even = (rest + parts - 1) / parts;
                chunk = parts == job.ranks() ? Math.max(even, job.work().lastChunk()) : even;
            }
            for (int part = 0; part < parts; part++) {
                long before = alike ? 0 : part * chunk;
                bytes[part] = Math.min(chunk, Math.max(0, rest - before)) * job.typeBytes();
            }
        }

        @Override
        public void move(Move move, int part, int count, int from, int to) throws IOException {
            long size = 0;
            for (int i = 0; i < count; i++) {
                size += bytes[(part + i) % bytes.length];
            }
            switch (move.verb()) {
                case SEND -> out.send(to, size);
                case COPY_SEND -> out.copySend(to, size);
                case RECEIVE -> out.recv(from, size);
                case RECEIVE_COPY -> out.recvCopy(from, size);
                case RECEIVE_REDUCE -> out.recvReduce(from, size);
                case RECEIVE_REDUCE_COPY -> out.recvReduceCopy(from, size);
                case RECEIVE_REDUCE_SEND -> out.recvReduceSend(from, to, size);
                case RECEIVE_REDUCE_COPY_SEND -> out.recvReduceCopySend(from, to, size);
                case RECEIVE_COPY_SEND -> out.recvCopySend(from, to, size);
                case COPY -> out.copy(size);
            }
        }

        @Override
        public void open(boolean sequence) throws IOException {
            if (sequence) {
                out.sequence();
            } else {
                out.parallel();
            }
        }

        @Override
        public void close() throws IOException {
            out.close();
        }

        @Override
        public void worker(int group) {
            out.worker(group);
        }
    }
}
