// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import java.io.IOException;
import java.io.Writer;

/** Hands a schedule on, and notes which of its calculations are transfers within the node. */
public final class TransferSink implements ScheduleSink {
    private final ScheduleSink sink;
    private final int rank;
    private final Writer notes;

    /**
     * @param sink takes the schedule
     * @param rank whose schedule it is
     * @param notes takes a line for each transfer: rank, number of the operation, bytes
     */
    public TransferSink(ScheduleSink sink, int rank, Writer notes) {
        this.sink = sink;
        this.rank = rank;
        this.notes = notes;
    }

    @Override
    public int transfer(long nanoseconds, long bytes, int cpu) throws IOException {
        int operation = sink.calc(nanoseconds, cpu);
        notes.write(rank + "\t" + operation + "\t" + bytes + "\n");
        return operation;
    }

    @Override
    public int calc(long nanoseconds, int cpu) throws IOException {
        return sink.calc(nanoseconds, cpu);
    }

    @Override
    public int send(long bytes, int to, long tag, int cpu, int nic) throws IOException {
        return sink.send(bytes, to, tag, cpu, nic);
    }

    @Override
    public int recv(long bytes, int from, long tag, int cpu, int nic) throws IOException {
        return sink.recv(bytes, from, tag, cpu, nic);
    }

    @Override
    public void requires(int later, int earlier) throws IOException {
        sink.requires(later, earlier);
    }

    @Override
    public void irequires(int later, int earlier) throws IOException {
        sink.irequires(later, earlier);
    }
}
