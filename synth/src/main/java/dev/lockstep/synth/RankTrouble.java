// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What goes wrong on one rank besides what the whole run suffers: how much slower its kernels are, and when its host pauses. */
final class RankTrouble {
    private static final int GARBAGE_EVERY = 2;
    private static final int STALL_EVERY = 3;
    private static final int CHECKPOINT_EVERY = 4;

    /** The instruction of a step before which a batch is loaded. */
    private static final int LOADING = 2;

    private static final int TAIL_OF = 100;
    private static final double TAIL_SHAPE = 1.5;
    private static final double LONGEST_TAIL = 1_000;

    private final List<Straggler> stragglers;
    private final Map<Long, Long> delays = new HashMap<>();
    private final SplitMix places;
    private final SplitMix tails;
    private final int steps;
    private final int[] pauseAt;
    private long pausedNanos;
    private int step;

    RankTrouble(TraceRecipe recipe, int rank) {
        stragglers = recipe.disturbance().stragglers().stream()
                .filter(straggler -> straggler.concerns(rank))
                .toList();
        for (Delay delay : recipe.disturbance().delays()) {
            if (delay.rank() == rank) {
                delays.merge(EdgeLog.activity(delay.correlation(), delay.node()), delay.nanos(), Long::sum);
            }
        }
        places = new SplitMix(recipe.seed(), 6_000_000_000L + rank);
        tails = new SplitMix(recipe.seed(), 7_000_000_000L + rank);
        steps = recipe.recording().steps();
        pauseAt = new int[stragglers.size()];
    }

    /** By how much compute kernels take longer. */
    double device() {
        double throttled = 1;
        for (Straggler straggler : stragglers) {
            if (straggler.kind() == Straggler.Kind.THROTTLE && straggler.from() <= step) {
                double share = (step - straggler.from() + 1.0) / Math.max(1, steps - straggler.from() + 1);
                throttled *= 1 + (straggler.amount() - 1) * Math.min(1, share);
            }
        }
        return factor(Straggler.Kind.DEVICE) * throttled;
    }

    /** How much longer than usual the next call of the host takes, ns. */
    long tail() {
        long nanos = 0;
        for (Straggler straggler : stragglers) {
            if (straggler.kind() == Straggler.Kind.TAIL
                    && straggler.from() <= step
                    && Math.floorMod(tails.next(), (long) TAIL_OF) == 0) {
                double times = Math.min(LONGEST_TAIL, Math.pow(1 - tails.uniform(), -1 / TAIL_SHAPE));
                nanos += Math.round(straggler.amount() * 1_000 * times);
            }
        }
        return nanos;
    }

    /** How fast the device's clock runs, of the nominal one. */
    double clock() {
        return factor(Straggler.Kind.CLOCK);
    }

    /** How much work there is, of the usual amount. */
    double work() {
        return factor(Straggler.Kind.WORK);
    }

    /** Whether the host reads a value behind a layer. */
    boolean reads(int layer) {
        return stragglers.stream()
                .anyMatch(straggler -> straggler.kind() == Straggler.Kind.ITEM
                        && straggler.from() <= step
                        && (layer + 1) % Math.round(straggler.amount()) == 0);
    }

    /** By how much collectives that leave its host take longer. */
    double link() {
        return factor(Straggler.Kind.LINK);
    }

    private double factor(Straggler.Kind kind) {
        double factor = 1;
        for (Straggler straggler : stragglers) { // asked for every kernel
            if (straggler.kind() == kind && straggler.from() <= step) {
                factor *= straggler.amount();
            }
        }
        return factor;
    }

    /** How much longer than usual the activity of this number takes, ns. */
    long delay(long activity) {
        return delays.isEmpty() ? 0 : delays.getOrDefault(activity, 0L);
    }

    /** Draws where in a step of so many instructions the host pauses: behind its beginning, and early enough to matter. */
    void startStep(int number, int instructions) {
        step = number;
        for (int i = 0; i < pauseAt.length; i++) {
            Straggler.Kind kind = stragglers.get(i).kind();
            int place = 2 + (int) Math.floorMod(places.next(), Math.max(1L, instructions / 2));
            int from = stragglers.get(i).from();
            int at = switch (kind) {
                case HOST -> place;
                case GC -> step % GARBAGE_EVERY == 0 ? place : -1;
                case STALL -> (step - from) % STALL_EVERY == 0 ? place : -1;
                case CHECKPOINT -> (step - from + 1) % CHECKPOINT_EVERY == 0 ? instructions - 1 : -1;
                case LOADER -> LOADING;
                case START -> step == from ? 0 : -1;
                default -> -1;
            };
            pauseAt[i] = step >= from ? at : -1;
        }
    }

    /** How long the host pauses before an instruction of the step: to collect garbage, or for other reasons, ns. */
    long pause(boolean garbage, int instruction) {
        long nanos = 0;
        for (int i = 0; i < pauseAt.length; i++) {
            if (pauseAt[i] == instruction && (stragglers.get(i).kind() == Straggler.Kind.GC) == garbage) {
                nanos += Math.round(stragglers.get(i).amount() * 1_000);
            }
        }
        pausedNanos += nanos;
        return nanos;
    }

    /** How long the host has paused since the last call, ns. */
    long takePausedNanos() {
        long taken = pausedNanos;
        pausedNanos = 0;
        return taken;
    }
}
