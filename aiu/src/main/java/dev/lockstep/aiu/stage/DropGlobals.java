// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code drop_global_events}: drops host events that span much and tell little, by their names. */
final class DropGlobals implements Stage {
    private static final List<String> WORDS = List.of(
            "Execute graph",
            "SenFusedDeviceNode",
            "AIU Roundtrip",
            "Flex RoundTrip",
            "PostKeys",
            "FetchKeys",
            "Callback",
            "HostPrep",
            "AllocateFrame of",
            "Update CBs");

    private final Map<AiuName, Boolean> dropped = new HashMap<>();

    @Override
    public String name() {
        return "drop_global_events";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (!dropped.computeIfAbsent(event.name, name -> WORDS.stream().anyMatch(name::contains))) {
            next.accept(event);
        }
    }
}
