// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Rank;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.options.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KnownDevicesTest {
    private static @Nullable String known(String... names) {
        List<TraceInfo.Device> devices = new ArrayList<>();
        for (String name : names) {
            devices.add(new TraceInfo.Device(devices.size(), name));
        }
        TraceInfo info = new TraceInfo("t", "torch", new Rank(0, Rank.Origin.ORDER), 1, devices, 0, Map.of());
        Device device = KnownDevices.of(info);
        return device == null ? null : device.name();
    }

    @Test
    void vendorsNamesLeadToBundledDevices() {
        assertThat(known("NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3")).isEqualTo("H100");
        assertThat(known("AMD Instinct MI300X VF")).isEqualTo("MI300X");
        assertThat(known("NVIDIA A100-SXM4-80GB")).isEqualTo("A100");
    }

    @Test
    void otherBoardsMixturesAndUnknownNamesLeadToNone() {
        assertThat(known("NVIDIA H100 PCIe")).isNull();
        assertThat(known("NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-80GB")).isNull();
        assertThat(known("Tesla V100-SXM2-32GB")).isNull();
        assertThat(known()).isNull();
    }
}
