// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.analyze.gemm.Communication;
import dev.lockstep.analyze.gemm.Concurrent;
import dev.lockstep.analyze.gemm.Gemm;
import dev.lockstep.write.Numbers;
import java.util.List;

/** The columns that the second and third file of the chain add to a row. */
final class RankRows {
    /** When the shortest and the longest kernel ran; the first five as in older files. */
    static final List<String> TIMES = List.of(
            "min_duration_timestamp_ms",
            "max_duration_timestamp_ms",
            "time_between_min_max_ms",
            "min_duration_found_us",
            "max_duration_found_us",
            "min_duration_step",
            "max_duration_step",
            "instances_found");

    /** What communicated while the longest ran, as in older files. */
    static final List<String> COLLECTIVES = List.of(
            "overlapping_collective_count",
            "overlapping_collective_names",
            "max_overlap_percentage",
            "max_overlap_collective",
            "total_overlap_duration_ms");

    private RankRows() {}

    /** @param rows those of one rank that are meant, at least one */
    static List<String> times(List<Gemm> rows) {
        Gemm.Instance shortest = rows.getFirst().shortest();
        Gemm.Instance longest = rows.getFirst().longest();
        int count = 0;
        for (Gemm row : rows) {
            count += row.spread().count();
            shortest = row.shortest().duration() < shortest.duration() ? row.shortest() : shortest;
            longest = row.longest().duration() > longest.duration() ? row.longest() : longest;
        }
        return List.of(
                GemmCells.milliseconds(shortest.start()),
                GemmCells.milliseconds(longest.start()),
                GemmCells.milliseconds(Math.abs(longest.start() - shortest.start())),
                GemmCells.microseconds(shortest.duration()),
                GemmCells.microseconds(longest.duration()),
                shortest.step() < 0 ? "" : Long.toString(shortest.step()),
                longest.step() < 0 ? "" : Long.toString(longest.step()),
                Integer.toString(count));
    }

    /** What communicated during an interval in ns. */
    static List<String> collectives(Communication communication, long start, long duration) {
        Concurrent meanwhile = communication.during(start, start + duration);
        return List.of(
                Integer.toString(meanwhile.names().size()),
                String.join(";", meanwhile.names()),
                Numbers.plain(duration == 0 ? 0 : 100.0 * meanwhile.largestNs() / duration),
                meanwhile.largest(),
                GemmCells.milliseconds(meanwhile.coveredNs()));
    }
}
