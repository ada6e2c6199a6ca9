// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers of the processes on hosts, where devices are numbered by their ranks: a process keeps its number unless another
 * rank's process or a device has it already.
 */
final class HostProcesses {
    private static final long STEP = 1_000_000;

    private record Recorded(long process, int rank) {}

    private final Set<Long> devices;
    private final Map<Recorded, Long> numbers = new HashMap<>();
    private final Set<Long> taken = new HashSet<>();

    private HostProcesses(Set<Long> devices) {
        this.devices = devices;
    }

    static HostProcesses of(List<TraceFile> files) {
        Set<Long> devices = new HashSet<>();
        for (TraceFile file : files) {
            if (file.isTorch()) {
                devices.add((long) file.rank);
            }
        }
        return new HostProcesses(devices);
    }

    /** The number of a process, the same for all events of it. */
    long process(long recorded, int rank) {
        return devices.size() < 2
                ? recorded
                : numbers.computeIfAbsent(new Recorded(recorded, rank), key -> free(recorded));
    }

    private long free(long recorded) {
        long number = recorded;
        while (devices.contains(number) || !taken.add(number)) {
            number += STEP;
        }
        return number;
    }
}
