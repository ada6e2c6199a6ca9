// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A rank that is slower than the others, and why.
 *
 * @param rank in the job, or {@link #ALL}
 * @param kind what is wrong
 * @param amount how much; see the kind
 * @param from the first step in which it is so, from 1
 */
public record Straggler(int rank, Kind kind, double amount, int from) {
    /** The rank that stands for every rank. */
    public static final int ALL = -1;

    /** What makes a rank slow. */
    public enum Kind {
        /** All its compute kernels take {@code amount} times as long. */
        DEVICE(1, 100, 1.15),
        /** Its clock runs at {@code amount} of the nominal one: kernels bound by arithmetic take longer, others do not. */
        CLOCK(0.05, 1, 0.85),
        /** It has {@code amount} times the work: more kernels of the same kinds. */
        WORK(1, 4, 1.25),
        /** Its main thread does nothing for {@code amount} us, once a step. */
        HOST(0, 10_000_000, 5_000),
        /** Its interpreter collects garbage for {@code amount} us, every other step; recorded with Python stacks. */
        GC(0, 10_000_000, 50_000),
        /** Its network card is slow: collectives that leave its host take {@code amount} times as long. */
        LINK(1, 100, 3),
        /** It begins {@code amount} us after the others. */
        START(0, 100_000_000, 50_000),
        /** Its main thread does nothing for {@code amount} us, in every third step. */
        STALL(0, 10_000_000, 20_000),
        /** It writes a checkpoint for {@code amount} us, at the end of every fourth step. */
        CHECKPOINT(0, 10_000_000, 50_000),
        /** It waits for its data loader for {@code amount} us, in every step. */
        LOADER(0, 10_000_000, 5_000),
        /** Its device throttles: compute kernels take longer from step to step, in the last one {@code amount} times as long. */
        THROTTLE(1, 100, 1.25),
        /** One of a hundred calls of its host takes {@code amount} us longer, or many times that: the tail of a Pareto distribution. */
        TAIL(0, 1_000_000, 20),
        /** Its main thread reads a value back from the device behind every {@code amount}-th layer of the forward pass. */
        ITEM(1, 10_000, 1);

        private final double least;
        private final double most;
        private final double usual;

        Kind(double least, double most, double usual) {
            this.least = least;
            this.most = most;
            this.usual = usual;
        }

        /** As options and the truth spell it. */
        public String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** How much when nothing is said. */
        public double usual() {
            return usual;
        }

        /**
         * The kind of this name.
         *
         * @throws IllegalArgumentException when there is none
         */
        public static Kind of(String name) {
            return Arrays.stream(values())
                    .filter(kind -> kind.spelling().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown kind of straggler: " + name
                            + "; known: "
                            + Arrays.stream(values()).map(Kind::spelling).collect(Collectors.joining(", "))));
        }
    }

    /** A rank that is slow from the beginning. */
    public Straggler(int rank, Kind kind, double amount) {
        this(rank, kind, amount, 1);
    }

    public Straggler {
        if (from < 1) {
            throw new IllegalArgumentException("the first step of a straggler is 1 or later");
        }
        if (rank < ALL) {
            throw new IllegalArgumentException("a straggler is a rank, or all");
        }
        if (!(amount >= kind.least && amount <= kind.most)) {
            throw new IllegalArgumentException("the amount of a straggler of kind " + kind.spelling() + " must lie in "
                    + kind.least + ".." + kind.most);
        }
    }

    boolean concerns(int candidate) {
        return rank == ALL || rank == candidate;
    }
}
