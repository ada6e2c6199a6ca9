// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The allocator of a rank's device. Operators of the main thread ask for outputs and now and then for a workspace, those of the
 * autograd thread allocateputs back and ask for gradients, which the next zero_grad frees; the same in every step. Works
 * from what the rank recorded in a step, so that nothing else depends on it.
 */
final class SyntheticAllocator {
    private static final long BLOCK = 512;
    private static final long LARGEST = 1 << 14;
    private static final long SEGMENT = 2 << 20;
    private static final long FIRST_ADDRESS = 139_000_000_000_000L;
    private static final int WORKSPACE_EVERY = 5;
    private static final int GRADIENT_EVERY = 3;
    private static final String ZERO_GRAD = "Optimizer.zero_grad";

    /** Takes what the allocator does, in order of time. */
    interface Log {
        /** Bytes are negative when they are freed; totals are those after it. */
        void add(Lane lane, long nanos, Change change);
    }

    /** A change, with the totals after it. */
    record Change(long bytes, long address, long allocated, long reserved) {}

    private record Block(long address, long bytes) {}

    private record Event(long nanos, Lane lane, Block block, boolean given) {}

    private final MemoryPlan plan;
    private final long seed;
    private final long baseline;
    private final List<Long> startBytes = new ArrayList<>();
    private final List<Block> gradients = new ArrayList<>();
    private long nextAddress = FIRST_ADDRESS;
    private long allocated;
    private long reserved;
    private long allocations;
    private long frees;
    private long peak;
    private long peakReserved;
    private long peakAt;
    private @Nullable String leakOwner;
    private @Nullable String peakOwner;

    SyntheticAllocator(MemoryPlan plan, long seed, int rank) {
        this.plan = plan;
        this.seed = seed;
        baseline = (1L << 30) + Math.floorMod(new SplitMix(seed, 11_000_000_000L + rank).next(), 1L << 20) * BLOCK;
        allocated = baseline;
        reserved = baseline + 8 * SEGMENT;
        peak = baseline;
    }

    /** Plays a step of which these are the events. */
    void step(EventList events, Log log) {
        startBytes.add(allocated);
        reserved += plan.fragmentationBytes();
        List<Event> changes = new ArrayList<>();
        Deque<Block> outputs = new ArrayDeque<>();
        int lastMain = -1;
        int lastForward = -1;
        int ordinal = 0;
        int backward = 0;
        for (int row = 0; row < events.size(); row++) {
            String name = events.kind(row).name();
            long start = events.start(row);
            long length = events.end(row) - start;
            if (events.kind(row).category() == Category.USER_ANNOTATION && name.startsWith(ZERO_GRAD)) {
                for (Block gradient : gradients) {
                    changes.add(new Event(start + length / 2, events.lane(row), gradient, false));
                }
                gradients.clear();
            }
            if (events.kind(row).category() != Category.CPU_OP) {
                continue;
            }
            ordinal++;
            if (events.lane(row) == Lane.MAIN) {
                boolean leaf = isLeaf(events, row);
                lastMain = leaf ? row : lastMain;
                lastForward = leaf && backward == 0 ? row : lastForward;
                Block output = block(ordinal);
                outputs.push(output);
                changes.add(new Event(start + length / 8, Lane.MAIN, output, true));
                if (leaf && ordinal % WORKSPACE_EVERY == 0) {
                    workspace(changes, events, row, block(-ordinal));
                }
            } else if (events.lane(row) == Lane.AUTOGRAD) {
                backward++;
                if (!outputs.isEmpty()) {
                    changes.add(new Event(start + length / 4, Lane.AUTOGRAD, outputs.pop(), false));
                }
                if (backward % GRADIENT_EVERY == 0) {
                    Block gradient = block(ordinal);
                    gradients.add(gradient);
                    changes.add(new Event(start + length / 2, Lane.AUTOGRAD, gradient, true));
                }
            }
        }
        if (lastMain >= 0) {
            finish(events, changes, outputs, lastMain);
            plant(events, changes, lastForward >= 0 ? lastForward : lastMain, lastMain);
        }
        changes.sort(Comparator.comparingLong(Event::nanos));
        changes.forEach(change -> play(change, log));
    }

    /** What nobody freed yet is freed in the step's last operator. */
    private static void finish(EventList events, List<Event> changes, Deque<Block> outputs, int row) {
        long at = events.start(row) + (events.end(row) - events.start(row)) * 7 / 8;
        outputs.forEach(output -> changes.add(new Event(at, Lane.MAIN, output, false)));
    }

    private void plant(EventList events, List<Event> changes, int peakRow, int leakRow) {
        if (plan.peakBytes() > 0 && startBytes.size() == plan.peakStep()) {
            peakOwner = events.kind(peakRow).name();
            workspace(changes, events, peakRow, place(plan.peakBytes()));
        }
        if (plan.leakBytes() > 0) {
            leakOwner = events.kind(leakRow).name();
            long middle = events.start(leakRow) + (events.end(leakRow) - events.start(leakRow)) / 2;
            changes.add(new Event(middle, Lane.MAIN, place(plan.leakBytes()), true));
        }
    }

    private static void workspace(List<Event> changes, EventList events, int row, Block block) {
        long start = events.start(row);
        long length = events.end(row) - start;
        changes.add(new Event(start + length / 4, Lane.MAIN, block, true));
        changes.add(new Event(start + length * 3 / 4, Lane.MAIN, block, false));
    }

    private static boolean isLeaf(EventList events, int row) {
        for (int next = row + 1; next < events.size() && events.start(next) < events.end(row); next++) {
            if (events.kind(next).category() == Category.CPU_OP && events.lane(next) == events.lane(row)) {
                return false;
            }
        }
        return true;
    }

    /** A block for the operator at this place of the step; of the same size in every step. */
    private Block block(int ordinal) {
        SplitMix random = new SplitMix(seed, 12_000_000_000L + ordinal);
        return place((1 + Math.floorMod(random.next(), LARGEST)) * BLOCK);
    }

    private Block place(long bytes) {
        nextAddress += SEGMENT;
        return new Block(nextAddress, bytes);
    }

    private void play(Event event, Log log) {
        long bytes = event.given ? event.block.bytes : -event.block.bytes;
        allocated += bytes;
        allocations += event.given ? 1 : 0;
        frees += event.given ? 0 : 1;
        if (allocated > reserved) {
            reserved += Math.ceilDiv(allocated - reserved, SEGMENT) * SEGMENT;
        }
        if (allocated > peak) {
            peak = allocated;
            peakReserved = reserved;
            peakAt = event.nanos;
        }
        log.add(event.lane, event.nanos, new Change(bytes, event.block.address, allocated, reserved));
    }

    /** What was allocated, times by the rank's clock. */
    MemoryTruth truth(LongUnaryOperator clock) {
        return new MemoryTruth(
                baseline,
                startBytes,
                allocations,
                frees,
                new MemoryTruth.Peak(peak, peakReserved, clock.applyAsLong(peakAt)),
                leakOwner,
                peakOwner);
    }
}
