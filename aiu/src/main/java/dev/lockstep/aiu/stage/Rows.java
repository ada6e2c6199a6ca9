// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import java.util.Arrays;

/** Numbers the rows of a trace, pairs of process and thread, from zero in the order in which they appear. */
final class Rows {
    private long[] pids = new long[64];
    private long[] tids = new long[64];
    private int[] slots = filled(128);
    private int size;

    int of(AiuEvent event) {
        return of(event.pid, event.hasTid ? event.tid : 0);
    }

    int of(long pid, long tid) {
        int slot = slot(pid, tid);
        int row = slots[slot];
        if (row >= 0) {
            return row;
        }
        if (size == pids.length) {
            grow();
            slot = slot(pid, tid);
        }
        pids[size] = pid;
        tids[size] = tid;
        slots[slot] = size;
        return size++;
    }

    int size() {
        return size;
    }

    private int slot(long pid, long tid) {
        long hash = (pid * 0x9E3779B97F4A7C15L ^ tid) * 0xC2B2AE3D27D4EB4FL;
        int mask = slots.length - 1;
        int slot = (int) (hash >>> 40) & mask;
        while (slots[slot] >= 0 && (pids[slots[slot]] != pid || tids[slots[slot]] != tid)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        pids = Arrays.copyOf(pids, size * 2);
        tids = Arrays.copyOf(tids, size * 2);
        slots = filled(size * 4);
        for (int row = 0; row < size; row++) {
            slots[slot(pids[row], tids[row])] = row;
        }
    }

    private static int[] filled(int length) {
        int[] empty = new int[length];
        Arrays.fill(empty, -1);
        return empty;
    }
}
