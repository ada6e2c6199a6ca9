// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import java.util.Map;

/** Names of the kinds of packets that are not read, as Perfetto's documentation calls them. */
final class PacketKinds {
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "ftrace_events"),
            Map.entry(2, "process_tree"),
            Map.entry(7, "sys_stats"),
            Map.entry(9, "process_stats"),
            Map.entry(37, "profile_packet"),
            Map.entry(38, "battery"),
            Map.entry(39, "android_log"),
            Map.entry(40, "power_rails"),
            Map.entry(49, "perfetto_metatrace"),
            Map.entry(54, "streaming_profile_packet"),
            Map.entry(56, "heap_graph"),
            Map.entry(65, "vulkan_api_event"),
            Map.entry(66, "perf_sample"),
            Map.entry(71, "gpu_mem_total_event"),
            Map.entry(95, "etw_events"));

    private PacketKinds() {}

    /** Whether packets with this field hold a recording; others only say something about the file. */
    static boolean isRecording(int field) {
        return NAMES.containsKey(field);
    }

    static String name(int field) {
        return NAMES.getOrDefault(field, "field " + field);
    }
}
