// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

/**
 * How an executor runs operators.
 *
 * @param device {@code cpu} or {@code cuda}
 * @param threads threads of the framework within an operator, at least 1
 * @param repeats how often and how long
 * @param cache what the caches hold before each execution
 * @param memoryBytes most memory of the process that runs operators; inputs of one operator may take half of it
 */
public record ReplaySettings(String device, int threads, Repeats repeats, Cache cache, long memoryBytes) {
    /** The device of machines without another one. */
    public static final String CPU = "cpu";

    /** NVIDIA's devices. */
    public static final String CUDA = "cuda";

    public ReplaySettings {
        if (!device.equals(CPU) && !device.equals(CUDA)) {
            throw new IllegalArgumentException("no such device: " + device);
        }
        if (threads < 1 || memoryBytes < 1) {
            throw new IllegalArgumentException("threads and memory begin at 1");
        }
    }

    /**
     * How often and how long an operator is executed.
     *
     * @param warmup executions before the timed ones, -1 to let the run choose
     * @param iterations timed executions, 0 to let the run choose
     * @param windowNs the timed executions go on for at least so long, 0 for no such demand; not with {@code iterations}
     * @param limitNs most time of one operator, with all its executions
     */
    public record Repeats(int warmup, int iterations, long windowNs, long limitNs) {
        /** As the run chooses, within a time. */
        public static Repeats chosen(long limitNs) {
            return new Repeats(-1, 0, 0, limitNs);
        }
    }

    /** What the caches hold before each execution. */
    public enum Cache {
        /** The inputs, from the execution before. */
        HOT("as the execution before left it"),
        /** As much else as the caches can hold: each execution has other inputs than those before it. */
        ROTATED("inputs rotated, so that each execution finds its own as a model would"),
        /** Nothing of use. */
        FLUSHED("flushed before each execution");

        private final String words;

        Cache(String words) {
            this.words = words;
        }

        /** What it means. */
        public String words() {
            return words;
        }
    }
}
