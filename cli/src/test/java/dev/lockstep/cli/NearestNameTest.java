// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
    private static final List<String> KNOWN = List.of("report", "replay", "merge");

    @Test
    void nearestIsTheOneWithFewestEdits() {
        assertThat(NearestName.nearest("reprot", KNOWN)).contains("report");
        assertThat(NearestName.nearest("repla", KNOWN)).contains("replay");
    }

    @Test
    void strangersAreNotSuggested() {
        assertThat(NearestName.nearest("sweep", KNOWN)).isEmpty();
        assertThat(NearestName.nearest("x", List.of())).isEmpty();
    }

    @Test
    void distanceCountsEdits() {
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.distance("abc", "abc")).isZero();
        assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
    }
}
