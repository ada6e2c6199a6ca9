// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.analyze.trust.PassedOver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a merge wrote and what it left out.
 *
 * @param ranks by rank, ascending
 * @param alignment as {@link Alignment#json}
 * @param clocks the same in sentences
 * @param pathArrows arrows along the critical path that were drawn
 */
public record MergeSummary(List<Part> ranks, String alignment, List<String> clocks, long pathArrows) {
    /** Copies the lists. */
    public MergeSummary {
        ranks = List.copyOf(ranks);
        clocks = List.copyOf(clocks);
    }

    /**
     * One rank's part.
     *
     * @param rank number of the rank
     * @param source the file
     * @param slices slices that were written
     * @param marks instants, counter values and other moments that were written
     * @param flowEnds ends of arrows that were written
     * @param overlapping slices that lie on rows of their own because they overlap others
     * @param leftOut what was read and not written, by reason
     * @param unusable events that could not be read or are not read, by code of the problem or observation
     * @param processes numbers of its processes in the file
     * @param startNs first moment in the file, ns
     * @param movedNs what was added to all its times since its clock counts from another moment than that of the first
     *     rank
     */
    public record Part(
            int rank,
            String source,
            long slices,
            long marks,
            long flowEnds,
            long overlapping,
            Map<Reason, Long> leftOut,
            Map<String, Long> unusable,
            List<Integer> processes,
            long startNs,
            long movedNs) {
        /** {@return whether anything of the rank is in the file} */
        public boolean isShown() {
            return slices + marks > 0;
        }

        /** {@return whether the rank's file had nothing that could be shown} */
        public boolean isEmpty() {
            return !isShown() && leftOut.keySet().stream().noneMatch(Reason::isFilter);
        }

        /** Copies the maps and the list. */
        public Part {
            leftOut = java.util.Collections.unmodifiableMap(new TreeMap<>(leftOut));
            unusable = java.util.Collections.unmodifiableMap(new TreeMap<>(unusable));
            processes = List.copyOf(processes);
        }
    }

    /** Which ranks were moved since their clocks count from another moment, in sentences, one a line. */
    static List<String> moved(List<Part> ranks) {
        Map<Long, List<String>> moved = new LinkedHashMap<>();
        for (Part part : ranks) {
            if (part.movedNs != 0) {
                moved.computeIfAbsent(part.movedNs, by -> new ArrayList<>()).add(Integer.toString(part.rank));
            }
        }
        List<String> sentences = new ArrayList<>();
        moved.forEach((by, numbers) -> sentences.add(String.format(
                Locale.ROOT,
                "%s %s: time counts from another moment there; moved by %+,.3f s, so that rank %s begins with the"
                        + " first rank",
                numbers.size() == 1 ? "rank" : "ranks",
                String.join(", ", numbers),
                by / 1e9,
                numbers.getFirst())));
        return sentences;
    }

    /** {@return slices that were written, of all ranks together} */
    public long slices() {
        return ranks.stream().mapToLong(Part::slices).sum();
    }

    /** {@return what was read and not written, of all ranks together, by reason} */
    public Map<Reason, Long> leftOut() {
        Map<Reason, Long> all = new TreeMap<>();
        ranks.forEach(part -> part.leftOut.forEach((reason, count) -> all.merge(reason, count, Long::sum)));
        return all;
    }

    /** {@return whether the files hold nothing that may be the work of devices and is not read} */
    public boolean isWhole() {
        return unusable().keySet().stream().noneMatch(PassedOver::mayBeOfDevices);
    }

    /** {@return events that could not be read or are not read, of all ranks together, by code of the problem or observation} */
    public Map<String, Long> unusable() {
        Map<String, Long> all = new TreeMap<>();
        Map<String, Map<String, Long>> passedOver = new TreeMap<>();
        for (Part part : ranks) {
            part.unusable.forEach((code, count) -> {
                if (PassedOver.isOfFile(code)) {
                    passedOver
                            .computeIfAbsent(part.source, file -> new TreeMap<>())
                            .merge(code, count, Math::max);
                } else {
                    all.merge(code, count, Long::sum);
                }
            });
        }
        passedOver.values().forEach(counts -> counts.forEach((code, count) -> all.merge(code, count, Long::sum)));
        return all;
    }
}
