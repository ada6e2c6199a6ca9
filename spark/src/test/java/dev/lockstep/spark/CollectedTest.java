// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.spark.Collected.Member;
import dev.lockstep.spark.Collected.Place;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CollectedTest {
    private static final CollectiveCall CALL = new CollectiveCall(
            "", CollectiveKind.ALL_REDUCE, null, null, null, 3, "Float", 10, 10, null, null, -1, -1, null);

    private static Member member(int rank, long ts, long dur) {
        return new Member(rank, 0, ts, dur, CALL);
    }

    @Test
    void membersAreInOrderOfRanksAndWaitForTheLast() {
        Collected one = Collected.of(
                new Place(0, 0, 0, 0), List.of(member(2, 130, 20), member(0, 100, 50), member(1, 110, 30)));
        assertThat(one.members()).extracting(Member::rank).containsExactly(0, 1, 2);
        long[] waits = one.waits(Map.of());
        assertThat(waits).containsExactly(30, 20, 0);
        assertThat(one.transfers(waits)).containsExactly(20, 10, 20);
    }

    @Test
    void clocksThatAreAheadAreTakenAway() {
        Collected one = Collected.of(new Place(0, 0, 0, 0), List.of(member(0, 100, 50), member(1, 1120, 30)));
        assertThat(one.waits(Map.of(1, 1000L))).containsExactly(20, 0);
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
