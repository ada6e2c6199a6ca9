// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.TraceInfo;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * What the clocks of the ranks have to do with one another.
 *
 * @hidden for the program's own modules
 */
public interface Alignment {
    /**
     * {@return the time on the common clock for a time of this rank, in ns since 1970 or whatever the clocks count
     * from} Grows with its argument.
     *
     * @param trace what the trace of one rank says of itself
     */
    LongUnaryOperator clockOf(TraceInfo trace);

    /**
     * {@return when the first rank begins on the common clock, as far as that is known before they come; else {@link
     * Long#MAX_VALUE}}
     */
    long earliest();

    /** {@return what a reader of the merged file must know about it, as a JSON object} */
    String json();

    /** {@return the same in sentences, one a line} */
    List<String> sentences();

    /** {@return nothing but what the traces themselves say: their clocks are taken to agree} */
    static Alignment none() {
        return new Alignment() {
            @Override
            public LongUnaryOperator clockOf(TraceInfo trace) {
                long origin = trace.originNs();
                return time -> time + origin;
            }

            @Override
            public long earliest() {
                return Long.MAX_VALUE;
            }

            @Override
            public List<String> sentences() {
                return List.of("clocks are not aligned: how far they differ was not estimated");
            }

            @Override
            public String json() {
                return "{\"method\":\"none\",\"note\":\"The clocks of the ranks were not aligned: differences between"
                        + " ranks that are smaller than the difference of their clocks mean nothing.\"}";
            }
        };
    }
}
