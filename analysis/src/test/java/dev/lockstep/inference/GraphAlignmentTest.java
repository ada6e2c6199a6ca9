// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GraphAlignmentTest {
    private static final long[] ONE_STREAM = {7, 7, 7};

    @Test
    void ofEqualSequencesEachActivityTakesTheCallAtItsPlace() {
        int[] calls = {1, GraphAlignment.UNKNOWN, GraphAlignment.COPY};
        assertThat(GraphAlignment.align(calls, new int[] {1, 2, GraphAlignment.COPY}, ONE_STREAM))
                .containsExactly(0, 1, 2);
    }

    @Test
    void exchangedActivitiesFindTheirCallsByName() {
        assertThat(GraphAlignment.align(new int[] {1, 2, 1}, new int[] {2, 1, 1}, ONE_STREAM))
                .containsExactly(1, 0, 2);
    }

    @Test
    void callsWithoutActivityAreSteppedOver() {
        assertThat(GraphAlignment.align(new int[] {1, 2, 3, 2}, new int[] {1, 3, 2}, ONE_STREAM))
                .containsExactly(0, 2, 3);
    }

    @Test
    void otherWorkFitsNothing() {
        assertThat(GraphAlignment.align(new int[] {1, 2, 3}, new int[] {1, 2, 4}, ONE_STREAM))
                .isNull();
        assertThat(GraphAlignment.align(new int[] {1, 2}, new int[] {2, 1, 1}, ONE_STREAM))
                .isNull();
    }

    @Test
    void eachOfSeveralStreamsKeepsItsOrder() {
        // stream 7 runs 1 2 and stream 8 runs 1 3; by time they alternate
        int[] activities = {1, 1, 3, 2};
        long[] streams = {7, 8, 8, 7};
        assertThat(GraphAlignment.align(new int[] {1, 2, 1, 3}, activities, streams))
                .containsExactly(0, 2, 3, 1);
        assertThat(GraphAlignment.align(new int[] {1, GraphAlignment.UNKNOWN, 1, 3}, activities, streams))
                .isNull();
    }
}
