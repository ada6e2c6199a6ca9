// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

/**
 * The whole that parts are compared with: one pass or step.
 *
 * @param source where it comes from
 * @param ns its time; NaN when unknown, as where one is stated that is not above 0
 * @param joules its energy; likewise
 * @param activity what devices did in it; {@link Activity#UNKNOWN} when no trace says it
 */
public record Whole(String source, double ns, double joules, Activity activity) {
    public Whole {
        ns = known(ns);
        joules = known(joules);
    }

    private static double known(double amount) {
        return amount > 0 && Double.isFinite(amount) ? amount : Double.NaN;
    }

    /** Nothing is known. */
    public static final Whole UNKNOWN = new Whole("", Double.NaN, Double.NaN, Activity.UNKNOWN);

    /**
     * Device activity of a step, means over all steps, in ns.
     *
     * @param busy time with any activity
     * @param sum sum of all durations: larger than {@code busy} where activities overlap
     */
    public record Activity(double busy, double sum) {
        /** No trace says it. */
        public static final Activity UNKNOWN = new Activity(Double.NaN, Double.NaN);

        /** The trace has none: all work was done on the host. */
        public static final Activity NONE = new Activity(0, 0);
    }
}
