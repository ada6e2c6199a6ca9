// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.IdleAccount.Where;
import dev.lockstep.analyze.time.StepParts.Part;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the definitions, nanosecond by nanosecond, on random traces whose times are short, so that edges meet. */
class IdleAccountTest {
    private static final int END = 4_000;
    private static final int STEP = 1_000;

    private enum Kind {
        OPERATOR("cpu_op", "op", IdleCause.OPERATOR),
        PYTHON("python_function", "py", IdleCause.PYTHON),
        RANGE("user_annotation", "range", IdleCause.ANNOTATION),
        LOADER("user_annotation", "enumerate(DataLoader)#x", IdleCause.DATA_LOADER),
        OPTIMIZER("user_annotation", "Optimizer.step", IdleCause.OPTIMIZER),
        FREE("cuda_runtime", "cudaFree", IdleCause.ALLOCATION),
        BLOCK("cuda_runtime", "cudaStreamSynchronize", IdleCause.SYNCHRONISATION),
        QUERY("cuda_runtime", "cudaStreamIsCapturing", IdleCause.CALL),
        LAUNCH("cuda_runtime", "cudaLaunchKernel", IdleCause.LAUNCHING),
        FUTEX("osrt", "futex", IdleCause.WAITING),
        IOCTL("osrt", "ioctl", IdleCause.OS_CALL);

        private static final List<Kind> NAMED = List.of(LOADER, OPTIMIZER, FREE, BLOCK, LAUNCH, FUTEX);
        private final String category;
        private final String name;
        private final IdleCause cause;

        Kind(String category, String name, IdleCause cause) {
            this.category = category;
            this.name = name;
            this.cause = cause;
        }
    }

    /** A slice of the host. */
    private record Slice(Kind kind, int thread, int ts, int end) {
        private boolean runs(int t) {
            return ts <= t && t < end;
        }
    }

    /** A kernel and its launch, which may be unknown; or a wait of the stream. */
    private record Activity(
            int stream, int ts, int end, @Nullable Slice launch, boolean waits) {}

    private final List<Slice> host = new ArrayList<>();
    private final List<Activity> device = new ArrayList<>();
    private final EventText events = new EventText();

    private void random(Random random) {
        for (int step = 0; step * STEP < END; step++) {
            events.complete("user_annotation", "ProfilerStep#" + step, "1", "1", step * STEP, STEP - 40, "");
        }
        int[] launches = new int[3];
        for (int thread = 1; thread <= 2; thread++) {
            nest(random, thread, 0, END, 0);
        }
        int number = 1;
        int ends = 20;
        for (int at = 20; at < END - 200; at += 10 + random.nextInt(60)) {
            int thread = random.nextInt(3) == 0 ? 2 : 1;
            int ts = Math.max(ends + random.nextInt(25), at + 1);
            int end = ts + 1 + random.nextInt(30);
            boolean known = random.nextInt(8) > 0;
            int call = at | 1; // other slices begin at even times, so that the order of those that begin is known
            Slice launch = new Slice(Kind.LAUNCH, thread, call, call + 1 + random.nextInt(6));
            int stream = 7 + random.nextInt(2);
            if (random.nextInt(5) == 0) {
                wait(stream, ends, ts - random.nextInt(3));
            }
            if (known) {
                host.add(launch);
                event(launch, "\"correlation\": " + number);
                launches[thread]++;
            }
            device.add(new Activity(stream, ts, end, known ? launch : null, false));
            events.kernel("k", ts, end - ts, number++, stream);
            ends = end;
        }
        assertThat(launches[1]).isGreaterThan(launches[2]).isPositive();
    }

    private void wait(int stream, int from, int to) {
        if (to > from) {
            device.add(new Activity(stream, from, to, null, true));
            events.device("cuda_sync", "EVENT_WAIT", from, to - from, 0, stream, "");
        }
    }

    private void event(Slice slice, String args) {
        events.complete(
                slice.kind.category,
                slice.kind.name,
                "1",
                Integer.toString(slice.thread),
                slice.ts,
                slice.end - slice.ts,
                args);
    }

    /** Properly nested, but for launch calls, which may lie across ends. */
    private void nest(Random random, int thread, int from, int to, int depth) {
        int at = from + 2 + 2 * random.nextInt(2);
        while (at < to && depth < 5) {
            int end = Math.min(to, at + 1 + random.nextInt(depth == 0 ? 600 : to - from));
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            if (random.nextInt(4) > 0 && kind != Kind.LAUNCH) {
                Slice slice = new Slice(kind, thread, at, end);
                host.add(slice);
                event(slice, "");
                nest(random, thread, at, end, depth + 1);
            }
            at = (end + 1) / 2 * 2 + 2 * random.nextInt(2);
        }
    }

    /** All slices of a thread that run, outermost first; launch calls are innermost. */
    private List<Slice> running(int thread, int t) {
        List<Slice> found = new ArrayList<>();
        for (Slice slice : host) {
            if (slice.thread == thread && slice.runs(t)) {
                found.add(slice);
            }
        }
        found.sort((a, b) -> Integer.compare(a.ts, b.ts)); // stable: those that begin together are outermost first
        return found;
    }

    private @Nullable IdleCause onHost(int thread, int t) {
        List<Slice> running = running(thread, t);
        if (running.isEmpty()) {
            return null;
        }
        for (Slice slice : running) {
            if (slice.kind == Kind.LOADER) {
                return IdleCause.DATA_LOADER;
            }
        }
        for (int i = running.size() - 1; i >= 0; i--) {
            if (Kind.NAMED.contains(running.get(i).kind)) {
                return running.get(i).kind.cause;
            }
        }
        return running.getLast().kind.cause;
    }

    private boolean waits(int thread, int t) {
        List<Slice> running = running(thread, t);
        return !running.isEmpty() && running.getLast().kind == Kind.FUTEX;
    }

    private IdleCause onHost(int[] threads, int t) {
        IdleCause waiting = null;
        for (int thread : threads) {
            IdleCause cause = onHost(thread, t);
            if (cause != null && !waits(thread, t)) {
                return cause;
            }
            waiting = waiting == null ? cause : waiting;
        }
        return waiting == null ? IdleCause.UNRECORDED : waiting;
    }

    private static int[] threads(@Nullable Slice launch) {
        return launch == null || launch.thread == 1 ? new int[] {1, 2} : new int[] {2, 1};
    }

    /** The cause of an idle moment of the gap that begins at {@code from}, between two activities or at an end of all. */
    private IdleCause cause(int t, int from, @Nullable Activity last, @Nullable Activity next) {
        Slice launch = next == null ? null : next.launch;
        if (next == null || launch == null) {
            return onHost(threads(last == null ? null : last.launch), t);
        }
        int[] threads = threads(launch);
        if (t < launch.end) {
            return onHost(threads, t);
        }
        for (Activity wait : device) {
            if (wait.waits && wait.stream == next.stream && wait.ts <= t && t < wait.end) {
                return IdleCause.DEVICE_WAIT;
            }
        }
        List<Slice> running = running(launch.thread, t);
        boolean late = launch.ts >= from;
        boolean blocks = late && !running.isEmpty() && running.getLast().kind == Kind.BLOCK;
        return blocks ? onHost(launch.thread, t) : late ? IdleCause.LAUNCH_LATENCY : IdleCause.QUEUED;
    }

    /** An idle moment: its time, what it counts for, and where the gap begins in which it lies. */
    private record Moment(int at, IdleCause cause, Where where, int gap) {}

    private List<Moment> moments() {
        List<Activity> kernels = device.stream().filter(a -> !a.waits).toList();
        List<Moment> moments = new ArrayList<>();
        int gap = 0;
        Activity last = null;
        for (int t = 0; t < END - 40; t++) {
            int now = t;
            Activity runs = kernels.stream()
                    .filter(a -> a.ts <= now && now < a.end)
                    .findFirst()
                    .orElse(null);
            if (runs != null) {
                last = runs;
                gap = t + 1;
                continue;
            }
            Activity next = kernels.stream().filter(a -> a.ts > now).findFirst().orElse(null);
            Where where = last == null ? Where.BEFORE : next == null ? Where.BEHIND : Where.BETWEEN;
            moments.add(new Moment(t, cause(t, gap, last, next), where, gap));
        }
        return moments;
    }

    /** By step, then cause. */
    private List<Map<IdleCause, Long>> expected() {
        List<Map<IdleCause, Long>> steps = new ArrayList<>();
        for (int step = 0; step * STEP < END; step++) {
            steps.add(new TreeMap<>());
        }
        moments().forEach(moment -> steps.get(moment.at / STEP).merge(moment.cause, 1L, Long::sum));
        return steps;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyIdleMomentCountsOnceForWhatFilledIt(int seed) {
        random(new Random(seed));
        DerivedCache cache = new DerivedCache(TestTraces.of(events));
        AnalysisRules rules = AnalysisRules.standard();
        IdleAccount account = cache.get(new IdleAccount.Key(rules, null));

        List<Map<IdleCause, Long>> expected = expected();
        Map<IdleCause, Long> all = new TreeMap<>();
        for (int step = 0; step < expected.size(); step++) {
            Map<IdleCause, Long> found = new TreeMap<>();
            long[] ofWindow = account.ofWindow(step);
            for (IdleCause cause : IdleCause.values()) {
                if (ofWindow[cause.ordinal()] != 0) {
                    found.put(cause, ofWindow[cause.ordinal()]);
                }
            }
            assertThat(found).as("step %d", step).isEqualTo(expected.get(step));
            found.forEach((cause, time) -> all.merge(cause, time, Long::sum));
        }
        Map<IdleCause, Long> ofRows = new TreeMap<>();
        account.rows().forEach(row -> ofRows.merge(row.cause(), row.time(), Long::sum));
        assertThat(ofRows).isEqualTo(all);
        assertThat(all.size()).isGreaterThan(9);
        assertThat(account.time(Where.BETWEEN))
                .isEqualTo(new IdleGaps(rules).run(cache).time(null, Long.MAX_VALUE));
    }

    /** Of each gap the pieces lie one behind the other from its start to its end, and each counts for its cause. */
    @ParameterizedTest
    @ValueSource(ints = {31, 32, 33, 34, 35, 36})
    void piecesFillEachGap(int seed) {
        random(new Random(seed));
        IdleAccount account =
                new DerivedCache(TestTraces.of(events)).get(new IdleAccount.Key(AnalysisRules.standard(), null));

        Map<Integer, Map<IdleCause, Long>> parts = new TreeMap<>();
        Map<Integer, Where> places = new TreeMap<>();
        for (Moment moment : moments()) {
            parts.computeIfAbsent(moment.gap, gap -> new TreeMap<>()).merge(moment.cause, 1L, Long::sum);
            places.put(moment.gap, moment.where);
        }
        List<String> expected = new ArrayList<>();
        for (Where where : Where.values()) {
            for (IdleCause cause : IdleCause.values()) {
                List<Long> ofGaps = parts.entrySet().stream()
                        .filter(gap -> places.get(gap.getKey()) == where)
                        .filter(gap -> gap.getValue().containsKey(cause))
                        .map(gap -> gap.getValue().get(cause))
                        .toList();
                if (!ofGaps.isEmpty()) {
                    long time = ofGaps.stream().mapToLong(Long::longValue).sum();
                    expected.add(where + " " + cause + " " + ofGaps.size() + " " + time + " "
                            + ofGaps.stream().mapToLong(Long::longValue).max().orElseThrow());
                }
            }
        }
        assertThat(account.sums())
                .extracting(sum ->
                        sum.where() + " " + sum.cause() + " " + sum.gaps() + " " + sum.time() + " " + sum.longest())
                .containsExactlyInAnyOrderElementsOf(expected);
        for (int gap = 0; gap < account.gaps().size(); gap++) {
            Map<IdleCause, Long> ofGap =
                    Objects.requireNonNull(parts.get((int) account.gaps().start(gap)));
            assertThat(ofGap.values().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(account.gaps().length(gap));
            assertThat(ofGap.get(account.mostOf(gap)))
                    .isEqualTo(ofGap.values().stream()
                            .mapToLong(Long::longValue)
                            .max()
                            .orElseThrow());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 22, 23, 24})
    void partsOfStepsAreTheDevicesTimeAndTheAccount(int seed) {
        random(new Random(seed));
        StepParts.Result steps =
                new StepParts(AnalysisRules.standard(), null).run(new DerivedCache(TestTraces.of(events)));

        List<Map<IdleCause, Long>> expected = expected();
        assertThat(steps.rows()).hasSize(expected.size() + 1);
        for (int step = 0; step < expected.size(); step++) {
            StepParts.Row row = steps.rows().get(step + 1);
            assertThat(row.total()).isEqualTo(row.end() - row.start());
            long[] idle = new long[Part.values().length];
            expected.get(step).forEach((cause, time) -> idle[Part.of(cause).ordinal()] += time);
            for (Part part : Part.values()) {
                if (part.isIdle()) {
                    assertThat(row.of(part)).as("%s", part).isEqualTo(idle[part.ordinal()]);
                }
            }
        }
    }
}
