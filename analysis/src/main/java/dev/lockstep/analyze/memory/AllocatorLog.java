// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Marks;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events of the allocator of one device in order of time, replayed from the beginning: a block lives from the event that
 * allocates it to the next that frees its address. What was allocated before the trace began is the baseline: the first
 * recorded total without its own event. Recorded totals are believed; where one is not the sum so far, the replay goes on
 * from it, and counts that. Immutable.
 */
public final class AllocatorLog {
    /** The logs of all devices in order of their numbers, the host first. */
    public record Key() implements Derived<List<AllocatorLog>> {
        @Override
        public List<AllocatorLog> derive(Trace trace, DerivedCache cache) {
            MemoryDetails memory = trace.view(MemoryDetails.KEY);
            if (memory == null) {
                return List.of();
            }
            Map<Long, IntList> rows = new TreeMap<>();
            for (int row = 0; row < memory.size(); row++) {
                rows.computeIfAbsent(memory.device(row), device -> new IntList(16))
                        .add(row);
            }
            List<AllocatorLog> logs = new ArrayList<>();
            rows.forEach((device, some) -> logs.add(new AllocatorLog(memory, trace.marks(), device, some.toArray())));
            return List.copyOf(logs);
        }
    }

    /** The end of a block that is never freed. */
    static final int NEVER = Integer.MAX_VALUE;

    /**
     * What does not add up.
     *
     * @param unmatchedFrees blocks freed that were not known to be allocated, as those from before the recording are
     * @param unmatchedBytes their bytes
     * @param againFrees those of them that the recording saw freed before
     * @param againBytes their bytes
     * @param lostFrees blocks whose address was allocated again without being freed
     * @param lostBytes their bytes
     * @param brokenTotals recorded totals that are not the sum so far
     * @param brokenBytes by how much they differ from it in all, signs left off
     */
    public record Loss(
            int unmatchedFrees,
            long unmatchedBytes,
            int againFrees,
            long againBytes,
            int lostFrees,
            long lostBytes,
            int brokenTotals,
            long brokenBytes) {}

    /** In place of the event that allocated a block: it was freed already. */
    private static final int TAKEN_BACK = -1;

    private final long device;
    private final int[] rows;
    private final long[] time;
    private final long[] bytes;
    private final long[] level;
    private final long[] reserved;

    /** Of each event that allocates: the event that ends the block; of each that frees: the event that allocated it. */
    private final int[] other;

    private final long baseline;
    private final boolean totals;
    private final boolean addresses;
    private final Loss loss;

    private AllocatorLog(MemoryDetails memory, Marks marks, long device, int[] inFileOrder) {
        this.device = device;
        this.rows = inFileOrder;
        int n = rows.length;
        time = new long[n];
        for (int i = 0; i < n; i++) {
            time[i] = marks.ts(memory.mark(rows[i]));
        }
        LongOrder.sort(time, rows);
        bytes = new long[n];
        level = new long[n];
        reserved = new long[n];
        other = new int[n];
        boolean kept = false;
        boolean placed = false;
        for (int i = 0; i < n; i++) {
            bytes[i] = memory.bytes(rows[i]);
            reserved[i] = memory.reserved(rows[i]);
            kept |= memory.allocated(rows[i]) > 0;
            placed |= memory.address(rows[i]) != -1;
        }
        // of a single block that is freed nothing may be left
        kept |= n == 1 && bytes[0] < 0;
        totals = kept && memory.allocated(rows[0]) != -1;
        addresses = placed;
        baseline = totals ? memory.allocated(rows[0]) - bytes[0] : 0;
        loss = replay(memory);
    }

    private Loss replay(MemoryDetails memory) {
        LongIntMap live = new LongIntMap(16); // by address: 1 + the event that allocated it, 0 when free
        Arrays.fill(other, NEVER);
        int[] counts = new int[4];
        long[] sums = new long[4];
        long now = baseline;
        for (int i = 0; i < rows.length; i++) {
            now += bytes[i];
            long recorded = memory.allocated(rows[i]);
            if (totals && recorded != -1 && recorded != now) {
                counts[2]++;
                sums[2] += Math.abs(recorded - now);
                now = recorded;
            }
            level[i] = now;
            if (!addresses) {
                continue;
            }
            int before = live.put(memory.address(rows[i]), bytes[i] >= 0 ? i + 1 : 0) - 1;
            if (before >= 0) {
                other[before] = i;
            }
            if (bytes[i] >= 0) {
                counts[1] += before >= 0 ? 1 : 0;
                sums[1] += before >= 0 ? bytes[before] : 0;
            } else if (before >= 0) {
                other[i] = before;
            } else {
                counts[0]++;
                sums[0] -= bytes[i];
                counts[3] += before == TAKEN_BACK ? 1 : 0;
                sums[3] -= before == TAKEN_BACK ? bytes[i] : 0;
            }
        }
        return new Loss(counts[0], sums[0], counts[3], sums[3], counts[1], sums[1], counts[2], sums[2]);
    }

    /** Number of the device, {@link MemoryDetails#HOST} for the host. */
    public long device() {
        return device;
    }

    /** What a sheet calls the device. */
    public String name() {
        return device == MemoryDetails.HOST ? "cpu" : Long.toString(device);
    }

    /** Number of events. */
    public int size() {
        return rows.length;
    }

    /** The row of an event in {@link MemoryDetails}. */
    public int row(int event) {
        return rows[event];
    }

    /** When it happened, in ns. */
    public long time(int event) {
        return time[event];
    }

    /** Bytes allocated, negative when freed. */
    public long bytes(int event) {
        return bytes[event];
    }

    /** Bytes allocated after the event. */
    public long level(int event) {
        return level[event];
    }

    /** Bytes allocated before the event, of which {@code size()} may be asked for, too. */
    public long before(int event) {
        return event == 0 ? baseline : level[event - 1];
    }

    /** Bytes that the allocator holds after the event, -1 when not recorded. */
    public long reserved(int event) {
        return reserved[event];
    }

    /** Bytes allocated before the first event. */
    public long baseline() {
        return baseline;
    }

    /** Whether totals were recorded; without them the baseline is not known and counts as 0. */
    public boolean hasTotals() {
        return totals;
    }

    /** Whether events say which block they are about. */
    public boolean hasAddresses() {
        return addresses;
    }

    public Loss loss() {
        return loss;
    }

    /** Whether the event gives memory out. */
    public boolean givesOut(int event) {
        return bytes[event] >= 0;
    }

    /** The event that ends the block which this one allocates, or that allocated the one which it frees; else {@link #NEVER}. */
    int end(int event) {
        return other[event];
    }

    /** Whether the event frees a block that is known to be allocated. */
    boolean isMatched(int event) {
        return other[event] != NEVER;
    }

    /** The first event at this time or later. */
    int firstAt(long ts) {
        return LongOrder.countBelow(time, ts);
    }

    /**
     * The event after which most is allocated, the first of several; -1 when no event of the range reaches more than is given
     * out before it.
     *
     * @param reaching whether an event counts, too, that reaches as much as was allocated before the range
     */
    int peak(int from, int to, boolean reaching) {
        long most = before(from);
        int at = -1;
        for (int i = from; i < to; i++) {
            if (level[i] > most || reaching && at < 0 && level[i] == most) {
                most = level[i];
                at = i;
            }
        }
        return at;
    }
}
