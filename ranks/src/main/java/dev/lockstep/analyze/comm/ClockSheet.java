// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.List;
import java.util.stream.IntStream;

/** {@code clock_offsets}: by how much the clocks of ranks differ, and whether that was corrected. */
public final class ClockSheet {
    private ClockSheet() {}

    /** A row for each rank. */
    public static Table of(Collectives collectives) {
        List<Integer> places =
                IntStream.range(0, collectives.match().ranks().size()).boxed().toList();
        return new Fields<Integer>()
                .add(
                        ColumnSpec.id("rank", "Rank of the process."),
                        i -> collectives.rank(i).rank())
                .add(
                        micros(
                                "offset us",
                                "How far its clock is ahead of that of the lowest rank, by the ends of collectives;"
                                        + " missing without any."),
                        i -> collectives.clocks().collectives(i) == 0
                                ? null
                                : collectives.clocks().offset(i))
                .add(
                        micros(
                                "error us",
                                "The estimate is right to within this over the whole recording, but for what all"
                                        + " collectives have in common; missing without any."),
                        i -> collectives.clocks().collectives(i) == 0
                                ? null
                                : collectives.clocks().error(i))
                .add(
                        ColumnSpec.count("collectives", "Collectives that the estimate rests on."),
                        i -> collectives.clocks().collectives(i))
                .add(
                        ColumnSpec.bool("applied", "Whether the times in this report are corrected by it."),
                        i -> collectives.aligned())
                .table("clock_offsets", "Clocks of the ranks", places);
    }
}
