// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.CollectiveMatch.Group;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TiesTest {
    private static final Group WORLD = new Group(Basis.SEQUENCE, "0", "[0, 1]", -1, -1, null);
    private static final Group PAIR = new Group(Basis.GROUP_AND_ORDER, "0", "[0, 1]", 0, 1, null);

    private static CollectiveCall call(CollectiveKind kind, @Nullable String in, @Nullable String out) {
        return new CollectiveCall("k", kind, kind.word(), "0", "[0, 1]", 2, "Float", 8, 8, in, out, -1, -1, null);
    }

    private static boolean ties(CollectiveCall... calls) {
        return Ties.isOne(WORLD, List.of(calls), false);
    }

    @ParameterizedTest
    @EnumSource(CollectiveKind.class)
    void membersEndTogetherWhereAllHaveAsMuchToDo(CollectiveKind kind) {
        boolean expected = switch (kind) {
            case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL, BARRIER -> true;
            default -> false;
        };
        CollectiveCall call = call(kind, null, null);
        assertThat(ties(call, call)).isEqualTo(expected);
        assertThat(ties(call)).isFalse();
        assertThat(Ties.isOne(WORLD, List.of(call, call), true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[4, 4]; [4, 4]; [4, 4]; [4, 4]; true",
                "[4, 4]; [4, 4]; [5, 5]; [5, 5]; false",
                "[4, 0]; [4, 0]; [4, 0]; [4, 0]; false",
                "[4, 4]; [4, 0]; [4, 4]; [4, 4]; false",
                "[0, 0]; [0, 0]; [0, 0]; [0, 0]; false",
                "[4, ...]; [4, 4]; [4, 4]; [4, 4]; false",
                "[4]; [4]; [4]; [4]; false",
                "[]; []; []; []; false"
            })
    void variableAllToAllsTieWhereAllPairsExchangeTheSame(
            String in, String out, String otherIn, String otherOut, boolean expected) {
        assertThat(ties(
                        call(CollectiveKind.ALL_TO_ALL_V, in, out),
                        call(CollectiveKind.ALL_TO_ALL_V, otherIn, otherOut)))
                .isEqualTo(expected);
    }

    @Test
    void anAllToAllThatGetsAnotherSizeThanItSendsIsUnequal() {
        CollectiveCall other = new CollectiveCall(
                "k",
                CollectiveKind.ALL_TO_ALL,
                "all_to_all",
                "0",
                "[0, 1]",
                2,
                "Float",
                8,
                6,
                null,
                null,
                -1,
                -1,
                null);
        assertThat(ties(other, other)).isFalse();
        assertThat(ties(
                        call(CollectiveKind.ALL_TO_ALL, "[4, 4]", "[4, 4]"),
                        call(CollectiveKind.ALL_TO_ALL, null, null)))
                .isFalse();
    }

    @Test
    void moreMembersThanTheGroupHasAreNone() {
        CollectiveCall call = call(CollectiveKind.ALL_REDUCE, null, null);
        assertThat(ties(call, call, call)).isFalse();
    }

    @Test
    void coalescedCallsTellNothing() {
        CollectiveCall call = new CollectiveCall(
                "k",
                CollectiveKind.ALL_REDUCE,
                "allreduce_coalesced",
                "0",
                "[0, 1]",
                2,
                "Float",
                8,
                8,
                null,
                null,
                -1,
                -1,
                null);
        assertThat(ties(call, call)).isFalse();
    }

    @Test
    void bothSidesOfAMessageTie() {
        CollectiveCall send = call(CollectiveKind.SEND, null, null);
        CollectiveCall receive = call(CollectiveKind.RECEIVE, null, null);
        assertThat(Ties.isOne(PAIR, List.of(send, receive), false)).isTrue();
        assertThat(Ties.isOne(PAIR, List.of(receive, send), false)).isTrue();
        assertThat(Ties.isOne(PAIR, List.of(send, send), false)).isFalse();
        assertThat(Ties.isOne(WORLD, List.of(send, receive), false)).isFalse();
    }

    @Test
    void ofVeryManyCollectivesEachGroupKeepsSome() {
        assertThat(Ties.stride(10, 1, 8)).isEqualTo(1);
        assertThat(Ties.stride(1_000_000, 1, 8)).isEqualTo(20);
        assertThat(Ties.stride(6_400, 100_000, 8)).isEqualTo(100);
        assertThat(Ties.stride(0, 0, 0)).isEqualTo(1);
    }

    @Test
    void groupsAreThoseOfTheSameRanks() {
        Ties.Collector collector = new Ties.Collector(3);
        for (List<Integer> members : List.of(List.of(0, 1), List.of(0, 2), List.of(0, 1))) {
            collector.collective();
            members.forEach(rank -> collector.member(rank, 10L * rank, 100 + rank));
        }
        Ties ties = collector.ties();
        assertThat(ties.instances).isEqualTo(3);
        assertThat(ties.group).containsExactly(0, 1, 0);
        assertThat(ties.pointsOf[0]).containsExactly(0, 2, 4);
        assertThat(ties.pointsOf[2]).containsExactly(3);
        assertThat(ties.end[3]).isEqualTo(102);
        assertThat(Collections.frequency(List.of(ties.instance[0], ties.instance[1]), 0))
                .isEqualTo(2);
    }
}
