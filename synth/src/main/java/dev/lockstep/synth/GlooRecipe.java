// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A training run whose ranks average their gradients on the host, by gloo: data parallel, on CPUs or with tensors on GPUs. Immutable,
 * and together with the code version all that determines its bytes.
 *
 * @param seed of every random choice
 * @param ranks processes
 * @param steps training steps, all recorded
 * @param layers of the model; two of them fill a bucket of gradients
 * @param hidden width of the model
 * @param onDevices whether each rank computes on a GPU; else on its CPU, and nothing is recorded of devices
 * @param slow ranks that take longer
 * @param maxClockOffsetNanos ranks' clocks are ahead or behind by up to this much
 */
public record GlooRecipe(
        long seed,
        int ranks,
        int steps,
        int layers,
        int hidden,
        boolean onDevices,
        List<Slow> slow,
        long maxClockOffsetNanos) {

    /** A part of a training step. */
    public enum Stage {
        /** Loads a batch. */
        DATA,
        /** Runs the model. */
        FORWARD,
        /** Computes gradients and hands them to gloo. */
        BACKWARD,
        /** Changes the parameters, once all gradients are averaged. */
        OPTIMIZER;

        /** As options and the truth spell it. */
        public String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * The stage of this name.
         *
         * @throws IllegalArgumentException when there is none
         */
        public static Stage of(String name) {
            return Arrays.stream(values())
                    .filter(stage -> stage.spelling().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "unknown stage of a step: " + name + "; known: data, forward, backward, optimizer"));
        }
    }

    /**
     * A rank that takes longer in a stage of each step.
     *
     * @param rank its number
     * @param stage where
     * @param nanos by how much
     * @param from the first step in which it is so, from 1
     */
    public record Slow(int rank, Stage stage, long nanos, int from) {
        public Slow {
            require(nanos >= 0 && nanos <= 60_000_000_000L, "a slow stage takes 0 to 60 s longer");
            require(from >= 1, "the first slow step is 1 or later");
        }
    }

    public GlooRecipe {
        slow = List.copyOf(slow);
        require(ranks >= 2 && ranks <= 1024, "ranks of a run over gloo must lie in 2..1024");
        require(steps >= 1 && steps <= 100_000, "steps must lie in 1..100000");
        require(layers >= 1 && layers <= 1000, "layers must lie in 1..1000");
        require(hidden >= 8 && hidden <= 65_536, "hidden must lie in 8..65536");
        require(
                maxClockOffsetNanos >= 0 && maxClockOffsetNanos <= 1_000_000_000_000L,
                "the clock offset must lie in 0..1000 seconds");
        for (Slow one : slow) {
            require(one.rank >= 0 && one.rank < ranks, "every slow rank must be one of the ranks");
        }
    }

    /** Four ranks on CPUs, 10 steps of 6 layers of width 512, nobody slow, one clock. */
    public static GlooRecipe standard() {
        return new GlooRecipe(1, 4, 10, 6, 512, false, List.of(), 0);
    }

    public GlooRecipe withSeed(long value) {
        return new GlooRecipe(value, ranks, steps, layers, hidden, onDevices, slow, maxClockOffsetNanos);
    }

    public GlooRecipe withRanks(int value) {
        return new GlooRecipe(seed, value, steps, layers, hidden, onDevices, slow, maxClockOffsetNanos);
    }

    public GlooRecipe withSteps(int value) {
        return new GlooRecipe(seed, ranks, value, layers, hidden, onDevices, slow, maxClockOffsetNanos);
    }

    public GlooRecipe withModel(int depth, int width) {
        return new GlooRecipe(seed, ranks, steps, depth, width, onDevices, slow, maxClockOffsetNanos);
    }

    public GlooRecipe onDevices(boolean value) {
        return new GlooRecipe(seed, ranks, steps, layers, hidden, value, slow, maxClockOffsetNanos);
    }

    public GlooRecipe withSlow(List<Slow> value) {
        return new GlooRecipe(seed, ranks, steps, layers, hidden, onDevices, value, maxClockOffsetNanos);
    }

    /** A rank that takes longer in a stage of every step. */
    public GlooRecipe withSlow(int rank, Stage stage, long nanos) {
        return withSlow(List.of(new Slow(rank, stage, nanos, 1)));
    }

    public GlooRecipe withClocks(long maxOffsetNanos) {
        return new GlooRecipe(seed, ranks, steps, layers, hidden, onDevices, slow, maxOffsetNanos);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
