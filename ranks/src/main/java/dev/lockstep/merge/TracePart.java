// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.codec.JsonText;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceInfo;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** The part of a rank's trace that passes a filter, as a trace. */
public final class TracePart {
    private TracePart() {}

    /**
     * {@return the part, which says itself that it is one; the trace itself where everything passes}
     *
     * @param trace stays as it is
     * @param filter windows of time count from the first slice
     * @throws UserException when nothing passes
     */
    public static Trace of(Trace trace, MergeFilter filter) {
        if (filter.isOpen()) {
            return trace;
        }
        long start = trace.slices().size() == 0 ? 0 : trace.slices().ts(0);
        RankFilter judge = new RankFilter(filter, trace, LongUnaryOperator.identity(), start);
        boolean wanted = filter.wantsRank(trace.info().rank().index());
        boolean[] onDevice = new boolean[trace.tracks().size()];
        for (int i = 0; i < trace.slices().size(); i++) {
            onDevice[trace.slices().track(i)] |= trace.slices().kind(i).isOnDevice();
        }
        TraceBuilder part = TraceBuilder.keeping(
                trace,
                slice -> wanted && judge.slice(slice) == null,
                mark -> wanted && judge.mark(mark, onDevice[trace.marks().track(mark)]) == null);
        if (part.sliceCount() == 0 && part.markCount() == 0) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO, trace.info().source() + ": nothing passes " + filter.text(), null);
        }
        String held = String.format(
                Locale.ROOT,
                "%,d of %,d slices",
                part.sliceCount(),
                trace.slices().size());
        StringBuilder said = new StringBuilder();
        JsonText.quote(filter.text() + " (" + held + ")", said);
        TraceInfo info = trace.info();
        return part.build(
                info.withholding(Map.of(TraceInfo.PART, said.toString()), info.withheld(), info.withheldValues()));
    }
}
