// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.millis;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.table.Fields;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a rank did when it made its last call, by a trace of it: what its threads were in, what its streams worked on, and what was
 * launched and never seen to run.
 */
final class BeforeHang {
    private static final int MOST_OPEN = 8;
    private static final int MOST_DONE = 3;
    private static final int MOST_UNSEEN = 16;
    private static final long FAR_NS = 3_600_000_000_000L;

    /** How it stood. */
    enum State {
        /** Between its begin and its end. */
        RUNNING,
        /** Launched, and not recorded as run. */
        NOT_FINISHED,
        /** Ended before. */
        DONE;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * Something that a rank did.
     *
     * @param where thread or stream
     * @param startNs when it began, against the moment that is looked at
     * @param durationNs how long it took; -1 where that is not known
     */
    record Doing(int rank, boolean onDevice, String where, String name, State state, long startNs, long durationNs) {}

    private final Trace trace;
    private final Slices slices;
    private final int rank;
    private final long moment;
    private final boolean isInside;
    private final List<Doing> found = new ArrayList<>();

    private BeforeHang(Trace trace, int rank, long lastCallNs) {
        this.trace = trace;
        this.rank = rank;
        slices = trace.slices();
        long begin = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            begin = Math.min(begin, slices.ts(i));
            end = Math.max(end, slices.end(i));
        }
        long called = lastCallNs < 0 ? end : lastCallNs - trace.info().originNs();
        isInside = lastCallNs >= 0 && called >= begin && called <= end + FAR_NS;
        moment = isInside ? called : end;
    }

    /**
     * What a rank did.
     *
     * @param lastCallNs when it made its last call, in ns since 1970; -1 where that is not known
     */
    static BeforeHang of(Trace trace, int rank, long lastCallNs) {
        BeforeHang made = new BeforeHang(trace, rank, lastCallNs);
        if (made.slices.size() > 0) {
            made.look();
        }
        return made;
    }

    /** Everything, threads before streams. */
    List<Doing> doings() {
        return found;
    }

    /** Whether the trace covers the moment of the last call; else its end is what is looked at. */
    boolean isInside() {
        return isInside;
    }

    private void look() {
        Map<Integer, List<Integer>> hosts = new TreeMap<>();
        Map<Integer, List<Integer>> streams = new TreeMap<>();
        LongIntMap ran = new LongIntMap(64);
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind.isDeviceActivity()) {
                ran.numberOf(slices.correlation(i));
                streams.computeIfAbsent(slices.track(i), t -> new ArrayList<>()).add(i);
            } else if (kind.isHost() && kind != SliceKind.OVERHEAD) {
                hosts.computeIfAbsent(slices.track(i), t -> new ArrayList<>()).add(i);
            }
        }
        hosts.values().forEach(this::thread);
        if (!streams.isEmpty()) {
            hosts.values().forEach(own -> launched(own, ran));
        }
        streams.values().forEach(this::stream);
    }

    private boolean isOpen(int slice) {
        return slices.ts(slice) <= moment && slices.end(slice) > moment;
    }

    /** The innermost of what a thread was in, the outer first; else what it did last. */
    private void thread(List<Integer> own) {
        List<Integer> open = own.stream().filter(this::isOpen).toList();
        open.stream().skip(Math.max(0, open.size() - MOST_OPEN)).forEach(i -> add(i, State.RUNNING));
        if (open.isEmpty()) {
            own.stream()
                    .filter(i -> slices.end(i) <= moment)
                    .max(Comparator.<Integer>comparingLong(slices::end).thenComparing(Comparator.reverseOrder()))
                    .ifPresent(i -> add(i, State.DONE));
        }
    }

    private void stream(List<Integer> own) {
        List<Integer> done = own.stream()
                .filter(i -> slices.end(i) <= moment)
                .sorted(Comparator.<Integer>comparingLong(slices::end).reversed())
                .limit(MOST_DONE)
                .toList();
        done.reversed().forEach(i -> add(i, State.DONE));
        own.stream().filter(this::isOpen).limit(MOST_OPEN).forEach(i -> add(i, State.RUNNING));
    }

    /** The last launches of a thread, none of which was seen to run: what was launched before them has ended. */
    private void launched(List<Integer> own, LongIntMap ran) {
        List<Integer> unseen = new ArrayList<>();
        for (int place = own.size() - 1; place >= 0; place--) {
            int slice = own.get(place);
            if (slices.ts(slice) > moment || !isLaunch(slice)) {
                continue;
            }
            if (ran.get(slices.correlation(slice)) >= 0) {
                break;
            }
            unseen.add(slice);
        }
        unseen.reversed().stream().limit(MOST_UNSEEN).forEach(slice -> {
            int operator = -1;
            for (int outer : own) {
                boolean holds = slices.ts(outer) <= slices.ts(slice) && slices.end(outer) >= slices.end(slice);
                operator = holds && slices.kind(outer) == SliceKind.CPU_OP ? outer : operator;
            }
            String of = operator < 0 ? "" : " of " + trace.name(operator);
            found.add(new Doing(
                    rank,
                    true,
                    where(slice),
                    trace.name(slice) + of,
                    State.NOT_FINISHED,
                    slices.ts(slice) - moment,
                    -1));
        });
    }

    private boolean isLaunch(int slice) {
        return slices.kind(slice).isLaunchCall()
                && slices.correlation(slice) > 0
                && trace.name(slice).contains("Launch");
    }

    private void add(int slice, State state) {
        found.add(new Doing(
                rank,
                slices.kind(slice).isDeviceActivity(),
                where(slice),
                trace.name(slice),
                state,
                slices.ts(slice) - moment,
                slices.dur(slice)));
    }

    private String where(int slice) {
        Track track = trace.tracks().get(slices.track(slice));
        return Objects.requireNonNullElse(track.threadName(), "thread " + track.thread());
    }

    /** In one sentence; null where nothing is worth one. */
    @Nullable
    String sentence() {
        String at = isInside ? "At its last call" : "At the end of its trace";
        for (Doing one : found) {
            if (one.onDevice && one.state == State.RUNNING) {
                return String.format(
                        Locale.ROOT,
                        "%s, the GPU of rank %d still ran %s, for %.3g ms.",
                        at,
                        rank,
                        one.name,
                        -one.startNs / 1e6);
            }
        }
        long unseen =
                found.stream().filter(one -> one.state == State.NOT_FINISHED).count();
        if (unseen > 0) {
            Doing first = found.stream()
                    .filter(one -> one.state == State.NOT_FINISHED)
                    .findFirst()
                    .orElseThrow();
            return at + ", rank " + rank + " had launched work that never ended: " + first.name + ".";
        }
        return found.stream()
                .filter(one -> !one.onDevice)
                .max(Comparator.comparingLong(Doing::startNs))
                .map(one -> at + ", the CPU of rank " + rank + (one.state == State.RUNNING ? " was in " : " had ended ")
                        + one.name + ".")
                .orElse(null);
    }

    /** The table of several ranks. */
    static Table table(List<Doing> rows) {
        return new Fields<Doing>()
                .add(id("rank", "A culprit, or the first rank that waits."), d -> (long) d.rank)
                .add(text("where", "Thread or stream."), Doing::where)
                .add(text("what", "Operator, call, frame or kernel."), Doing::name)
                .add(
                        text(
                                "state",
                                "running: in it; done: ended before; not finished: launched, and never recorded as"
                                        + " run."),
                        d -> d.state.word())
                .add(
                        millis(
                                "start ms",
                                "When it began, against the last call of the rank; against the end of the trace where"
                                        + " that is earlier."),
                        Doing::startNs)
                .add(
                        millis("duration ms", "How long it took; missing where it was not seen to end."),
                        d -> d.durationNs < 0 ? null : d.durationNs)
                .table("hang_before", "What ranks did before, by their traces", rows);
    }
}
