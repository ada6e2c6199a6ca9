// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import dev.lockstep.model.Marks;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.table.LongOrder;
import java.util.BitSet;
import java.util.regex.Pattern;

/**
 * The marks that viewers of Chrome's format refuse or let run on for ever, and that are instants therefore: begins and ends
 * without a partner, steps of asynchronous events, counters without a number.
 */
public final class MarksAsInstants {
    private static final String STEPS = "Tp";

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?([eE][-+]?\\d{1,2})?");

    private MarksAsInstants() {}

    /** Their rows. */
    static BitSet of(RankTimeline rank, RecordedTexts.Cursor recorded) {
        Marks marks = rank.trace().marks();
        BitSet lonely = new BitSet();
        int[] order = rank.marks().clone();
        long[] times = new long[order.length];
        boolean async = false;
        for (int i = 0; i < order.length; i++) {
            int row = order[i];
            char phase = marks.phase(row);
            times[i] = marks.ts(row);
            async |= AsyncSlices.isBegin(phase) || AsyncSlices.isEnd(phase);
            if (phase == 'B' || phase == 'E' || STEPS.indexOf(phase) >= 0 || phase == 'C' && !counts(row, recorded)) {
                lonely.set(row);
            }
        }
        if (async) {
            LongOrder.sort(times, order);
            AsyncSlices slices = new AsyncSlices(rank, order, recorded);
            for (int i = 0; i < order.length; i++) {
                char phase = marks.phase(order[i]);
                if ((AsyncSlices.isBegin(phase) || AsyncSlices.isEnd(phase)) && !slices.isPaired(i)) {
                    lonely.set(order[i]);
                }
            }
        }
        return lonely;
    }

    private static boolean counts(int row, RecordedTexts.Cursor recorded) {
        boolean[] number = new boolean[1];
        if (recorded.move(row) && recorded.hasArguments) {
            JsonMembers.each(recorded.bytes, recorded.arguments, recorded.argumentsEnd, (key, value) -> {
                char first = value.isEmpty() ? 'x' : value.charAt(0);
                number[0] |= first == '-'
                        || first >= '0' && first <= '9'
                        || first == '"' && isNumber(value.substring(1, value.length() - 1));
            });
        }
        return number[0];
    }

    /** Whether a text spells a number as JSON does: some exporters write values of counters as texts, which viewers take. */
    public static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }
}
