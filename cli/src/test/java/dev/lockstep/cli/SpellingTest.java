// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {
    private static final List<String> KNOWN = List.of("report", "replay", "merge");

    @Test
    void nearestIsTheOneWithFewestEdits() {
        assertThat(Spelling.nearest("reprot", KNOWN)).contains("report");
        assertThat(Spelling.nearest("repla", KNOWN)).contains("replay");
    }

    @Test
    void strangersAreNotSuggested() {
        assertThat(Spelling.nearest("sweep", KNOWN)).isEmpty();
        assertThat(Spelling.nearest("x", List.of())).isEmpty();
    }

    @Test
    void distanceCountsEdits() {
        assertThat(Spelling.distance("", "abc")).isEqualTo(3);
        assertThat(Spelling.distance("abc", "abc")).isZero();
        assertThat(Spelling.distance("kitten", "sitting")).isEqualTo(3);
    }
}
