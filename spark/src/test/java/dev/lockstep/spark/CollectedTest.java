// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.RankRecording;
import dev.lockstep.clocks.Ties;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.model.Rank;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.spark.Collected.Member;
import dev.lockstep.spark.Collected.Place;
import dev.lockstep.table.LongColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CollectedTest {
    private static final CollectiveCall CALL = new CollectiveCall(
            "", CollectiveKind.ALL_REDUCE, null, null, null, 3, "Float", 10, 10, null, null, -1, -1, null);

    private static final Group GROUP = new Group(Basis.SEQUENCE, "0", "[0, 1, 2]", -1, -1, null);

    private static Member member(int rank, long ts, long dur) {
        return new Member(rank, 0, ts, dur, false, CALL);
    }

    /** The clock of three ranks, of which the last is ahead by a second, by collectives that tie them. */
    private static RunClock clock(long ahead) {
        Ties.Collector ties = new Ties.Collector(3);
        List<RankRecording> ranks = new ArrayList<>();
        HashMap<Integer, Integer> places = new HashMap<>();
        for (int i = 0; i < 10; i++) {
            ties.collective();
            for (int rank = 0; rank < 3; rank++) {
                long start = 1_000L * i + (rank == 2 ? ahead : 0);
                ties.member(rank, start, start + 10);
            }
        }
        for (int rank = 0; rank < 3; rank++) {
            TraceInfo info = new TraceInfo(
                    "rank" + rank, "kineto-json", new Rank(rank, Rank.Origin.TRACE), 3, List.of(), 0, Map.of());
            long from = rank == 2 ? ahead : 0;
            ranks.add(new RankRecording(info, from, from + 10_000));
            places.put(rank, rank);
        }
        return new RunClock(Clocks.of(ranks, ties.ties(), -1).believed(), places);
    }

    @Test
    void membersAreInOrderOfRanksAndWaitForTheLast() {
        Collected one = Collected.of(
                new Place(0, 0, 0, 0), List.of(member(2, 130, 20), member(0, 100, 50), member(1, 110, 30)));
        assertThat(one.members()).extracting(Member::rank).containsExactly(0, 1, 2);
        long[] waits = one.waits(clock(0), GROUP);
        assertThat(waits).containsExactly(30, 20, 0);
        assertThat(one.transfers(waits)).containsExactly(20, 10, 20);
    }

    @Test
    void clocksThatAreAheadAreTakenAway() {
        Collected one = Collected.of(new Place(0, 0, 0, 0), List.of(member(0, 100, 50), member(2, 1_000_120, 30)));
        assertThat(one.waits(clock(1_000_000), GROUP)).containsExactly(20, 0);
    }

    @Test
    void whatContradictsTheClocksIsUnknown() {
        Collected one = Collected.of(new Place(0, 0, 0, 0), List.of(member(0, 100, 50), member(2, 1_000_120, 30)));
        long[] waits = one.waits(clock(0), GROUP);
        assertThat(waits).containsOnly(LongColumn.ABSENT);
        assertThat(one.transfers(waits)).isEmpty();
    }

    @Test
    void placesAreInTheOrderOfCollectives() {
        List<Place> places =
                List.of(new Place(1, 0, 0, 0), new Place(0, 2, 0, 1), new Place(0, 2, 0, 0), new Place(0, 1, 5, 0));
        assertThat(places.stream().sorted().toList())
                .containsExactly(
                        new Place(0, 1, 5, 0), new Place(0, 2, 0, 0), new Place(0, 2, 0, 1), new Place(1, 0, 0, 0));
    }
}
