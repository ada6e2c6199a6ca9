// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeviceActivityTest {
    private final EventText events = new EventText();

    private void kernel(String device, int stream) {
        events.complete(
                "kernel",
                "k",
                device,
                Integer.toString(stream),
                0,
                1,
                "\"device\": " + device + ", \"stream\": " + stream);
    }

    @Test
    void streamsKnowThePlacesOfTheirDevices() {
        kernel("10", 7);
        kernel("2", 9);
        kernel("10", 3);
        kernel("2", 20);
        kernel("0", 7);

        DeviceActivity activity =
                new DerivedCache(TestTraces.of(events)).get(new DeviceActivity.Key(KernelRules.standard(), null));

        assertThat(activity.devices()).containsExactly("0", "2", "10");
        assertThat(activity.streams())
                .extracting(DeviceActivity.Stream::stream)
                .containsExactly("7", "9", "20", "3", "7");
        assertThat(activity.deviceOfStreams()).containsExactly(0, 1, 1, 2, 2);
    }

    @Test
    void activitiesAreFoundByTheirSlices() {
        events.op("aten::mm", 0, 1);
        kernel("0", 7);
        events.op("aten::add", 0, 1);
        kernel("0", 9);

        Trace trace = TestTraces.of(events);
        DeviceActivity activity = new DerivedCache(trace).get(new DeviceActivity.Key(KernelRules.standard(), null));

        assertThat(IntStream.range(0, activity.size()).map(a -> activity.place(activity.slice(a))))
                .containsExactly(0, 1);
        assertThat(activity.place(TestTraces.slice(trace, "aten::mm"))).isEqualTo(-1);
        assertThat(activity.place(TestTraces.slice(trace, "aten::add"))).isEqualTo(-1);
    }
}
