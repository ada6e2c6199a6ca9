// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.derive.DerivedCache;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The timeline of a device whose events FLEX wrote. */
class FlexTimelineTest {
    /** Computation 100 to 200, a transfer 150 to 250, a copy 60 to 90 and one 240 to 270; nothing else occupies it. */
    @Test
    void timeOfTheDeviceIsTakenApartAsByHand() throws IOException {
        Parts parts = new GpuTimeline(AnalysisRules.standard(), 0, false)
                .run(new DerivedCache(new FlexReaderTest().whole()))
                .blocks()
                .getFirst();
        assertThat(parts.total()).isEqualTo(210_000);
        assertThat(parts.computation()).isEqualTo(100_000);
        assertThat(parts.communication()).isEqualTo(100_000);
        assertThat(parts.exposedCommunication()).isEqualTo(50_000);
        assertThat(parts.exposedMemory()).isEqualTo(50_000);
        assertThat(parts.idle()).isEqualTo(10_000);
    }
}
