// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordingTest {
    @Test
    void whatIsTooWideLosesItsMiddle() {
        String name = "Cijk_Ailk_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256x256x64";

        String shortened = Wording.shortened(name, Ink.TICK, 100);

        assertThat(Ink.TICK.width(shortened)).isLessThanOrEqualTo(100);
        assertThat(shortened).startsWith("Cijk_Ail").contains("…").endsWith("6x64");
        assertThat(Wording.shortened(name, Ink.TICK, 1000)).isEqualTo(name);
    }

    @Test
    void labelsBreakBehindUnderscores() {
        assertThat(Wording.broken("GPU_exposed_memcpy_time", Ink.TICK, 70)).isEqualTo("GPU_exposed_\nmemcpy_time");
        assertThat(Wording.broken("allreduce\n1024", Ink.TICK, 70)).isEqualTo("allreduce\n1024");
    }

    @Test
    void joinedLinesKeepAllButTheFirst() {
        String joined = Wording.joined(List.of("reduce_scatter_tensor_coalesced", "16384"), Ink.TICK, 120);

        assertThat(joined).endsWith(" · 16384").startsWith("reduce_");
        assertThat(Ink.TICK.width(joined)).isLessThanOrEqualTo(120);
    }

    @Test
    void linesAreNoWiderThanGiven() {
        String text = "Box: quartiles; line: median; dashed: mean; whiskers: up to 1.5 times the box's height.";

        List<String> lines = Wording.wrapped(text, Ink.NOTE, 150);

        assertThat(String.join(" ", lines)).isEqualTo(text);
        assertThat(lines).hasSizeGreaterThan(1).allMatch(line -> Ink.NOTE.width(line) <= 150);
    }
}
