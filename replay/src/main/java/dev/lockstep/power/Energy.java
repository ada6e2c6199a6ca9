// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

/**
 * The energy of a window.
 *
 * @param joules NaN when nothing is known of the window
 * @param uncertainty the true value lies within this of {@code joules}, as far as the sampling of the window's ends goes; in J
 * @param seconds length of the window
 * @param samples samples inside the window; of a counter, updates
 * @param method how it was found
 */
public record Energy(double joules, double uncertainty, double seconds, int samples, Method method) {
    /** How energy was found. */
    public enum Method {
        /** Difference of a counter at both ends. */
        COUNTER,
        /** Trapezoids through samples, interpolated at both ends. */
        TRAPEZOID,
        /** No sample lies inside: a line through the neighbours. */
        INTERPOLATED,
        /** The window reaches beyond the samples by more than a few of their periods. */
        UNKNOWN
    }

    /** Mean power in W. */
    public double watts() {
        return joules / seconds;
    }

    /** Without what a device takes that does nothing. */
    public Energy without(double idleWatts) {
        return new Energy(joules - idleWatts * seconds, uncertainty, seconds, samples, method);
    }

    /** Together with another domain's energy of the same window. */
    public Energy plus(Energy other) {
        return new Energy(
                joules + other.joules,
                uncertainty + other.uncertainty,
                seconds,
                Math.min(samples, other.samples),
                method.compareTo(other.method) > 0 ? method : other.method);
    }
}
