// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import org.jspecify.annotations.Nullable;

/**
 * A part of the whole that was measured alone: a kernel or operator.
 *
 * @param identity what it is
 * @param calls how often it ran in the recording
 * @param callsPerStep calls in a step, NaN when steps are not known
 * @param ns one execution alone; NaN when it was not measured
 * @param inOrderNs one execution in recorded order, among the others; NaN when it was not run so
 * @param runs how often the benchmark says it ran it, -1 when it does not say
 * @param window when the benchmark ran it; null when unknown
 * @param recordedNs what all its calls took in the recording; NaN when not recorded
 * @param missing why it was not measured; null when it was
 */
public record Part(
        Identity identity,
        long calls,
        double callsPerStep,
        double ns,
        double inOrderNs,
        long runs,
        @Nullable Window window,
        double recordedNs,
        @Nullable String missing) {
    /** Stated counts that exceed the possible ones by more than this share cannot be. */
    private static final double TOLERANCE = 0.25;

    /**
     * What a part is. Several parts may have one name.
     *
     * @param id number of the operator in its plan, -1 without one
     * @param kind how it was measured: a library, or what came of it
     * @param shapes of its arguments, as JSON; null when not known
     * @param types of their elements, as JSON; null when not known
     * @param values of the arguments that are no tensors, as JSON; null when not known
     */
    public record Identity(
            int id,
            String name,
            String kind,
            @Nullable String shapes,
            @Nullable String types,
            @Nullable String values) {
        /** What has but a name. */
        public static Identity of(String name, String kind) {
            return new Identity(-1, name, kind, null, null, null);
        }
    }

    /** What it is, in a name that others may share. */
    public String name() {
        return identity.name;
    }

    /** How it was measured: a library, or what came of it. */
    public String kind() {
        return identity.kind;
    }

    /** From begin to end, in ns since 1970. */
    public record Window(long start, long end) {
        public Window {
            if (end <= start) {
                throw new IllegalArgumentException("a window that ends before it begins");
            }
        }

        public long ns() {
            return end - start;
        }
    }

    /** Whether a time of one execution is known. */
    public boolean isMeasured() {
        return !Double.isNaN(ns);
    }

    /** How often it can have run in its window, by the time of one execution; NaN without either. */
    public double possibleRuns() {
        return window == null || !isMeasured() || ns <= 0 ? Double.NaN : window.ns() / ns;
    }

    /** Share of its window in which it ran, up to 1; NaN when that is not known. */
    public double busy() {
        return runs > 0 ? Math.min(1, runs / possibleRuns()) : Double.NaN;
    }

    /** Whether it cannot have run as often as stated, given window and time; fewer runs only mean that it also paused. */
    public boolean isMiscounted() {
        double possible = possibleRuns();
        return runs > 0 && !Double.isNaN(possible) && runs > possible * (1 + TOLERANCE);
    }

    /** How often it ran in its window: as stated, unless that cannot be; NaN when nothing is known. */
    public double executed() {
        return isMiscounted() ? possibleRuns() : runs > 0 ? runs : possibleRuns();
    }
}
