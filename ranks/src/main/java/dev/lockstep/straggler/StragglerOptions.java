// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is asked of a table of operations.
 *
 * @param steps the steps that take part; empty for all
 * @param threshold the slowdown from which on it is taken apart
 * @param ideal whose operations are typical
 * @param partial whether steps that lack operations are left out; else they are an error
 * @param secondDataParallel a further data-parallel factor that the table does not show; 1 if unknown
 */
public record StragglerOptions(
        List<Range> steps, double threshold, StragglerRules.Ideal ideal, boolean partial, int secondDataParallel) {
    /** The slowdown from which on it is taken apart. */
    public static final double THRESHOLD = 1.03;

    /** All steps, as the program takes them without options. */
    public StragglerOptions() {
        this(List.of(), THRESHOLD, StragglerRules.Ideal.ROLE, false, 1);
    }

    /** Copies the ranges. */
    public StragglerOptions {
        steps = List.copyOf(steps);
    }

    /**
     * Steps from one to another.
     *
     * @param first the first
     * @param last the last, included
     */
    public record Range(long first, long last) {}

    boolean wants(long step) {
        return steps.isEmpty() || steps.stream().anyMatch(range -> step >= range.first && step <= range.last);
    }

    /**
     * Reads steps as users write them: {@code 23,33-100}.
     *
     * @throws UserException when it is something else
     */
    public static List<Range> ranges(String text) {
        List<Range> ranges = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String range = part.strip();
            if (!range.matches("\\d{1,18}(\\s*-\\s*\\d{1,18})?")) {
                throw new UserException(ErrorCode.OPTION_INVALID, "'" + part + "' names no steps", "as in 23,33-100");
            }
            String[] ends = range.split("-");
            long first = Long.parseLong(ends[0].strip());
            long last = ends.length == 1 ? first : Long.parseLong(ends[1].strip());
            if (last < first) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID, "the steps " + range + " end before they begin", "as in 23,33-100");
            }
            ranges.add(new Range(first, last));
        }
        return ranges;
    }
}
