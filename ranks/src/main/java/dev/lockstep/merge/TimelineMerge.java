// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.analyze.trust.PassedOver;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.timeline.BoundFlows;
import dev.lockstep.timeline.RankIds;
import dev.lockstep.timeline.RankTimeline;
import dev.lockstep.timeline.TimelineOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes ranks into one file, one after the other. Nothing of a rank is kept but its numbers, so memory does not grow with
 * the number of ranks. Confined to one thread.
 *
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public final class TimelineMerge {
    private static final long LARGE_TIME = 1_000_000_000_000_000L;
    private static final long BASE_STEP = 100_000_000_000_000L;
    private static final long BASE_MARGIN = 10_000_000_000_000L;

    private final TimelineOutput output;
    private final MergeOptions options;
    private final Alignment alignment;
    private final PathStops path;
    private final List<MergeSummary.Part> parts = new ArrayList<>();
    private final MergeMetadata metadata = new MergeMetadata();
    private int nextProcess = 1;
    private @Nullable ClockOrigins origins;
    private long base;
    private long start;

    /**
     * Begins a file.
     *
     * @param output takes what is written
     * @param options what is written, and under which names
     * @param alignment how clocks of ranks are brought together
     */
    public TimelineMerge(TimelineOutput output, MergeOptions options, Alignment alignment) {
        this(output, options, alignment, PathStops.none());
    }

    /**
     * Begins a file into which a path is drawn.
     *
     * @param output takes what is written
     * @param options what is written, and under which names
     * @param alignment how clocks of ranks are brought together
     * @param path the path, on that clock
     */
    public TimelineMerge(TimelineOutput output, MergeOptions options, Alignment alignment, PathStops path) {
        this.output = output;
        this.options = options;
        this.alignment = alignment;
        this.path = path;
    }

    /**
     * Adds a rank, unless the filter does not want it. Ranks come in ascending order; of the first that has events,
     * wanted or not, the time of the file takes its beginning.
     *
     * @param read read to keep everything; of a format that cannot, what its tables hold is written
     * @throws IOException when writing fails
     */
    public void add(Trace read) throws IOException {
        Trace trace =
                (options.keepEnvironment() ? read.withInfo(read.info().withNothingWithheld()) : read).withRecorded();
        LongUnaryOperator aligned = alignment.clockOf(trace.info());
        long moved = trace.slices().size() + trace.marks().size() == 0 ? 0 : moved(first(trace, aligned));
        if (!options.filter().wantsRank(trace.info().rank().index())) {
            return;
        }
        long fileBase = base - moved;
        LongUnaryOperator clock = time -> aligned.applyAsLong(time) - fileBase;
        Tally tally = new Tally();
        tally.add(Reason.ENVIRONMENT, trace.info().withheldValues());
        RankTimeline timeline = lay(trace, clock, tally);
        output.add(timeline);
        note(timeline, tally, moved);
        metadata.add(trace.info());
    }

    /**
     * Ends the file.
     *
     * @return what was written of each rank, and what was left out
     * @throws IOException when writing fails
     */
    public MergeSummary finish() throws IOException {
        List<String> clocks = new ArrayList<>(alignment.sentences());
        clocks.addAll(MergeSummary.moved(parts));
        MergeSummary summary = new MergeSummary(parts, alignment.json(), clocks, path.arrows());
        output.finish(metadata.of(summary, options, base));
        return summary;
    }

    /**
     * Where the file's time begins. Times since 1970 are too long for the numbers of viewers, and times before 0 are
     * dropped by them, so the file counts from a round moment some hours before the first event, which its metadata
     * tell.
     *
     * @param first when the next rank begins on the common clock
     * @return by how much it is moved from there
     */
    private long moved(long first) {
        if (origins == null) {
            long earliest = Math.min(first, alignment.earliest());
            boolean plain = earliest >= 0 && earliest <= LARGE_TIME;
            base = plain ? 0 : Math.floorDiv(earliest - BASE_MARGIN, BASE_STEP) * BASE_STEP;
            start = first - base;
            origins = new ClockOrigins(start);
        }
        return origins.shiftOf(first - base);
    }

    private static long first(Trace trace, LongUnaryOperator clock) {
        if (trace.slices().size() > 0) {
            return clock.applyAsLong(trace.slices().ts(0));
        }
        return trace.marks().size() > 0 ? clock.applyAsLong(trace.marks().ts(0)) : 0;
    }

    private RankTimeline lay(Trace trace, LongUnaryOperator clock, Tally tally) {
        Slices slices = trace.slices();
        int rank = trace.info().rank().index();
        RankFilter filter = new RankFilter(options.filter(), trace, clock, start);
        int tracks = trace.tracks().size();
        NestingLevels overlaps = new NestingLevels(slices, clock, tracks);
        boolean[] device = new boolean[tracks];
        int[] chosen = chosen(slices, filter, device, tally);
        int[] row = levels(chosen, overlaps);
        int[] levels = overlaps.levels();
        int[] marks = marks(trace, filter, device, levels, tally);
        RankIds ids = IdsOfRank.of(trace, rank);
        BoundFlows flows = FlowBinding.of(trace, set(chosen), ids, !path.isEmpty(), tally);
        RankLayout layout = RankLayout.of(
                trace, rank, levels, device, RankLayout.firstProcess(rank, nextProcess), options.recordedNames());
        nextProcess = layout.processes.isEmpty()
                ? nextProcess
                : layout.processes.getLast().id() + 1;
        toRows(row, chosen, slices, layout.rowOfTrack);
        return new RankTimeline(
                trace,
                layout.processes,
                layout.rows,
                layout.rowOfTrack,
                chosen,
                row,
                marks,
                OtherMetadata.of(trace, layout.rowOfTrack, options.keepEnvironment(), tally),
                flows,
                path.on(trace, chosen),
                clock,
                ids,
                options.rankInNames() ? "[R" + rank + "] " : null);
    }

    /** The slices that pass the filter; notes the tracks on which a device is at work. */
    private static int[] chosen(Slices slices, RankFilter filter, boolean[] device, Tally tally) {
        IntList chosen = new IntList(slices.size());
        for (int i = 0; i < slices.size(); i++) {
            Reason reason = filter.slice(i);
            if (reason == null) {
                chosen.add(i);
                device[slices.track(i)] |= slices.kind(i).isOnDevice();
            } else {
                tally.add(reason);
            }
        }
        return chosen.toArray();
    }

    private static int[] levels(int[] chosen, NestingLevels overlaps) {
        int[] levels = new int[chosen.length];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = overlaps.levelOf(chosen[i]);
        }
        return levels;
    }

    private static BitSet set(int[] chosen) {
        BitSet set = new BitSet();
        for (int slice : chosen) {
            set.set(slice);
        }
        return set;
    }

    /** Turns levels into rows. */
    private static void toRows(int[] levels, int[] chosen, Slices slices, int[] rowOfTrack) {
        for (int i = 0; i < levels.length; i++) {
            levels[i] += rowOfTrack[slices.track(chosen[i])];
        }
    }

    private static int[] marks(Trace trace, RankFilter filter, boolean[] device, int[] levels, Tally tally) {
        IntList marks = new IntList(trace.marks().size());
        for (int i = 0; i < trace.marks().size(); i++) {
            int track = trace.marks().track(i);
            Reason reason = filter.mark(i, device[track]);
            if (reason == null) {
                marks.add(i);
                levels[track] = Math.max(1, levels[track]);
            } else {
                tally.add(reason);
            }
        }
        return marks.toArray();
    }

    private void note(RankTimeline timeline, Tally tally, long moved) {
        Trace trace = timeline.trace();
        Map<String, Long> unusable = new TreeMap<>(PassedOver.counts(trace));
        for (Entry e : trace.diagnostics().problems()) {
            unusable.put(e.code(), e.count());
        }
        parts.add(new MergeSummary.Part(
                trace.info().rank().index(),
                trace.info().source(),
                timeline.slices().length,
                timeline.marks().length,
                timeline.flows().order().length,
                overlapping(timeline),
                tally.counts(),
                unusable,
                timeline.processes().stream().map(RankTimeline.Process::id).toList(),
                first(trace, timeline.clock()),
                moved));
    }

    private static long overlapping(RankTimeline timeline) {
        long[] byRow = new long[timeline.rows().size()];
        for (int row : timeline.sliceRow()) {
            byRow[row]++;
        }
        long overlapping = 0;
        for (int row = 0; row < byRow.length; row++) {
            overlapping += timeline.rows().get(row).level() > 0 ? byRow[row] : 0;
        }
        return overlapping;
    }
}
