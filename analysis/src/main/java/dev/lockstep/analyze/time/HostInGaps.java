// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.NearestAround;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * What the host was in during each gap of the device: on the thread that launched the work which ended the gap, the
 * innermost slice that covers more than half of it; where that thread was in nothing, on the other threads that launch.
 *
 * <p>One pass over the slices in order of time, with the slice of each thread at hand that began last, sees all.
 */
final class HostInGaps {
    private static final int PARTS = 3;

    private final Slices slices;
    private final DeviceGaps gaps;
    private final LaunchLinks links;

    private final HostNesting nesting;
    private final NearestAround frames;

    /** The slice begun last of each thread that may be open. */
    private final int[] top;

    /** Of each thread, how long it was in anything at all, up to the end of what began last; and that end. */
    private final long[] covered;

    private final long[] reached;
    private final int[] threads;

    /** Of each thread, its place among {@link #threads}, or -1; and of these, the places of those that may be in anything. */
    private final int[] placeOf;

    private final BitSet open = new BitSet();
    private final int[] found;
    private final boolean[] several;

    /** Whether anything of the host was recorded that could tell. */
    private boolean hostRecorded;

    /** The gap that is looked at, and which part of it is next: beginning, middle, end. */
    private int gap;

    private int part;

    /** How long the launching thread had been in anything when the gap began. */
    private long before;

    HostInGaps(DerivedCache cache, DeviceGaps gaps, LaunchLinks links) {
        Trace trace = cache.trace();
        this.gaps = gaps;
        this.links = links;
        slices = trace.slices();
        nesting = cache.get(new HostNesting.Key());
        frames = new NearestAround(nesting, slices.size(), slice -> {
            SliceKind kind = slices.kind(slice);
            return kind == SliceKind.ANNOTATION || kind == SliceKind.PYTHON;
        });
        int tracks = trace.tracks().size();
        top = new int[tracks];
        Arrays.fill(top, -1);
        covered = new long[tracks];
        reached = new long[tracks];
        Arrays.fill(reached, Long.MIN_VALUE);
        threads = threads(tracks);
        placeOf = new int[tracks];
        Arrays.fill(placeOf, -1);
        for (int i = 0; i < threads.length; i++) {
            placeOf[threads[i]] = i;
        }
        found = new int[gaps.size()];
        several = new boolean[gaps.size()];
        sweep();
    }

    /** The slice, or -1 where none covers more than half of the gap. */
    int slice(int gap) {
        return found[gap];
    }

    /** Whether the launching thread was in one slice after the other for more than half of a gap that none covers. */
    boolean several(int gap) {
        return several[gap];
    }

    boolean hostRecorded() {
        return hostRecorded;
    }

    /** Whether the slice covers more than half of the gap. */
    boolean covers(int slice, int gap) {
        return nesting.covers(slice, gaps.start(gap), gaps.end(gap));
    }

    /** Threads that launch, those that launch most first; where no launch is known, all of the host, busiest first. */
    private int[] threads(int tracks) {
        int[] launches = new int[tracks];
        int[] size = new int[tracks];
        boolean linked = false;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isHost()) {
                size[slices.track(i)]++;
                hostRecorded = true;
            } else if (links.launchOf(i) >= 0) {
                launches[slices.track(links.launchOf(i))]++;
                linked = true;
            }
        }
        int[] weight = linked ? launches : size;
        return IntStream.range(0, weight.length)
                .filter(track -> weight[track] > 0)
                .boxed()
                .sorted(Comparator.comparingInt(track -> -weight[track]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void sweep() {
        for (int i = 0; i < slices.size() && gap < gaps.size(); i++) {
            if (slices.kind(i).isHost() && slices.dur(i) > 0) {
                pass(slices.ts(i));
                enter(i);
            }
        }
        pass(Long.MAX_VALUE);
    }

    /** Looks at beginnings, middles and ends of gaps before this moment. */
    private void pass(long now) {
        while (gap < gaps.size()) {
            int thread = launcher(gap);
            if (part == 0 && gaps.start(gap) <= now) {
                before = thread < 0 ? 0 : coveredUntil(thread, gaps.start(gap));
            } else if (part == 1 && gaps.start(gap) + gaps.length(gap) / 2 < now) {
                found[gap] = innermost(thread);
            } else if (part == 2 && gaps.end(gap) <= now) {
                close(thread);
                gap++;
            } else {
                return;
            }
            part = (part + 1) % PARTS;
        }
    }

    private void close(int thread) {
        boolean elsewhere = found[gap] < 0 || slices.track(found[gap]) != thread;
        long inside = thread < 0 ? 0 : coveredUntil(thread, gaps.end(gap)) - before;
        if (elsewhere && inside * 2 > gaps.length(gap)) {
            several[gap] = true;
            found[gap] = -1;
        }
    }

    private void enter(int slice) {
        int track = slices.track(slice);
        long end = slices.end(slice);
        top[track] = slice;
        if (placeOf[track] >= 0) {
            open.set(placeOf[track]);
        }
        if (end > reached[track]) {
            covered[track] += end - Math.max(slices.ts(slice), reached[track]);
            reached[track] = end;
        }
    }

    private long coveredUntil(int track, long ts) {
        return reached[track] <= ts ? covered[track] : covered[track] - (reached[track] - ts);
    }

    private int launcher(int gap) {
        int launch = links.launchOf(gaps.next(gap));
        return launch < 0 ? -1 : slices.track(launch);
    }

    private int innermost(int launcher) {
        int slice = launcher < 0 ? -1 : innermostOf(launcher);
        long middle = gaps.start(gap) + gaps.length(gap) / 2;
        for (int i = open.nextSetBit(0); i >= 0 && slice < 0; i = open.nextSetBit(i + 1)) {
            if (reached[threads[i]] <= middle) {
                open.clear(i); // until it enters something again
            } else {
                slice = innermostOf(threads[i]);
            }
        }
        return slice;
    }

    private int innermostOf(int thread) {
        return nesting.covering(top[thread], gaps.start(gap), gaps.end(gap));
    }

    /** The innermost annotation or frame of Python, from this slice outwards, that covers more than half of the gap; or -1. */
    int frame(int slice, int gap) {
        int place = frames.of(slice);
        while (place >= 0 && !covers(place, gap)) {
            place = frames.beyond(place);
        }
        return place;
    }
}
