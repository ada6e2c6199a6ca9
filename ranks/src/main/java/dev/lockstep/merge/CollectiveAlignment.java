// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.TraceInfo;
import dev.lockstep.write.JsonTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * Clocks corrected by the ends of collectives, onto the clock of one rank.
 *
 * @hidden for the program's own modules
 */
public final class CollectiveAlignment implements Alignment {
    private static final double PPM = 1e6;

    private static final String MEANS_NOTHING =
            "differences that are smaller than the difference of the clocks mean nothing";

    private final List<ClockEvidence> ranks;
    private final ClockNodes nodes;
    private final ClockFit fit;
    private final Map<Integer, ClockFit.Clock> clocks = new TreeMap<>();
    private final int reference;

    /**
     * Estimates the clocks.
     *
     * @param ranks what is known of each rank, by rank ascending, at least one
     * @param gpusPerNode ranks of a node, which read one clock; 0 to go by the names of hosts, where they are known
     */
    public CollectiveAlignment(List<ClockEvidence> ranks, int gpusPerNode) {
        this.ranks = List.copyOf(ranks);
        nodes = ClockNodes.of(ranks, gpusPerNode);
        fit = ClockFit.of(ranks, nodes.nodeOf());
        for (int i = 0; i < ranks.size(); i++) {
            clocks.put(ranks.get(i).collectives().rank(), fit.clocks().get(i));
        }
        reference = ranks.get(fit.reference()).collectives().rank();
    }

    /** {@return whether the clocks of all ranks could be compared} */
    public boolean isComplete() {
        return clocks.values().stream().allMatch(ClockFit.Clock::isKnown);
    }

    @Override
    public LongUnaryOperator clockOf(TraceInfo trace) {
        ClockFit.Clock clock = clocks.get(trace.rank().index());
        if (clock == null || !clock.isKnown()) {
            return Alignment.none().clockOf(trace);
        }
        long origin = trace.originNs();
        return time -> time + origin - clock.ahead(time + origin);
    }

    @Override
    public long earliest() {
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < ranks.size(); i++) {
            ClockFit.Clock clock = fit.clocks().get(i);
            long first = ranks.get(i).first();
            if (clock.isKnown() && ranks.get(i).lastNs() != 0) {
                earliest = Math.min(earliest, first - clock.ahead(first));
            }
        }
        return earliest;
    }

    /**
     * {@return the same as a manifest by which Perfetto merges the files as they were recorded} It knows offsets and no
     * drift, so each offset is the one in the middle of the rank's recording.
     */
    public String manifest() {
        return ClockManifest.of(ranks, fit, reference);
    }

    @Override
    public String json() {
        StringBuilder json = new StringBuilder("{\"method\":\"collectives\",\"reference\":")
                .append(reference)
                .append(",\"meaning\":\"aheadNs is what the clock of a rank showed beyond that of the reference at"
                        + " atNs of its own, and was taken away, growing with driftPpm; it is right to within"
                        + " errorNs over the whole recording; half of the ends of collectives lie within"
                        + " residualNs of where they should\",\"nodesBy\":")
                .append(JsonTexts.quoted(nodes.basis()))
                .append(",\"nodes\":[");
        for (int node = 0; node < nodes.names().size(); node++) {
            json.append(node == 0 ? "" : ",")
                    .append("{\"name\":")
                    .append(JsonTexts.quoted(nodes.names().get(node)))
                    .append(",\"ranks\":")
                    .append(numbers(node))
                    .append(",\"oneClock\":")
                    .append(fit.isShared(node))
                    .append('}');
        }
        json.append("],\"ranks\":[");
        String separator = "";
        for (Map.Entry<Integer, ClockFit.Clock> e : clocks.entrySet()) {
            json.append(separator).append(json(e.getKey(), e.getValue()));
            separator = ",";
        }
        json.append(']');
        if (!isComplete()) {
            json.append(",\"note\":")
                    .append(JsonTexts.quoted("Between ranks that are not aligned and others, " + MEANS_NOTHING + "."));
        }
        return json.append('}').toString();
    }

    private static String json(int rank, ClockFit.Clock c) {
        if (!c.isKnown()) {
            return "{\"rank\":" + rank + ",\"aligned\":false}";
        }
        return String.format(
                Locale.ROOT,
                "{\"rank\":%d,\"aligned\":true,\"by\":\"%s\",\"aheadNs\":%d,\"atNs\":%d,\"driftPpm\":%.6f,\"errorNs\":%d,"
                        + "\"residualNs\":%d,\"collectives\":%d,\"outliers\":%d}",
                rank,
                c.basis().name().toLowerCase(Locale.ROOT),
                c.offsetNs(),
                c.atNs(),
                c.drift() * PPM,
                c.errorNs(),
                c.residualNs(),
                c.collectives(),
                c.outliers());
    }

    @Override
    public List<String> sentences() {
        if (ranks.size() == 1) {
            return List.of("there is one rank: no clock to align it with");
        }
        if (clocks.values().stream().filter(ClockFit.Clock::isKnown).count() == 1) {
            return List.of("clocks are not aligned: no two ranks share a collective; " + MEANS_NOTHING);
        }
        List<String> sentences = new ArrayList<>();
        sentences.add("clocks are aligned to that of rank " + reference + " by the ends of collectives:");
        for (int node = 0; node < nodes.names().size(); node++) {
            int members = nodes.ranksOf(node).length;
            if (members > 1) {
                sentences.add("  " + nodes.names().get(node) + " (ranks " + ranges(node) + "): "
                        + (fit.isShared(node)
                                ? "one clock"
                                : "the clocks of its ranks differ by more than their errors; each is fitted on"
                                        + " its own"));
            }
        }
        for (Map.Entry<Integer, ClockFit.Clock> e : clocks.entrySet()) {
            if (e.getKey() != reference) {
                sentences.add("  rank " + e.getKey() + ": " + sentence(e.getValue()));
            }
        }
        return sentences;
    }

    private String sentence(ClockFit.Clock c) {
        if (!c.isKnown()) {
            return "shares no collective with rank " + reference + "; its clock is taken as it is";
        }
        String drift = c.drift() == 0 ? "" : String.format(Locale.ROOT, ", drifting by %+.3f ppm", c.drift() * PPM);
        String evidence = c.collectives() == 0
                ? "by its node"
                : String.format(
                        Locale.ROOT,
                        "%,d collectives, residual %.3f us, %,d outliers",
                        c.collectives(),
                        c.residualNs() / 1e3,
                        c.outliers());
        return String.format(
                Locale.ROOT,
                "%+.3f us ahead%s, to within %.3f us (%s)",
                c.offsetNs() / 1e3,
                drift,
                c.errorNs() / 1e3,
                evidence);
    }

    private List<Integer> numbers(int node) {
        List<Integer> numbers = new ArrayList<>();
        for (int place : nodes.ranksOf(node)) {
            numbers.add(ranks.get(place).collectives().rank());
        }
        return numbers;
    }

    private String ranges(int node) {
        List<Integer> numbers = numbers(node);
        boolean row = numbers.getLast() - numbers.getFirst() == numbers.size() - 1;
        return row
                ? numbers.getFirst() + "-" + numbers.getLast()
                : numbers.toString().replaceAll("[\\[\\]]", "");
    }
}
