// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

class DeviceTimelineTest {
    private static String kernel(int device, int ts, int dur) {
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": " + device + ", \"tid\": 7, \"ts\": "
                + ts + ", \"dur\": " + dur + ", \"args\": {\"device\": " + device + ", \"stream\": 7}}";
    }

    @Test
    void oneDeviceDoesNotHideThatAnotherIsIdle() {
        String events = String.join(",", kernel(0, 0, 100), kernel(10, 0, 10), kernel(2, 0, 50), kernel(2, 90, 10));

        DeviceTimeline.Result result =
                new DeviceTimeline(AnalysisRules.standard()).run(new DerivedCache(TestTraces.of(events)));

        assertThat(result.rows()).extracting(DeviceTimeline.Row::device).containsExactly("0", "2", "10");
        assertThat(result.rows()).extracting(r -> r.parts().idle()).containsExactly(0L, 40_000L, 0L);
        assertThat(result.tables()).hasSize(1);
    }

    @Test
    void aSingleDeviceNeedsNoSheetOfItsOwn() {
        DeviceTimeline.Result result =
                new DeviceTimeline(AnalysisRules.standard()).run(new DerivedCache(TestTraces.of(kernel(0, 0, 100))));

        assertThat(result.tables()).isEmpty();
        assertThat(result.notApplicable()).contains("two devices");
    }
}
