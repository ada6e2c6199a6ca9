// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a trace says about itself.
 *
 * @param source the file, as the user named it
 * @param format stable word for the format it was read from
 * @param rank where the trace stands in its run
 * @param worldSize number of ranks of the run, -1 when unknown
 * @param devices the accelerators the recording process could see
 * @param originNs time 0 of the trace's clock in ns since 1970, 0 when the clock itself counts from there or is unknown
 * @param metadata what else stands at the top of the file: key to JSON text
 */
public record TraceInfo(
        String source,
        String format,
        Rank rank,
        int worldSize,
        List<Device> devices,
        long originNs,
        Map<String, String> metadata) {
    public TraceInfo {
        devices = List.copyOf(devices);
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    }

    /** An accelerator: its number and the name its vendor gives it. */
    public record Device(long id, String name) {}

    /** The same facts under another rank. */
    public TraceInfo withRank(Rank other) {
        return new TraceInfo(source, format, other, worldSize, devices, originNs, metadata);
    }
}
