// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What stands before the blocks of the ranks in the binary form: their number, their largest cpu and nic, their places. */
public final class BinaryHeader {
    private static final long MAGIC = 4223;
    private static final int FIXED = 14;
    private static final int PER_RANK = 16;

    /** Places count from behind the magic number. */
    private static final int ORIGIN = 8;

    private final int ranks;
    private final ByteBuffer places;
    private long end;
    private int cpu;
    private int nic;

    public BinaryHeader(int ranks) {
        this.ranks = ranks;
        this.places = ByteBuffer.allocate(PER_RANK * ranks).order(ByteOrder.LITTLE_ENDIAN);
        this.end = bytes() - ORIGIN;
    }

    /** Its length. */
    public long bytes() {
        return FIXED + (long) PER_RANK * ranks;
    }

    /** Adds the block of the next rank. */
    public void add(long bytes, int maxCpu, int maxNic) {
        places.putLong(end);
        end += bytes;
        places.putLong(end);
        cpu = Math.max(cpu, maxCpu);
        nic = Math.max(nic, maxNic);
    }

    /** The header, once all ranks are known. */
    public byte[] content() {
        return ByteBuffer.allocate((int) bytes())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putInt(ranks)
                .put((byte) cpu)
                .put((byte) nic)
                .put(places.array())
                .array();
    }
}
