// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.Arrays;

/**
 * Activities that cannot have lasted as long as the trace says: they end after the next activity of their stream began, though a stream
 * runs its activities in order. An overlap of a few microseconds is no overrun: programmatic launch makes such. Neither are activities of
 * one launch, since a graph may run several at a time. A stream of which many activities overlap does not run them in order.
 */
public final class Overruns {
    /** Those of a trace as recorded. */
    public record Key() implements Derived<Overruns> {
        @Override
        public Overruns derive(Trace trace, DerivedCache cache) {
            return new Overruns(trace);
        }
    }

    /** So much of the one before may still run when the next begins. */
    static final long OVERLAP_NS = 10_000;

    /** Of so many activities at most one may overrun on a stream that runs them in order. */
    private static final int ONE_IN = 10;

    private static final int FEWEST = 4;

    private final Trace trace;
    private final IntList found = new IntList(4);
    private final IntList next = new IntList(4);
    private int activities;
    private long recorded;
    private long excess;
    private long longest;

    private Overruns(Trace trace) {
        this.trace = trace;
        Slices slices = trace.slices();
        int[][] streams = streams(slices);
        for (int[] stream : streams) {
            of(slices, stream);
        }
    }

    /** The device activities of each track in order of start. */
    private int[][] streams(Slices slices) {
        IntList[] rows = new IntList[trace.tracks().size()];
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isDeviceActivity()) {
                int track = slices.track(i);
                rows[track] = rows[track] == null ? new IntList(64) : rows[track];
                rows[track].add(i);
                activities++;
                recorded += slices.dur(i);
            }
        }
        return Arrays.stream(rows)
                .filter(list -> list != null)
                .map(IntList::toArray)
                .toArray(int[][]::new);
    }

    private void of(Slices slices, int[] stream) {
        IntList rows = new IntList(4);
        IntList followers = new IntList(4);
        int follower = -1; // the first behind a slice that another call launched
        for (int i = stream.length - 2; i >= 0; i--) {
            if (!isOfOneLaunch(slices, stream[i], stream[i + 1])) {
                follower = stream[i + 1];
            }
            if (follower >= 0
                    && slices.ts(follower) > slices.ts(stream[i])
                    && slices.end(stream[i]) > slices.ts(follower) + OVERLAP_NS) {
                rows.add(stream[i]);
                followers.add(follower);
            }
        }
        if (stream.length < FEWEST || rows.size() > Math.max(1, stream.length / ONE_IN)) {
            return;
        }
        found.addAll(rows);
        next.addAll(followers);
        for (int i = 0; i < rows.size(); i++) {
            long over = slices.end(rows.get(i)) - slices.ts(followers.get(i));
            excess += over;
            longest = Math.max(longest, over);
        }
    }

    private static boolean isOfOneLaunch(Slices slices, int a, int b) {
        return slices.correlation(a) >= 0 && slices.correlation(a) == slices.correlation(b);
    }

    /** How many activities last too long. */
    public int count() {
        return found.size();
    }

    /** How many activities devices have. */
    public int activities() {
        return activities;
    }

    /** How long they last together as recorded, in ns. */
    public long recorded() {
        return recorded;
    }

    /** How much of that cannot be, in ns. */
    public long excess() {
        return excess;
    }

    /** The most by which one lasts too long, in ns. */
    public long longest() {
        return longest;
    }

    /** How long those that last too long take together once they are cut, in ns: they may have been shorter. */
    public long left() {
        long left = 0;
        for (int i = 0; i < found.size(); i++) {
            left += trace.slices().ts(next.get(i)) - trace.slices().ts(found.get(i));
        }
        return left;
    }

    /** The trace in which each of them ends where the next of its stream begins. */
    Trace cut() {
        Slices slices = trace.slices();
        long[] durations = new long[slices.size()];
        for (int i = 0; i < durations.length; i++) {
            durations[i] = slices.dur(i);
        }
        for (int i = 0; i < found.size(); i++) {
            durations[found.get(i)] = slices.ts(next.get(i)) - slices.ts(found.get(i));
        }
        return trace.withDurations(durations);
    }
}
