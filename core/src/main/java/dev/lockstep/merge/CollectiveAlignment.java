// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/** Clocks corrected by the ends of collectives, onto the clock of the lowest rank. */
public final class CollectiveAlignment implements Alignment {
    private static final double PPM = 1e6;

    private final Map<Integer, ClockFit.Clock> clocks = new TreeMap<>();
    private final int reference;
    private final long referenceOrigin;

    /** @param ranks the collectives of all ranks, by rank ascending, at least one */
    public CollectiveAlignment(List<RankCollectives> ranks) {
        List<ClockFit.Clock> fitted = ClockFit.of(CollectiveMatch.of(ranks));
        for (int i = 0; i < ranks.size(); i++) {
            clocks.put(ranks.get(i).rank(), fitted.get(i));
        }
        reference = ranks.getFirst().rank();
        referenceOrigin = ranks.getFirst().info().originNs();
    }

    /** Whether the clocks of all ranks could be compared. */
    public boolean isComplete() {
        return clocks.size() < 2 || clocks.values().stream().allMatch(c -> c.collectives() > 0);
    }

    @Override
    public LongUnaryOperator clockOf(Trace trace) {
        ClockFit.Clock clock = clocks.get(trace.info().rank().index());
        if (clock == null || clock.collectives() == 0) {
            return Alignment.none().clockOf(trace);
        }
        long origin = referenceOrigin;
        return time -> time - clock.ahead(time) + origin;
    }

    @Override
    public String json() {
        StringBuilder json = new StringBuilder("{\"method\":\"collectives\",\"reference\":")
                .append(reference)
                .append(
                        ",\"meaning\":\"aheadNs is what the clock of a rank showed beyond that of the reference at atNs of its"
                                + " own, and was taken away; 95 of 100 ends of collectives lie within errorNs of where they"
                                + " should\",\"ranks\":[");
        String separator = "";
        for (Map.Entry<Integer, ClockFit.Clock> e : clocks.entrySet()) {
            ClockFit.Clock c = e.getValue();
            json.append(separator).append("{\"rank\":").append(e.getKey());
            if (c.collectives() == 0) {
                json.append(",\"aligned\":").append(e.getKey() == reference);
            } else {
                json.append(String.format(
                        Locale.ROOT,
                        ",\"aligned\":true,\"aheadNs\":%d,\"atNs\":%d,\"driftPpm\":%.6f,\"errorNs\":%d,\"collectives\":%d,"
                                + "\"outliers\":%d",
                        c.offsetNs(),
                        c.atNs(),
                        c.drift() * PPM,
                        c.errorNs(),
                        c.collectives(),
                        c.outliers()));
            }
            json.append('}');
            separator = ",";
        }
        return json.append("]}").toString();
    }

    @Override
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        sentences.add("clocks are aligned to that of rank " + reference + " by the ends of collectives:");
        for (Map.Entry<Integer, ClockFit.Clock> e : clocks.entrySet()) {
            ClockFit.Clock c = e.getValue();
            if (e.getKey() == reference) {
                continue;
            }
            sentences.add(
                    c.collectives() == 0
                            ? "  rank " + e.getKey() + ": shares no collective with rank " + reference
                                    + "; its clock is taken as it is"
                            : String.format(
                                    Locale.ROOT,
                                    "  rank %d: %+.3f us ahead%s, to within %.3f us (%,d collectives, %,d outliers)",
                                    e.getKey(),
                                    c.offsetNs() / 1e3,
                                    c.drift() == 0
                                            ? ""
                                            : String.format(Locale.ROOT, ", drifting by %+.3f ppm", c.drift() * PPM),
                                    c.errorNs() / 1e3,
                                    c.collectives(),
                                    c.outliers()));
        }
        return sentences;
    }
}
