// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Rank;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Collectives of a run as its ranks' clocks show them, and what these clocks were in truth. */
public final class ClockRun {
    /** What a clock shows beyond the true time at its begin, and how it drifts. */
    public record True(long offset, double ppm) {
        public long shows(long time) {
            return time + offset + Math.round(time * ppm * 1e-6);
        }
    }

    static final long BEGIN = 10_000_000;

    public final List<RankCollectives> ranks = new ArrayList<>();
    public final True[] clocks;
    final long length;
    private final Random random;
    private final EventText[] events;
    private final int[] calls;

    public ClockRun(long seed, int ranks, long length) {
        random = new Random(seed);
        clocks = new True[ranks];
        Arrays.fill(clocks, new True(0, 0));
        this.length = length;
        events = new EventText[ranks];
        Arrays.setAll(events, r -> new EventText());
        calls = new int[ranks];
    }

    /** Gives each node of so many ranks a clock of its own. */
    public ClockRun clocks(int gpusPerNode, long offset, double ppm) {
        for (int rank = 0; rank < clocks.length; rank++) {
            clocks[rank] = rank % gpusPerNode > 0
                    ? clocks[rank - 1]
                    : new True(Math.round((random.nextDouble() * 2 - 1) * offset), (random.nextDouble() * 2 - 1) * ppm);
        }
        return this;
    }

    /**
     * Collectives of these ranks, spread over the run.
     *
     * @param jitter ends lie up to this behind the earliest
     * @param lateShare part of the ends that come much later
     */
    public ClockRun collectives(int count, long jitter, double lateShare, int straggler, int... members) {
        String group = Arrays.toString(members);
        for (int i = 0; i < count; i++) {
            long arrived = BEGIN + (long) ((i + random.nextDouble()) * (length / (double) count));
            for (int rank : members) {
                long waits = rank == straggler ? 0 : random.nextInt(30_000);
                long end = arrived + 15_000 + random.nextLong(jitter + 1);
                end += random.nextDouble() < lateShare ? random.nextInt(400_000) : 0;
                long shownStart = clocks[rank].shows(arrived - waits);
                events[rank].complete(
                        "kernel",
                        "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                        "0",
                        "7",
                        shownStart,
                        clocks[rank].shows(end) - shownStart,
                        "\"stream\": 7, \"correlation\": " + ++calls[rank]
                                + ", \"Collective name\": \"allreduce\", \"dtype\": \"Float\", \"In msg nelems\": 8,"
                                + " \"Out msg nelems\": 8, \"Group size\": " + members.length
                                + ", \"Process Group Name\": \"" + group + "\", \"Process Group Ranks\": \"" + group
                                + "\"");
            }
        }
        return this;
    }

    /** Ends the recording of all ranks. */
    public List<RankCollectives> record() {
        for (int rank = 0; rank < events.length; rank++) {
            events[rank].op("first", clocks[rank].shows(BEGIN), 10);
            events[rank].op("last", clocks[rank].shows(BEGIN + length), 10);
            ranks.add(new DerivedCache(TestTraces.of(events[rank]).withRank(new Rank(rank, Rank.Origin.TRACE)))
                    .get(RankCollectives.Key.standard()));
        }
        return ranks;
    }

    /** The clocks as estimated, of ranks on these nodes. */
    ClockFit fit(int[] nodes) {
        CollectiveMatch match = CollectiveMatch.of(ranks);
        return ClockFit.of(ranks.stream().map(RankRecording::of).toList(), Ties.of(match), nodes);
    }

    /** When a rank's recording began by its clock. */
    public long first(int rank) {
        return RankRecording.of(ranks.get(rank)).first();
    }

    /** The largest error of an estimate over the whole recording of a rank. */
    long error(ClockFit fit, int rank) {
        ClockLine line = fit.lines().get(rank);
        long worst = 0;
        for (int i = 0; i <= 10; i++) {
            long time = BEGIN + length * i / 10;
            long shown = clocks[rank].shows(time) + ranks.get(rank).info().originNs();
            long reference = clocks[line.block()].shows(time)
                    + ranks.get(line.block()).info().originNs();
            worst = Math.max(worst, Math.abs(shown - line.ahead(shown) - reference));
        }
        return worst;
    }
}
