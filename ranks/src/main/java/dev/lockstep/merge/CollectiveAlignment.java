// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.clocks.ClockLine;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.CommonClock;
import dev.lockstep.clocks.RankRecording;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.write.JsonTexts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Clocks corrected by the ends of collectives and messages, onto the clock of one rank.
 *
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public final class CollectiveAlignment implements Alignment {
    private static final String MEANS_NOTHING =
            "differences that are smaller than the difference of the clocks mean nothing";

    private final Clocks clocks;
    private final CommonClock clock;
    private final long origin;

    /** By number of the rank: its place. */
    private final Map<Integer, Integer> places = new HashMap<>();

    /**
     * Estimates the clocks.
     *
     * @param ranks the kernels of each rank, by rank ascending, at least one
     * @param gpusPerNode ranks of a node, which read one clock; 0 to go by the names of hosts, where they are known
     */
    public CollectiveAlignment(List<RankCollectives> ranks, int gpusPerNode) {
        clocks = Clocks.of(CollectiveMatch.of(ranks), gpusPerNode);
        clock = clocks.estimated();
        origin = ranks.getFirst().info().originNs();
        for (int place = 0; place < ranks.size(); place++) {
            places.put(ranks.get(place).rank(), place);
        }
    }

    /** {@return whether the clocks of all ranks could be compared} */
    public boolean isComplete() {
        return clocks.isComplete();
    }

    @Override
    public LongUnaryOperator clockOf(TraceInfo trace) {
        Integer place = places.get(trace.rank().index());
        return place == null ? Alignment.none().clockOf(trace) : time -> clock.at(place, time) + origin;
    }

    @Override
    public long earliest() {
        long earliest = Long.MAX_VALUE;
        for (int place = 0; place < clocks.size(); place++) {
            RankRecording recording = clocks.recording(place);
            if (clocks.isKnown(place) && recording.to() != 0) {
                earliest = Math.min(earliest, clock.at(place, recording.from()) + origin);
            }
        }
        return earliest;
    }

    /**
     * {@return the same as a manifest by which Perfetto merges the files as they were recorded} It knows offsets and no
     * drift, so each offset is the one in the middle of the rank's recording.
     */
    public String manifest() {
        return ClockManifest.of(clocks);
    }

    @Override
    public String json() {
        StringBuilder json = new StringBuilder("{\"method\":\"collectives\",\"reference\":")
                .append(number(clocks.reference()))
                .append(",\"meaning\":\"aheadNs is what the clock of a rank showed beyond that of the reference at"
                        + " atNs of its own, and was taken away, growing with driftPpm; it is right to within"
                        + " errorNs over the whole recording; half of the ends of collectives lie within"
                        + " residualNs of where they should\",\"nodesBy\":")
                .append(JsonTexts.quoted(clocks.nodes().basis()))
                .append(",\"nodes\":[");
        for (int node = 0; node < clocks.nodes().names().size(); node++) {
            json.append(node == 0 ? "" : ",")
                    .append("{\"name\":")
                    .append(JsonTexts.quoted(clocks.nodes().names().get(node)))
                    .append(",\"ranks\":")
                    .append(numbers(node))
                    .append(",\"oneClock\":")
                    .append(clocks.isShared(node))
                    .append('}');
        }
        json.append("],\"ranks\":[");
        for (int place = 0; place < clocks.size(); place++) {
            json.append(place == 0 ? "" : ",").append(json(place));
        }
        json.append(']');
        if (!isComplete()) {
            json.append(",\"note\":")
                    .append(JsonTexts.quoted("Between ranks that are not aligned and others, " + MEANS_NOTHING + "."));
        }
        return json.append('}').toString();
    }

    private String json(int place) {
        if (!clocks.isAligned(place)) {
            return "{\"rank\":" + number(place) + ",\"aligned\":false}";
        }
        ClockLine line = clocks.line(place);
        return String.format(
                Locale.ROOT,
                "{\"rank\":%d,\"aligned\":true,\"by\":\"%s\",\"aheadNs\":%d,\"atNs\":%d,\"driftPpm\":%.6f,\"errorNs\":%d,"
                        + "\"residualNs\":%d,\"collectives\":%d,\"outliers\":%d}",
                number(place),
                line.basis().word(),
                line.epochNs() + line.offsetNs(),
                line.atNs(),
                line.driftPpm(),
                line.errorNs(),
                line.residualNs(),
                line.ties(),
                line.outliers());
    }

    private int number(int place) {
        return clocks.recording(place).info().rank().index();
    }

    @Override
    public List<String> sentences() {
        if (clocks.size() == 1) {
            return List.of("there is one rank: no clock to align it with");
        }
        if (!clocks.isAny()) {
            return List.of("clocks are not aligned: no two ranks share a collective or a message; " + MEANS_NOTHING);
        }
        List<String> sentences = new ArrayList<>();
        sentences.add("clocks are aligned to that of rank " + number(clocks.reference())
                + " by the ends of collectives and messages:");
        List<String> names = clocks.nodes().names();
        for (int node = 0; node < names.size(); node++) {
            if (clocks.nodes().ranksOf(node).length > 1) {
                sentences.add("  " + names.get(node) + " (ranks " + ranges(node) + "): "
                        + (clocks.isShared(node)
                                ? "one clock"
                                : "the clocks of its ranks differ by more than their errors; each is fitted on"
                                        + " its own"));
            }
        }
        for (int place = 0; place < clocks.size(); place++) {
            if (place != clocks.reference()) {
                sentences.add("  rank " + number(place) + ": " + sentence(place));
            }
        }
        return sentences;
    }

    private String sentence(int place) {
        ClockLine line = clocks.line(place);
        if (!clocks.isKnown(place)) {
            int first = line.block();
            return "nothing ties it to rank " + number(clocks.reference()) + "; "
                    + (first == place ? "its clock is taken as it is" : "it has the clock of rank " + number(first));
        }
        String drift = line.drift() == 0 ? "" : String.format(Locale.ROOT, ", drifting by %+.3f ppm", line.driftPpm());
        String evidence = line.ties() == 0
                ? "by its node"
                : String.format(
                        Locale.ROOT,
                        "%,d collectives, residual %.3f us, %,d outliers",
                        line.ties(),
                        line.residualNs() / 1e3,
                        line.outliers());
        String ahead = line.epochNs() == 0
                ? String.format(Locale.ROOT, "%+.3f us ahead", line.offsetNs() / 1e3)
                : "counts from another moment, placed by collectives";
        return String.format(Locale.ROOT, "%s%s, to within %.3f us (%s)", ahead, drift, line.errorNs() / 1e3, evidence);
    }

    private List<Integer> numbers(int node) {
        List<Integer> numbers = new ArrayList<>();
        for (int place : clocks.nodes().ranksOf(node)) {
            numbers.add(number(place));
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
