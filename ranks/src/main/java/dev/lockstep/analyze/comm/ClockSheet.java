// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.clocks.ClockLine;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.CommonClock;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code clock_offsets}: by how much the clocks of ranks differ, and whether that was corrected. */
public final class ClockSheet {
    private ClockSheet() {}

    /**
     * A row for each rank.
     *
     * @param clock the clock that is used
     */
    public static Table of(Clocks clocks, CommonClock clock) {
        List<Integer> places = IntStream.range(0, clocks.size()).boxed().toList();
        return new Fields<Integer>()
                .add(
                        ColumnSpec.id("rank", "Rank of the process."),
                        i -> clocks.recording(i).info().rank().index())
                .add(
                        micros(
                                "offset us",
                                "How far its clock is ahead of that of the reference at 'at us', by absolute times; missing where"
                                        + " nothing ties the two."),
                        i -> of(clocks, i, ClockLine::offsetNs))
                .add(
                        micros(
                                "error us",
                                "The estimate is right to within this over the whole recording, but for what all"
                                        + " collectives have in common; missing likewise."),
                        i -> of(clocks, i, ClockLine::errorNs))
                .add(
                        ppm("drift ppm", "By how much the offset grows, 0 where that cannot be told from none."),
                        i -> of(clocks, i, ClockLine::driftPpm))
                .add(
                        ppm("drift error ppm", "The drift is right to within this."),
                        i -> of(clocks, i, ClockLine::driftErrorPpm))
                .add(
                        micros(
                                "at us",
                                "When the offset holds, on the rank's own clock, after the origin of its trace."),
                        i -> of(
                                clocks,
                                i,
                                line -> line.atNs() - clocks.recording(i).info().originNs()))
                .add(
                        ColumnSpec.text(
                                "known by",
                                "reference, rank (collectives and messages of its own), node (those of all ranks of its node), or"
                                        + " none."),
                        i -> clocks.isKnown(i) ? clocks.line(i).basis().word() : ClockLine.Basis.NONE.word())
                .add(
                        ColumnSpec.count("collectives", "Collectives and messages that the estimate rests on."),
                        i -> clocks.line(i).ties())
                .add(
                        ColumnSpec.bool("applied", "Whether the times in this report are corrected by it."),
                        clock::isCorrected)
                .table(TableNames.CLOCK_OFFSETS, "Clocks of the ranks", places);
    }

    private static ColumnSpec ppm(String header, String doc) {
        return ColumnSpec.real(header, Unit.NONE, Unit.NONE, doc);
    }

    private static @Nullable Object of(Clocks clocks, int rank, Function<ClockLine, Object> value) {
        return clocks.isTied(rank) ? value.apply(clocks.line(rank)) : null;
    }
}
