// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import dev.lockstep.table.IntList;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Gathers the schedule of a rank, to write it in the binary form of LogGOPSim's {@code txt2bin}. Dependents stand behind
 * the operation that they wait for, so that all operations have to be known first.
 */
public final class BinarySink implements ScheduleSink {
    private static final int SEND = 1;
    private static final int RECV = 2;
    private static final int CALC = 3;
    private static final int RECORD = 39;
    private static final int STARTED = 1 << 31;

    private byte[] kinds = new byte[1024];
    private int[] peers = new int[1024];
    private long[] sizes = new long[1024];
    private int[] tags = new int[1024];
    private byte[] cpus = new byte[1024];
    private byte[] nics = new byte[1024];
    private int count;
    private int maxCpu;
    private int maxNic;
    private final IntList later = new IntList(1024);
    private final IntList earlier = new IntList(1024);

    /** The largest number of a cpu so far. */
    public int maxCpu() {
        return maxCpu;
    }

    /** The largest number of a nic so far. */
    public int maxNic() {
        return maxNic;
    }

    @Override
    public int calc(long nanoseconds, int cpu) {
        return add(CALC, 0, nanoseconds, 0, cpu, 0);
    }

    @Override
    public int send(long bytes, int to, long tag, int cpu, int nic) {
        return add(SEND, to, bytes, tag, cpu, nic);
    }

    @Override
    public int recv(long bytes, int from, long tag, int cpu, int nic) {
        return add(RECV, from, bytes, tag, cpu, nic);
    }

    @Override
    public void requires(int after, int before) {
        later.add(after);
        earlier.add(before);
    }

    @Override
    public void irequires(int after, int before) {
        later.add(after);
        earlier.add(before | STARTED);
    }

    private int add(int kind, int peer, long size, long tag, int cpu, int nic) {
        if (count == kinds.length) {
            int more = count + (count >> 1);
            kinds = Arrays.copyOf(kinds, more);
            peers = Arrays.copyOf(peers, more);
            sizes = Arrays.copyOf(sizes, more);
            tags = Arrays.copyOf(tags, more);
            cpus = Arrays.copyOf(cpus, more);
            nics = Arrays.copyOf(nics, more);
        }
        kinds[count] = (byte) kind;
        peers[count] = peer;
        sizes[count] = size;
        tags[count] = (int) tag;
        cpus[count] = (byte) cpu;
        nics[count] = (byte) nic;
        maxCpu = Math.max(maxCpu, cpu);
        maxNic = Math.max(maxNic, nic);
        return count++;
    }

    /**
     * Writes the block of the rank.
     *
     * @return its length in bytes
     */
    public long write(OutputStream out) throws IOException {
        int edges = later.size();
        int[] before = new int[count];
        int[] dependents = new int[count];
        int[] starters = new int[count];
        for (int i = 0; i < edges; i++) {
            before[later.get(i)]++;
            int from = earlier.get(i);
            if (from >= 0) {
                dependents[from]++;
            } else {
                starters[from & ~STARTED]++;
            }
        }
        int[] appendix = appendix(dependents, starters);
        Buffer buffer = new Buffer(out);
        int roots = 0;
        for (int i = 0; i < count; i++) {
            roots += before[i] == 0 ? 1 : 0;
        }
        buffer.integer(count);
        buffer.integer(roots);
        for (int i = 0; i < count; i++) {
            if (before[i] == 0) {
                buffer.integer(i);
            }
        }
        int at = 0;
        for (int i = 0; i < count; i++) {
            buffer.room(RECORD);
            buffer.integer(before[i]);
            buffer.octet(kinds[i]);
            buffer.integer(peers[i]);
            buffer.integer((int) sizes[i]);
            buffer.integer((int) (sizes[i] >>> 32));
            buffer.integer(tags[i]);
            buffer.octet(cpus[i]);
            buffer.octet(nics[i]);
            buffer.integer(dependents[i]);
            buffer.integer(at);
            at += dependents[i];
            buffer.integer(starters[i]);
            buffer.integer(at);
            at += starters[i];
        }
        for (int target : appendix) {
            buffer.integer(target);
        }
        buffer.flush();
        return 8 + 4L * roots + (long) RECORD * count + 4L * edges;
    }

    private int[] appendix(int[] dependents, int[] starters) {
        int[] ends = new int[count];
        int[] starts = new int[count];
        int at = 0;
        for (int i = 0; i < count; i++) {
            ends[i] = at;
            at += dependents[i];
            starts[i] = at;
            at += starters[i];
        }
        int[] appendix = new int[at];
        for (int i = 0; i < later.size(); i++) {
            int from = earlier.get(i);
            int place = from >= 0 ? ends[from]++ : starts[from & ~STARTED]++;
            appendix[place] = later.get(i);
        }
        return appendix;
    }

    /** Little-endian numbers on their way out. */
    private static final class Buffer {
        private final OutputStream out;
        private final byte[] bytes = new byte[1 << 16];
        private int at;

        Buffer(OutputStream out) {
            this.out = out;
        }

        void room(int wanted) throws IOException {
            if (bytes.length - at < wanted) {
                flush();
            }
        }

        void integer(int value) throws IOException {
            room(4);
            bytes[at] = (byte) value;
            bytes[at + 1] = (byte) (value >>> 8);
            bytes[at + 2] = (byte) (value >>> 16);
            bytes[at + 3] = (byte) (value >>> 24);
            at += 4;
        }

        void octet(int value) {
            bytes[at++] = (byte) value;
        }

        void flush() throws IOException {
            out.write(bytes, 0, at);
            at = 0;
        }
    }
}
