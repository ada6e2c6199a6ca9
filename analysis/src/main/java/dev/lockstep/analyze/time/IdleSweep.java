// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Launchers;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Divides time in which no device did anything among what filled it, in one pass over the slices in order of time. Until the next
 * work was launched, and while its launch call lasts, a moment belongs to the innermost slice of the host; afterwards to the
 * device, or to the call in which the host waits for it. Marks of steps are nobody's.
 *
 * <p>The thread that launched the next work comes first; where that is not known, the one that launched the work before. Where it
 * was in nothing, or waited in the operating system, other threads come in its place: those that launch, most launches first, then
 * those of operators whose work another thread launches.
 */
final class IdleSweep {
    /** No slice of these threads was open. */
    static final int NOTHING = -1;

    /** The work had been launched before the device ran dry. */
    static final int QUEUED = -2;

    /** The work was launched after the device had run dry, and the launch call had returned. */
    static final int LATENCY = -3;

    /** The host was not recorded. */
    static final int NO_HOST = -4;

    /** Takes the pieces in order of time. */
    interface Sink {
        /**
         * A piece that belongs to a slice of the host, of which {@link HostCauses#look} found last what it is, or to a recorded wait
         * of a stream, or to one of the constants above.
         */
        void piece(int owner, long from, long to);
    }

    private final Slices slices;
    private final LaunchLinks links;
    private final HostNesting nesting;
    private final HostCauses causes;

    /** Tracks of threads in the order in which they are asked, and of each track its place there or -1. */
    private final int[] threads;

    private final int[] placeOf;

    /** Of each track, the slice that began last and may be open. */
    private final int[] top;

    /** Waits that streams of devices stood in. */
    private final BitSet deviceWaits = new BitSet();

    /** Threads that may be in anything. */
    private final BitSet open = new BitSet();

    private final boolean hostRecorded;

    /** The slice to be entered next. */
    private int cursor;

    /** Until when what {@link #ownerOnHost} found holds, if nothing begins before. */
    private long until;

    IdleSweep(DerivedCache cache, AnalysisRules rules, HostCauses causes) {
        this.causes = causes;
        Trace trace = cache.trace();
        slices = trace.slices();
        links = cache.get(new LaunchLinks.Key(rules.links()));
        nesting = cache.get(new HostNesting.Key());
        top = new int[trace.tracks().size()];
        Arrays.fill(top, -1);
        hostRecorded =
                IntStream.range(0, slices.size()).anyMatch(i -> slices.kind(i).isHost());
        threads = threads(cache, rules);
        placeOf = new int[top.length];
        Arrays.fill(placeOf, -1);
        for (int i = 0; i < threads.length; i++) {
            placeOf[threads[i]] = i;
        }
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.DEVICE_SYNC
                    && slices.dur(i) > 0
                    && CauseRules.isStreamWait(trace.name(i))) {
                deviceWaits.set(i);
            }
        }
    }

    /** Threads that launch, then those of operators around the launches of others; where no launch is known, all of the host. */
    private int[] threads(DerivedCache cache, AnalysisRules rules) {
        int[] launches = new int[top.length];
        int[] operators = new int[top.length];
        int[] size = new int[top.length];
        boolean linked = false;
        DeviceActivity activity = cache.get(rules.activity());
        Launchers launchers = cache.get(rules.launchers());
        for (int i = 0; i < activity.size(); i++) {
            int launch = links.launchOf(activity.slice(i));
            if (launch >= 0) {
                launches[slices.track(launch)]++;
                linked = true;
            }
            int operator = launchers.launcherOf(activity.slice(i));
            if (operator >= 0) {
                operators[slices.track(operator)]++;
            }
        }
        for (int i = 0; i < slices.size() && !linked; i++) {
            size[slices.track(i)] += slices.kind(i).isHost() ? 1 : 0;
        }
        int[] first = linked ? launches : size;
        return IntStream.range(0, top.length)
                .filter(track -> first[track] > 0 || operators[track] > 0)
                .boxed()
                .sorted(Comparator.comparingInt((Integer track) -> -first[track])
                        .thenComparingInt(track -> -operators[track]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Divides a gap. Gaps come in order of time.
     *
     * @param last the activity that had run last, -1 for none
     * @param next the activity that ends the gap, -1 for none
     */
    void divide(long from, long to, int last, int next, Sink sink) {
        int launch = next < 0 ? -1 : links.launchOf(next);
        int asked = launch >= 0 || last < 0 ? launch : links.launchOf(last);
        int thread = asked < 0 ? -1 : slices.track(asked);
        long returned = launch < 0 ? Long.MAX_VALUE : slices.end(launch);
        int launched = launch >= 0 && slices.ts(launch) < from ? QUEUED : LATENCY;
        int owner = NOTHING;
        long begun = from;
        long holds = from;
        long now = from;
        while (now < to) {
            enter(now);
            boolean onDevice = now >= returned;
            int found = onDevice ? ownerOnDevice(next, thread, launched, now, to) : ownerOnHost(thread, now, to);
            if (found != owner || now >= holds) {
                if (now > begun) {
                    sink.piece(owner, begun, now);
                }
                begun = now;
                owner = found;
                holds = Long.MAX_VALUE;
                if (found >= 0 && slices.kind(found).isHost()) {
                    causes.look(found, now);
                    holds = causes.until();
                }
            }
            now = Math.min(Math.min(Math.min(until, holds), begin()), onDevice ? to : Math.min(returned, to));
        }
        sink.piece(owner, begun, to);
    }

    private boolean isSeen(int slice) {
        return slices.dur(slice) > 0
                && (slices.kind(slice).isHost() ? placeOf[slices.track(slice)] >= 0 : deviceWaits.get(slice));
    }

    /** Enters what has begun by now. */
    private void enter(long now) {
        while (cursor < slices.size() && slices.ts(cursor) <= now) {
            if (isSeen(cursor)) {
                int track = slices.track(cursor);
                top[track] = cursor;
                if (placeOf[track] >= 0) {
                    open.set(placeOf[track]);
                }
            }
            cursor++;
        }
    }

    /** When the next slice begins. */
    private long begin() {
        while (cursor < slices.size() && !isSeen(cursor)) {
            cursor++;
        }
        return cursor < slices.size() ? slices.ts(cursor) : Long.MAX_VALUE;
    }

    /**
     * After the launch: the recorded wait in which the stream stands; else, where the work was launched late, the call in which the
     * host waits for it; else what the work waits for otherwise.
     */
    private int ownerOnDevice(int next, int thread, int launched, long now, long to) {
        until = to;
        int wait = top[slices.track(next)];
        if (wait >= 0 && deviceWaits.get(wait) && slices.end(wait) > now) {
            until = Math.min(to, slices.end(wait));
            return wait;
        }
        int call = launched == LATENCY ? innermost(thread, now) : NOTHING;
        return call >= 0 && causes.blocks(call) ? call : launched;
    }

    private int ownerOnHost(int thread, long now, long to) {
        until = to;
        if (!hostRecorded) {
            return NO_HOST;
        }
        int waiting = NOTHING;
        if (thread >= 0) {
            int found = innermost(thread, now);
            if (found >= 0 && !causes.isWait(found)) {
                return found;
            }
            waiting = found;
        }
        for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
            if (threads[i] == thread) {
                continue;
            }
            int found = innermost(threads[i], now);
            if (found < 0) {
                open.clear(i); // until it enters something again
            } else if (!causes.isWait(found)) {
                return found;
            } else if (waiting < 0) {
                waiting = found;
            }
        }
        return waiting;
    }

    /** The innermost slice of a thread that is open now and marks no step, or {@link #NOTHING}. */
    private int innermost(int track, long now) {
        int slice = top[track];
        while (slice >= 0 && (slices.end(slice) <= now || causes.isMark(slice))) {
            slice = nesting.around(slice);
        }
        top[track] = slice;
        if (slice >= 0) {
            until = Math.min(until, slices.end(slice));
        }
        return slice;
    }
}
