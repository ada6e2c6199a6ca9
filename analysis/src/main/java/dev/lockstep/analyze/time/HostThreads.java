// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Track;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What each thread of the host was in: operators and calls, frames of Python, annotations. */
public record HostThreads() implements Analysis<HostThreads.Result> {
    /**
     * A thread.
     *
     * @param track number of the track
     * @param operators number of operators and calls
     * @param working when it was in any of them
     * @param frames number of frames of Python
     * @param inPython when it was in any of them
     * @param annotations number of annotations
     * @param inAnnotations when it was in any of them
     * @param start of the first of all these in ns
     * @param end of the last in ns
     */
    public record Row(
            int track,
            Track place,
            long operators,
            IntervalSet working,
            long frames,
            IntervalSet inPython,
            long annotations,
            IntervalSet inAnnotations,
            long start,
            long end) {
        /** What people call the thread. */
        public String label() {
            return HostThreads.label(place);
        }
    }

    /** What people call a thread. */
    public static String label(Track place) {
        String name = place.threadName();
        return name == null || name.isBlank() ? "thread " + place.thread() : name;
    }

    /**
     * By time in operators and calls, longest first.
     *
     * @param span from the first start to the last end on any thread in ns
     */
    public record Result(List<Row> rows, long span) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(this));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "nothing of the host was recorded" : null;
        }
    }

    private static final class OneThread {
        private final IntervalSet.Builder[] times = {
            new IntervalSet.Builder(), new IntervalSet.Builder(), new IntervalSet.Builder()
        };
        private final long[] counts = new long[3];
        private long start = Long.MAX_VALUE;
        private long end = Long.MIN_VALUE;
    }

    @Override
    public String id() {
        return "host_threads";
    }

    @Override
    public Result run(DerivedCache cache) {
        Slices slices = cache.trace().slices();
        List<Track> tracks = cache.trace().tracks();
        @Nullable OneThread[] threads = new OneThread[tracks.size()];
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            int part = part(slices.kind(i));
            if (part < 0) {
                continue;
            }
            OneThread thread = threads[slices.track(i)];
            if (thread == null) {
                thread = new OneThread();
                threads[slices.track(i)] = thread;
            }
            thread.times[part].add(slices.ts(i), slices.end(i));
            thread.counts[part]++;
            thread.start = Math.min(thread.start, slices.ts(i));
            thread.end = Math.max(thread.end, slices.end(i));
            start = Math.min(start, slices.ts(i));
            end = Math.max(end, slices.end(i));
        }
        List<Row> rows = new ArrayList<>();
        for (int track = 0; track < threads.length; track++) {
            OneThread thread = threads[track];
            if (thread != null) {
                rows.add(row(track, tracks.get(track), thread));
            }
        }
        rows.sort(Comparator.comparingLong((Row r) -> r.working.total())
                .reversed()
                .thenComparingLong(Row::start)
                .thenComparingInt(Row::track));
        return new Result(rows, rows.isEmpty() ? 0 : end - start);
    }

    private static Row row(int track, Track place, OneThread thread) {
        return new Row(
                track,
                place,
                thread.counts[0],
                thread.times[0].build(),
                thread.counts[1],
                thread.times[1].build(),
                thread.counts[2],
                thread.times[2].build(),
                thread.start,
                thread.end);
    }

    private static int part(SliceKind kind) {
        return switch (kind) {
            case CPU_OP, RUNTIME_CALL, DRIVER_CALL, HOST_OTHER -> 0;
            case PYTHON -> 1;
            case ANNOTATION -> 2;
            default -> -1;
        };
    }

    private static Table sheet(Result result) {
        return new Fields<Row>()
                .add(ColumnSpec.text("process", "Number of the process."), r -> r.place.process())
                .add(
                        ColumnSpec.text("process name", "Name of the process; missing when not recorded."),
                        r -> r.place.processName())
                .add(ColumnSpec.text("thread", "Number of the thread."), r -> r.place.thread())
                .add(
                        ColumnSpec.text("thread name", "Name of the thread; missing when not recorded."),
                        r -> r.place.threadName())
                .add(ColumnSpec.count("operators", "Operators and calls on the thread."), Row::operators)
                .add(millis("working ms", "Time in any operator or call."), r -> r.working.total())
                .add(
                        ColumnSpec.percent(
                                "working %", "Share of the time between the first and the last event of all threads."),
                        r -> result.span == 0 ? 0.0 : 100.0 * r.working.total() / result.span)
                .add(ColumnSpec.count("frames", "Frames of Python on the thread."), Row::frames)
                .add(millis("python ms", "Time in any frame of Python."), r -> r.inPython.total())
                .add(ColumnSpec.count("annotations", "Annotations on the thread."), Row::annotations)
                .add(millis("annotated ms", "Time in any annotation."), r -> r.inAnnotations.total())
                .add(micros("first us", "Begin of the first of these, as ts in the file."), Row::start)
                .add(micros("last us", "End of the last of these, as ts in the file."), Row::end)
                .table("host_threads", "CPU threads", result.rows);
    }
}
