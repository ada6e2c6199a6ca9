// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.memory.AllocatorLog;
import dev.lockstep.analyze.time.HostThreads;
import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.path.PathClass;
import dev.lockstep.path.PathPiece;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineHead;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Chart.TimelineTexts;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One rank over time, for a page: the critical path, what is idle, steps, streams of devices, how much waits for them, and
 * the threads of the host. Every slice is there; what launched what is linked.
 */
final class TimelineChart {
    private static final List<String> CLASSES = List.of(
            "compute",
            "communication",
            "memory",
            "other",
            "operator",
            "call",
            "annotation",
            "python",
            "waiting",
            "idle");
    private static final int OTHER = 3;
    private static final int OPERATOR = 4;
    private static final int CALL = 5;
    private static final int ANNOTATION = 6;
    private static final int PYTHON = 7;
    private static final int WAITING = 8;
    private static final int IDLE = 9;

    private static final int MOST_STREAMS = 24;
    private static final int MOST_THREADS = 24;

    private static final long KIBIBYTE = 1_024;

    private final DerivedCache cache;
    private final Slices slices;
    private final DeviceActivity activity;
    private final LaunchLinks launches;
    private final SliceDetails details;
    private final Map<String, Integer> names = new LinkedHashMap<>();
    private final int[] numberOfName;
    private final List<TimelineLane> lanes = new ArrayList<>();
    private final StringBuilder left = new StringBuilder();

    private TimelineChart(DerivedCache cache, AnalysisRules rules) {
        this.cache = cache;
        Trace trace = cache.trace();
        slices = trace.slices();
        activity = cache.get(rules.activity());
        launches = cache.get(new LaunchLinks.Key(rules.links()));
        details = new SliceDetails(trace);
        numberOfName = new int[trace.strings().size()];
        Arrays.fill(numberOfName, -1);
    }

    /**
     * The chart of a trace; null where there is nothing to show.
     *
     * @param idle the account of idle time that the report states
     */
    static @Nullable ChartSection of(
            DerivedCache cache, AnalysisRules rules, IdleAccount.Key idle, List<PathPiece> path) {
        TimelineChart chart = new TimelineChart(cache, rules);
        boolean nothing = chart.activity.size() == 0 && chart.busiest().length == 0;
        return nothing
                ? null
                : new ChartSection(() -> new TimelineChart(cache, rules).timeline(rules, idle, path), true);
    }

    private Timeline timeline(AnalysisRules rules, IdleAccount.Key idle, List<PathPiece> path) {
        path(path);
        gaps(idle);
        steps(idle.annotation());
        streams();
        queue();
        memory();
        int place = lanes.size();
        threads();
        lanes.addAll(place, counters(rules));
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        int[] numbers = new int[slices.size()];
        Arrays.fill(numbers, -1);
        int next = 0;
        for (TimelineLane lane : lanes) {
            start = Math.min(start, lane.start());
            end = Math.max(end, lane.end());
            next = lane.number(next, numbers);
        }
        List<TimelineRow> rows = new ArrayList<>();
        for (TimelineLane lane : lanes) {
            rows.add(lane.row(start, slice -> {
                int launch = launches.launchOf(slice);
                return launch < 0 ? -1 : numbers[launch];
            }));
        }
        String doc = "Every bar is a slice as it was recorded; where many share a pixel, the height is the share of its"
                + " time."
                + left;
        TimelineTexts texts = new TimelineTexts(List.copyOf(names.keySet()), details.texts());
        return new Timeline("Timeline", doc, start, end, CLASSES, texts, rows);
    }

    private void path(List<PathPiece> path) {
        TimelineLane lane = new TimelineLane(new TimelineHead("critical path", "path", false));
        for (PathPiece piece : path) {
            String name = piece.name();
            lane.add(
                    piece.start(),
                    piece.end(),
                    kind(piece.pathClass()),
                    text(name == null ? piece.pathClass().spelling() : name));
        }
        add(lane);
    }

    private static int kind(PathClass of) {
        return switch (of) {
            case COMPUTATION -> 0;
            case COMMUNICATION -> 1;
            case COPY -> 2;
            case HOST -> CALL;
            case LAUNCH_LATENCY, KERNEL_GAP, SYNC_LATENCY, UNRESOLVED -> WAITING;
        };
    }

    private void gaps(IdleAccount.Key idle) {
        IdleAccount account = cache.get(idle);
        DeviceGaps gaps = account.gaps();
        TimelineLane lane = new TimelineLane(new TimelineHead("idle", "gaps", false));
        for (int gap = 0; gap < gaps.size(); gap++) {
            lane.add(
                    gaps.start(gap),
                    gaps.end(gap),
                    IDLE,
                    text("mostly " + account.mostOf(gap).words()));
        }
        add(lane);
    }

    private void steps(@Nullable String annotation) {
        TimelineLanes steps = new TimelineLanes("steps", "steps", false);
        for (Steps.Step step : cache.get(new Steps.Key(annotation)).steps()) {
            steps.at(step.start()).add(step.start(), step.end(), ANNOTATION, text("step " + step.number()));
        }
        steps.lanes().forEach(this::add);
    }

    /** The streams with the longest activities in sum, busiest first; those of communication behind the others. */
    private void streams() {
        int count = activity.streams().size();
        long[] time = new long[count];
        long[] communication = new long[count];
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            time[activity.streamOf(i)] += slices.dur(slice);
            communication[activity.streamOf(i)] += activity.classOf(slice).ordinal() == 1 ? slices.dur(slice) : 0;
        }
        List<Integer> shown = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong((Integer s) -> -time[s]))
                .limit(MOST_STREAMS)
                .sorted(Comparator.comparing((Integer s) -> communication[s] * 2 > time[s])
                        .thenComparingLong(s -> -time[s]))
                .toList();
        @Nullable TimelineLanes[] rows = new TimelineLanes[count];
        for (int stream : shown) {
            DeviceActivity.Stream place = activity.streams().get(stream);
            rows[stream] =
                    new TimelineLanes("device " + place.device() + " · stream " + place.stream(), "device", false);
        }
        for (int i = 0; i < activity.size(); i++) {
            TimelineLanes row = rows[activity.streamOf(i)];
            int slice = activity.slice(i);
            if (row != null) {
                add(row, slice, activity.classOf(slice).ordinal());
            }
        }
        for (int stream : shown) {
            TimelineLanes row = rows[stream];
            if (row != null) {
                row.lanes().forEach(this::add);
            }
        }
        if (shown.size() < count) {
            left.append(" Only the busiest ")
                    .append(shown.size())
                    .append(" of ")
                    .append(count)
                    .append(" streams are drawn.");
        }
    }

    /** How many activities were launched and had not begun. */
    private void queue() {
        LongList times = new LongList(64);
        IntList changes = new IntList(64);
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            int launch = launches.launchOf(slice);
            if (launch >= 0 && slices.ts(launch) < slices.ts(slice)) {
                times.add(slices.ts(launch));
                changes.add(1);
                times.add(slices.ts(slice));
                changes.add(-1);
            }
        }
        int n = times.size();
        long[] when = times.take();
        int[] change = changes.take();
        LongOrder.sort(when, change);
        for (int i = 1; i < n; i++) {
            change[i] += change[i - 1];
        }
        int none = text("activities launched and not begun");
        TimelineHead head = new TimelineHead("waiting for the device", "queue", true);
        add(new CounterLane(head, OTHER, none).of(when, change, n));
    }

    /** What the allocators of devices allocated, and what they hold. */
    private void memory() {
        for (AllocatorLog log : cache.get(new AllocatorLog.Key())) {
            int n = log.size();
            long[] times = new long[n];
            int[] given = new int[n];
            int[] held = new int[n];
            boolean holds = false;
            for (int i = 0; i < n; i++) {
                times[i] = log.time(i);
                given[i] = kibibytes(log.level(i));
                held[i] = kibibytes(log.reserved(i));
                holds |= log.reserved(i) > 0;
            }
            String device = log.device() == MemoryDetails.HOST ? "host" : "device " + log.device();
            int out = text("memory allocated");
            add(new CounterLane(new TimelineHead("memory, " + device, "memory", true, "KiB"), OTHER, out)
                    .of(times, given, n));
            if (holds) {
                int kept = text("memory that the allocator holds");
                add(new CounterLane(new TimelineHead("memory held, " + device, "memory", true, "KiB"), OTHER, kept)
                        .of(times, held, n));
            }
        }
    }

    private static int kibibytes(long bytes) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, (bytes + KIBIBYTE - 1) / KIBIBYTE));
    }

    /** Whatever else was counted while there is something to see: power, clocks, counters of hardware. */
    private List<TimelineLane> counters(AnalysisRules rules) {
        long start = lanes.stream().mapToLong(TimelineLane::start).min().orElse(Long.MIN_VALUE);
        long end = lanes.stream().mapToLong(TimelineLane::end).max().orElse(Long.MAX_VALUE);
        CounterLanes counters = new CounterLanes(cache.trace(), rules, start, end);
        if (counters.left() > 0) {
            left.append(" Counters that are not drawn, or are negative or 0 throughout: ")
                    .append(counters.left())
                    .append(".");
        }
        return counters.lanes(OTHER, text("a counter of the trace")).stream()
                .filter(lane -> lane.size() > 0)
                .toList();
    }

    private void threads() {
        List<Track> tracks = cache.trace().tracks();
        int[] busiest = busiest();
        int[] place = new int[tracks.size()];
        Arrays.fill(place, -1);
        List<TimelineLanes> marks = new ArrayList<>();
        List<TimelineLanes> calls = new ArrayList<>();
        List<TimelineLanes> frames = new ArrayList<>();
        for (int track : Arrays.copyOf(busiest, Math.min(MOST_THREADS, busiest.length))) {
            String label = HostThreads.label(tracks.get(track));
            place[track] = marks.size();
            marks.add(new TimelineLanes(label + " · annotations", "annotations", true));
            calls.add(new TimelineLanes(label, "host", true));
            frames.add(new TimelineLanes(label + " · Python", "python", true));
        }
        for (int i = 0; i < slices.size(); i++) {
            int thread = place[slices.track(i)];
            if (thread < 0) {
                continue;
            }
            switch (slices.kind(i)) {
                case CPU_OP -> add(calls.get(thread), i, OPERATOR);
                case RUNTIME_CALL, DRIVER_CALL -> add(calls.get(thread), i, CALL);
                case HOST_OTHER -> add(calls.get(thread), i, OTHER);
                case ANNOTATION -> add(marks.get(thread), i, ANNOTATION);
                case PYTHON -> add(frames.get(thread), i, PYTHON);
                default -> {}
            }
        }
        for (int thread = 0; thread < marks.size(); thread++) {
            marks.get(thread).lanes().forEach(this::add);
            calls.get(thread).lanes().forEach(this::add);
        }
        frames.forEach(thread -> thread.lanes().forEach(this::add));
        if (marks.size() < busiest.length) {
            left.append(" Only the busiest ")
                    .append(marks.size())
                    .append(" of ")
                    .append(busiest.length)
                    .append(" threads are drawn.");
        }
    }

    /** The tracks of the host, those with the most operators and calls first, then those with the most of anything. */
    private int[] busiest() {
        int tracks = cache.trace().tracks().size();
        long[] calls = new long[tracks];
        for (int i = 0; i < slices.size(); i++) {
            switch (slices.kind(i)) {
                case CPU_OP, RUNTIME_CALL, DRIVER_CALL, HOST_OTHER -> calls[slices.track(i)] += 1L << Integer.SIZE;
                case ANNOTATION, PYTHON -> calls[slices.track(i)]++;
                default -> {}
            }
        }
        return IntStream.range(0, tracks)
                .filter(track -> calls[track] > 0)
                .boxed()
                .sorted(Comparator.comparingLong((Integer track) -> -calls[track]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void add(TimelineLanes lanes, int slice, int kind) {
        TimelineLane lane = lanes.at(slices.ts(slice));
        lane.add(slices.ts(slice), slices.end(slice), kind, name(slices.name(slice)));
        lane.is(slice, details.of(slice));
    }

    private void add(TimelineLane lane) {
        if (lane.size() > 0) {
            lanes.add(lane);
        }
    }

    private int name(int id) {
        if (numberOfName[id] < 0) {
            numberOfName[id] = text(cache.trace().strings().get(id));
        }
        return numberOfName[id];
    }

    private int text(String text) {
        return names.computeIfAbsent(text, t -> names.size());
    }
}
