// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import java.util.List;

/**
 * The ranks that one file holds.
 *
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public final class FileRanks {
    private FileRanks() {}

    /**
     * {@return the trace of a rank, or the only one for -1}
     *
     * @param traces all traces of the file
     * @param input the file, for messages
     * @param rank the rank that is meant, -1 for the only one
     * @throws UserException when the file does not hold that rank, or for -1 several
     */
    public static Trace choose(List<Trace> traces, TraceInput input, int rank) {
        if (rank < 0 && traces.size() == 1) {
            return traces.getFirst();
        }
        for (Trace trace : traces) {
            if (rank >= 0 && trace.info().rank().index() == rank) {
                return trace;
            }
        }
        String ranks = ranges(traces.stream().map(t -> t.info().rank().index()).toList());
        throw rank < 0
                ? new UserException(
                        ErrorCode.OPTION_INVALID,
                        input.name() + " holds " + traces.size() + " ranks (" + ranks + "); one is needed",
                        "Say which rank is meant.")
                : new UserException(
                        ErrorCode.OPTION_INVALID,
                        input.name() + " does not hold rank " + rank,
                        traces.size() == 1 ? "It holds rank " + ranks + "." : "It holds the ranks " + ranks + ".");
    }

    /**
     * {@return numbers in words, as in {@code 0-3, 5}; they come in ascending order}
     *
     * @param numbers in ascending order
     */
    public static String ranges(List<Integer> numbers) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < numbers.size(); ) {
            int j = i;
            while (j + 1 < numbers.size() && numbers.get(j + 1) == numbers.get(j) + 1) {
                j++;
            }
            text.append(text.isEmpty() ? "" : ", ").append(numbers.get(i));
            if (j > i) {
                text.append(j == i + 1 ? ", " : "-").append(numbers.get(j));
            }
            i = j + 1;
        }
        return text.isEmpty() ? "none" : text.toString();
    }
}
