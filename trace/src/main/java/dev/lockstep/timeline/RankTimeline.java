// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import dev.lockstep.model.Trace;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One rank as it shall stand in a file: its recording, and what to show of it, where, and when. Everything that differs
 * from the recording is here; the rest is taken from the trace, which must keep everything
 * ({@link Trace#recorded()}).
 *
 * @param trace the recording
 * @param processes in the order in which a viewer shall show them
 * @param rows where slices, counters and instants lie: the rows of a process one behind the other, each row of overlaps
 *     behind the row whose slices it takes
 * @param rowOfTrack by track: its first row, on which everything lies that does not overlap; -1 for a track that shows
 *     nothing
 * @param slices rows of the trace's slices that are shown, in ascending order
 * @param sliceRow by place in {@code slices}: the row on which the slice lies; slices of one row nest or do not overlap
 * @param marks rows of the trace's marks that are shown, in ascending order
 * @param metadata rows of the trace's metadata events that are shown beyond names, labels and order
 * @param flows which ends of arrows are shown
 * @param path what it has of a path that is drawn into the file
 * @param clock the time in the file for a time of the trace, both in ns; grows with its argument
 * @param ids makes numbers unique among the ranks of a file
 * @param namePrefix stands before the name of every slice and mark, e.g. {@code "[R3] "}; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // large, and handed from one owner to the next
public record RankTimeline(
        Trace trace,
        List<Process> processes,
        List<Row> rows,
        int[] rowOfTrack,
        int[] slices,
        int[] sliceRow,
        int[] marks,
        int[] metadata,
        BoundFlows flows,
        PathArrows path,
        LongUnaryOperator clock,
        RankIds ids,
        @Nullable String namePrefix) {

    /**
     * A process.
     *
     * @param id unique in the file, at least 1
     * @param name holds {@code rank N} and the name and number that were recorded
     * @param labels as recorded, null when absent
     * @param device whether it stands for a device, whose rows are streams
     */
    @SuppressWarnings("AvoidCommonTypeNames") // the word of the format; nobody here starts programs
    public record Process(int id, String name, @Nullable String labels, boolean device) {}

    /**
     * A row of a process: a thread, a stream, or what overlaps there.
     *
     * @param process place in {@link RankTimeline#processes}
     * @param id unique in the process, at least 1
     * @param name as recorded; of further rows with the level behind it, e.g. {@code stream 7 (overlap 1)}
     * @param level 0 for the first row of a track, 1 and up for those that take its overlaps
     * @param track the trace's track
     */
    public record Row(int process, int id, String name, int level, int track) {}
}
