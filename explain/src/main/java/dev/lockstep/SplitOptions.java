// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import org.jspecify.annotations.Nullable;

/**
 * What is cut out of a trace. Where nothing is asked for, each iteration becomes a file.
 *
 * @param iterations those that are looked at; null for all
 * @param each a file for each iteration
 * @param steady windows of the steady state: a representative one, decode only, prefill
 * @param phases a file for each iteration of the steady state, in a folder for its phase
 * @param steps iterations of a window, at least 1
 * @param load what is known about requests; null when nothing is
 * @param annotation annotations of this name mark iterations; null for those of serving engines, else the profiler's steps,
 *     else what repeats
 */
public record SplitOptions(
        @Nullable Iterations iterations,
        boolean each,
        boolean steady,
        boolean phases,
        int steps,
        @Nullable Load load,
        @Nullable String annotation) {
    /** How many iterations a window has if nothing is said. */
    public static final int STEPS = 32;

    /**
     * Iterations in a row, counted from 0.
     *
     * @param from the first
     * @param to the one behind the last; more than there are stands for all
     */
    public record Iterations(int from, int to) {}

    /**
     * Requests to a server.
     *
     * @param concurrency how many there are at a time, at least 1
     * @param tokens most tokens that one produces; NaN when not known
     * @param least the share of them that each produces at least, 0 to 1; NaN when not known
     */
    public record Load(int concurrency, double tokens, double least) {
        /** Whether tokens are known, and so how often a prompt is read. */
        boolean knowsTokens() {
            return !Double.isNaN(tokens) && !Double.isNaN(least);
        }
    }

    /**
     * Checks the numbers.
     *
     * @throws UserException for windows of no iterations
     */
    public SplitOptions {
        if (steps < 1) {
            throw new UserException(ErrorCode.OPTION_INVALID, "a window has at least 1 iteration, not " + steps, null);
        }
    }

    /** {@return each iteration in a file} */
    public static SplitOptions standard() {
        return new SplitOptions(null, false, false, false, STEPS, null, null);
    }
}
