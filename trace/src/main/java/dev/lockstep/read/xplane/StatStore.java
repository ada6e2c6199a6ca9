// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import java.util.ArrayList;
import java.util.List;

/** Statistics of events as they stand in the file, which are kept until the plane says what they are called. */
final class StatStore {
    private static final int BLOCK = 1 << 18;

    private final List<byte[]> blocks = new ArrayList<>();
    private byte[] last = new byte[0];
    private int used;
    private int begun;

    /** Begins the statistics of an event. */
    void begin() {
        begun = used;
    }

    /** Adds bytes to those of the event that was begun last. */
    void add(byte[] source, int from, int length) {
        if (length > last.length - used) {
            int kept = used - begun;
            byte[] block = new byte[Math.max(BLOCK, kept + length)];
            System.arraycopy(last, begun, block, 0, kept);
            blocks.add(block);
            last = block;
            begun = 0;
            used = kept;
        }
        System.arraycopy(source, from, last, used, length);
        used += length;
    }

    /** Where the statistics of the event that was begun last are; -1 for none. */
    long place() {
        return used == begun ? -1 : (long) (blocks.size() - 1) << 32 | begun;
    }

    /** How many bytes they take. */
    int length() {
        return used - begun;
    }

    byte[] block(long place) {
        return blocks.get((int) (place >>> 32));
    }

    /** Lets go of all blocks before this place. */
    void release(long place) {
        int block = (int) (place >>> 32);
        if (block > 0 && blocks.get(block - 1).length > 0) {
            for (int i = block - 1; i >= 0 && blocks.get(i).length > 0; i--) {
                blocks.set(i, new byte[0]);
            }
        }
    }

    void clear() {
        blocks.clear();
        last = new byte[0];
        used = 0;
        begun = 0;
    }
}
