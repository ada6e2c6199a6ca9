// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What goes wrong on one rank besides what the whole run suffers: how much slower its kernels are, and when its host pauses. */
final class RankTrouble {
    private static final int GARBAGE_EVERY = 2;

    private final List<Straggler> stragglers;
    private final Map<Long, Long> delays = new HashMap<>();
    private final SplitMix places;
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
        pauseAt = new int[stragglers.size()];
    }

    /** By how much compute kernels take longer. */
    double device() {
        return factor(Straggler.Kind.DEVICE);
    }

    /** How fast the device's clock runs, of the nominal one. */
    double clock() {
        return factor(Straggler.Kind.CLOCK);
    }

    /** How much work there is, of the usual amount. */
    double work() {
        return factor(Straggler.Kind.WORK);
    }

    /** By how much collectives that leave its host take longer. */
    double link() {
        return factor(Straggler.Kind.LINK);
    }

    private double factor(Straggler.Kind kind) {
        return stragglers.stream()
                .filter(straggler -> straggler.kind() == kind && straggler.from() <= step)
                .mapToDouble(Straggler::amount)
                .reduce(1, (a, b) -> a * b);
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
            boolean pauses = kind == Straggler.Kind.HOST || kind == Straggler.Kind.GC && step % GARBAGE_EVERY == 0;
            int place = 2 + (int) Math.floorMod(places.next(), Math.max(1L, instructions / 2));
            boolean begins =
                    kind == Straggler.Kind.START && step == stragglers.get(i).from();
            pauseAt[i] = begins ? 0 : pauses && step >= stragglers.get(i).from() ? place : -1;
        }
    }

    /** How long the host pauses for this reason before an instruction of the step, ns. */
    long pause(Straggler.Kind kind, int instruction) {
        long nanos = 0;
        for (int i = 0; i < pauseAt.length; i++) {
            if (pauseAt[i] == instruction && stragglers.get(i).kind() == kind) {
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
