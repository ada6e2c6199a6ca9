// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.replay.plan.JoinedInputs;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shapes, types and strides of the inputs of a trace's operators, as numbers that are equal for equal texts, -1 for those
 * that are not known. What the trace does not hold, an execution trace of the same run may. Confined to one thread.
 */
final class OperatorInputs {
    private final Trace trace;
    private final @Nullable OpDetails details;
    private final @Nullable JoinedInputs joined;

    /** Texts that the trace does not hold; their numbers follow those of the trace's. */
    private final List<String> further = new ArrayList<>();

    private final Map<String, Integer> numbers = new HashMap<>();

    /** By row of the trace: the place of an operator's three numbers. */
    private final LongIntMap places = new LongIntMap(256);

    private final IntList found = new IntList(256);

    OperatorInputs(Trace trace, @Nullable JoinedInputs joined) {
        this.trace = trace;
        this.details = trace.view(OpDetails.KEY);
        this.joined = joined;
    }

    int shapes(int operator) {
        int row = row(operator);
        return details != null && row >= 0 ? details.inputDims(row) : executed(operator, 0);
    }

    int types(int operator) {
        int row = row(operator);
        return details != null && row >= 0 ? details.inputTypes(row) : executed(operator, 1);
    }

    int strides(int operator) {
        int row = row(operator);
        return details != null && row >= 0 ? details.inputStrides(row) : executed(operator, 2);
    }

    /** The text of a number, null for none. */
    @Nullable
    String text(int number) {
        int own = number - trace.strings().size();
        return own >= 0 ? further.get(own) : trace.strings().orNull(number);
    }

    /** The row of details about the operator; -1 when the execution trace knows more. */
    private int row(int operator) {
        int row = details == null ? -1 : details.of(operator);
        boolean bare = details != null && row >= 0 && details.inputDims(row) < 0 && details.inputTypes(row) < 0;
        return bare && joined != null ? -1 : row;
    }

    private int executed(int operator, int which) {
        if (joined == null) {
            return -1;
        }
        int place = places.get(operator);
        if (place < 0) {
            OperatorText text = OperatorText.of(joined.of(operator));
            place = found.size();
            places.put(operator, place);
            found.add(number(text.shapes()));
            found.add(number(text.types()));
            found.add(number(text.strides()));
        }
        return found.get(place + which);
    }

    private int number(@Nullable String text) {
        if (text == null) {
            return -1;
        }
        int known = trace.strings().find(text);
        return known >= 0
                ? known
                : numbers.computeIfAbsent(text, t -> {
                    further.add(t);
                    return trace.strings().size() + further.size() - 1;
                });
    }
}
