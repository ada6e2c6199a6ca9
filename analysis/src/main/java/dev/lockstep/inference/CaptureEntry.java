// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a capture is for.
 *
 * @param file name of the file in its folder
 * @param batch size of the batch that was captured
 * @param whole whether one graph holds the whole iteration; otherwise an iteration launches several
 * @param rank on which it was captured, -1 if that is not known
 */
public record CaptureEntry(String file, long batch, boolean whole, int rank) {
    private static final Pattern MARK = Pattern.compile("capture_(\\d{1,18})_(.*)");
    private static final Pattern FIRST_SIZE = Pattern.compile("\\[(\\d{1,18})\\b");

    /** What a trace says about itself; null when it was recorded during no capture. */
    public static @Nullable CaptureEntry of(String file, Trace trace) {
        int captures = CapturedGraph.count(trace);
        if (captures == 0) {
            return null;
        }
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            Matcher mark = slices.kind(i) == SliceKind.ANNOTATION ? MARK.matcher(trace.name(i)) : null;
            if (mark != null && mark.matches()) {
                boolean told = mark.group(2).equals("FULL") || mark.group(2).equals("PIECEWISE");
                boolean whole = told ? mark.group(2).equals("FULL") : captures == 1;
                return new CaptureEntry(file, Long.parseLong(mark.group(1)), whole, rankOf(trace));
            }
        }
        long batch = likelyBatch(trace);
        return batch < 0 ? null : new CaptureEntry(file, batch, captures == 1, rankOf(trace));
    }

    private static int rankOf(Trace trace) {
        Rank rank = trace.info().rank();
        return rank.origin() == Rank.Origin.ORDER ? -1 : rank.index();
    }

    /** The first dimension that most arguments share; the least on ties, -1 without arguments. */
    private static long likelyBatch(Trace trace) {
        OpDetails details = trace.view(OpDetails.KEY);
        Map<Long, Integer> counts = new HashMap<>();
        for (int row = 0; details != null && row < details.size(); row++) {
            String dims = trace.strings().orNull(details.inputDims(row));
            Matcher size = FIRST_SIZE.matcher(dims == null ? "" : dims);
            while (size.find()) {
                counts.merge(Long.parseLong(size.group(1)), 1, Integer::sum);
            }
        }
        long best = -1;
        int most = 0;
        for (Map.Entry<Long, Integer> e : counts.entrySet()) {
            if (e.getValue() > most || e.getValue() == most && e.getKey() < best) {
                best = e.getKey();
                most = e.getValue();
            }
        }
        return best;
    }
}
