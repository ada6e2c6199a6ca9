// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordedOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Orders are those of numpy 1.24.2 and pandas 1.5.3, which were asked once. */
class ReferenceStreamsTest {
    private static List<RecordedOperation> groups(int groups, int members) {
        List<RecordedOperation> called = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            for (int i = 0; i < members; i++) {
                long start = 1000L * group + (i == 0 ? 100 : 500);
                called.add(new RecordedOperation(
                        NcclFunction.SEND, 0, 0, "s", group, start, 1000L * group + 500, i, called.size(), null));
            }
        }
        return called;
    }

    private static List<Long> order(int groups, int members) {
        return order(groups, members, false);
    }

    private static List<Long> order(int groups, int members, boolean parallel) {
        return ReferenceStreams.of(groups(groups, members), parallel).operations().stream()
                .map(RecordedOperation::bytes)
                .toList();
    }

    @Test
    void membersOfLargeGroupsLoseTheirOrder() {
        assertThat(order(2, 10))
                .containsExactly(
                        0L, 9L, 7L, 6L, 4L, 5L, 3L, 2L, 1L, 8L, 10L, 16L, 17L, 18L, 11L, 12L, 13L, 14L, 15L, 19L);
    }

    /** Sorted twice, from the order of the calls. */
    @Test
    void readInParallelMembersStandInAnotherOrderFromTheThirdGroupOn() {
        assertThat(order(2, 6, true)).isSorted().isEqualTo(order(2, 6));
        assertThat(order(3, 6, true))
                .isNotEqualTo(order(3, 6))
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 9L, 7L, 10L, 11L, 8L, 12L, 15L, 16L, 13L, 14L, 17L);
    }

    @Test
    void membersOfSmallGroupsKeepIt() {
        assertThat(order(2, 8)).isSorted();
    }

    @Test
    void equalValuesAreInNumpysOrder() {
        long[] values = new long[40];
        for (int i = 0; i < values.length; i++) {
            values[i] = i * 7L % 5;
        }

        assertThat(NumpyOrder.of(values))
                .containsExactly(
                        0, 20, 15, 30, 10, 25, 35, 5, 23, 8, 33, 28, 13, 3, 38, 18, 6, 21, 1, 36, 16, 26, 11, 31, 34,
                        29, 19, 14, 9, 4, 24, 39, 27, 22, 17, 12, 32, 7, 2, 37);
    }

    @Test
    void everythingIsSortedAlsoWhatDefeatsThePivot() {
        Random random = new Random(5);
        for (int n : new int[] {0, 1, 2, 16, 17, 100, 3000}) {
            assertSorted(random.longs(n, 0, 7).toArray());
            assertSorted(defeating(n));
        }
    }

    /** Each median of three is nearly the least of its range. */
    private static long[] defeating(int n) {
        long[] values = new long[n];
        for (int i = 1; i <= n / 2; i++) {
            if (i % 2 == 1) {
                values[i - 1] = i;
                values[i] = n / 2L + i;
            }
            values[n / 2 + i - 1] = 2L * i;
        }
        return values;
    }

    private static void assertSorted(long[] values) {
        int[] places = NumpyOrder.of(values);

        assertThat(Arrays.stream(places).mapToLong(i -> values[i])).isSorted();
        assertThat(Arrays.stream(places).distinct().count()).isEqualTo(values.length);
    }
}
