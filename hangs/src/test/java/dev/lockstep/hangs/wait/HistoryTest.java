// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hangs.wait.History.Change;
import dev.lockstep.hangs.wait.History.Likeness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryTest {
    private static int[] calls(String letters) {
        return letters.chars().toArray();
    }

    @ParameterizedTest
    @CsvSource({
        // made, expected, likeness of the first two, what explains it
        "bcdef, abcdefghijabcdefghij, GROUP, SKIPPED",
        "defgh, abcdefghijabcdefghij, GROUP, SKIPPED",
        "bacde, abcdefghijabcdefghij, GROUP, SWAPPED",
        "xabcd, abcdefghijabcdefghij, GROUP, EXTRA",
        "xbcde, abcdefghijabcdefghij, GROUP, OTHER",
        "xbcde, abcdefghijabcdefghij, CALL, OTHER_GROUP",
        "x, abcdefghijabcdefghij, CALL, OTHER_GROUP",
        "x, abcdefghijabcdefghij, GROUP, OTHER",
        "x, abcdefghijabcdefghij, NOTHING, ORDER",
        // the frames say that it is the same line, though the call is known from elsewhere
        "e, abcdefghijabcdefghij, CALL_AND_FRAMES, OTHER_GROUP",
        "e, abcdefghijabcdefghij, CALL, ORDER",
        // one call alone may be skipped to, extra, or the second of two that were exchanged
        "b, abcdefghijabcdefghij, GROUP, ORDER",
        // skipped to, or made twice: a repeats
        "a, babababababababababa, GROUP, ORDER",
        // two changes at once are none of these
        "bxcde, abcdefghijabcdefghij, GROUP, ORDER",
    })
    void theOneChangeThatExplainsAllCallsIsNamed(String made, String expected, Likeness likeness, Change change) {
        assertThat(History.change(calls(made), calls(expected), likeness)).isEqualTo(change);
    }

    @Test
    void aNamedChangeIsTheOneThatWasMade() {
        SplittableRandom random = new SplittableRandom(5);
        int named = 0;
        for (int trial = 0; trial < 2000; trial++) {
            int length = 6 + random.nextInt(20);
            int[] step = IntStream.range(0, length)
                    .map(i -> random.nextInt(1 + length / 2))
                    .toArray();
            List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                expected.add(step[i % length]);
            }
            Change made = List.of(Change.SKIPPED, Change.EXTRA, Change.SWAPPED).get(random.nextInt(3));
            List<Integer> actual = new ArrayList<>(expected);
            switch (made) {
                case SKIPPED -> actual.subList(0, 1 + random.nextInt(3)).clear();
                case EXTRA -> actual.addFirst(step[random.nextInt(length)]);
                default -> Collections.swap(actual, 0, 1);
            }
            if (actual.getFirst().equals(expected.getFirst())) {
                continue; // it does not show yet
            }
            Change found = History.change(
                    actual.stream()
                            .limit(1 + random.nextInt(16))
                            .mapToInt(i -> i)
                            .toArray(),
                    expected.stream().limit(80).mapToInt(i -> i).toArray(),
                    Likeness.GROUP);
            assertThat(found).as(trial + " " + Arrays.toString(step)).isIn(made, Change.ORDER);
            named += found == made ? 1 : 0;
        }
        assertThat(named).isGreaterThan(500);
    }
}
