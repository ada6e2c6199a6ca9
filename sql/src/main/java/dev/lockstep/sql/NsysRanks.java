// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of an export: each device that a process used, and processes that used none. What a process with several
 * devices does on the host belongs to the device that it launches on; where a thread launches nothing, to the first.
 */
final class NsysRanks {
    private static final long WITHIN_PROCESS = 0xFFFFFF;

    private final Map<Long, NavigableMap<Long, NsysRank>> byProcess = new HashMap<>();
    private final Map<Long, LongIntMap> deviceOfCorrelation = new HashMap<>();
    private final Map<Long, TreeMap<Long, Integer>> launchesByThread = new HashMap<>();

    /** The rank of what ran on a device. */
    NsysRank ofDevice(long globalProcess, long device, long correlation) {
        long process = process(globalProcess);
        NavigableMap<Long, NsysRank> devices = byProcess.computeIfAbsent(process, p -> new TreeMap<>());
        NsysRank rank = devices.computeIfAbsent(device, d -> new NsysRank(process, d));
        if (correlation > 0 && device >= 0) {
            deviceOfCorrelation
                    .computeIfAbsent(process, p -> new LongIntMap(1024))
                    .put(correlation, (int) device);
        }
        return rank;
    }

    /** The rank of a wait for a device, or null where nothing ran on it; all that runs on devices must be known. */
    @Nullable
    NsysRank ofWait(long globalProcess, long device, long correlation) {
        NavigableMap<Long, NsysRank> devices = byProcess.get(process(globalProcess));
        return devices == null || !devices.containsKey(device) ? null : ofDevice(globalProcess, device, correlation);
    }

    /** The rank of a call; all that runs on devices must be known. */
    NsysRank ofCall(long globalThread, long correlation) {
        NavigableMap<Long, NsysRank> devices = devices(globalThread);
        if (devices.size() == 1) {
            return devices.firstEntry().getValue();
        }
        LongIntMap correlations = deviceOfCorrelation.get(process(globalThread));
        long device = correlations == null || correlation <= 0 ? -1 : correlations.get(correlation);
        NsysRank rank = devices.get(device);
        if (rank != null) {
            launchesByThread.computeIfAbsent(globalThread, t -> new TreeMap<>()).merge(device, 1, Integer::sum);
            return rank;
        }
        return ofThread(globalThread);
    }

    /** Whether a call of this number launched something; all that runs on devices must be known. */
    boolean isLaunch(long globalThread, long correlation) {
        LongIntMap correlations = deviceOfCorrelation.get(process(globalThread));
        return correlations != null && correlation > 0 && correlations.get(correlation) >= 0;
    }

    /** The rank of what a thread does otherwise; all its calls must be known. */
    NsysRank ofThread(long globalThread) {
        NavigableMap<Long, NsysRank> devices = devices(globalThread);
        TreeMap<Long, Integer> launches = launchesByThread.getOrDefault(globalThread, new TreeMap<>());
        NsysRank best = devices.firstEntry().getValue();
        int most = 0;
        for (Map.Entry<Long, Integer> entry : launches.entrySet()) {
            NsysRank rank = devices.get(entry.getKey());
            if (rank != null && entry.getValue() > most) {
                best = rank;
                most = entry.getValue();
            }
        }
        return best;
    }

    /** The ranks that have this device. */
    List<NsysRank> onDevice(long device) {
        return byProcess.values().stream()
                .filter(devices -> devices.containsKey(device))
                .map(devices -> devices.get(device))
                .toList();
    }

    void processName(long globalProcess, String name) {
        NavigableMap<Long, NsysRank> devices = byProcess.get(process(globalProcess));
        if (devices != null) {
            devices.values().forEach(rank -> rank.processName(name));
        }
    }

    void threadName(long globalThread, String name) {
        NavigableMap<Long, NsysRank> devices = byProcess.get(process(globalThread));
        if (devices != null) {
            devices.values().forEach(rank -> rank.threadName(globalThread, name));
        }
    }

    /**
     * By device where each has its own, as one process for each device has it; else by process, then by device. Processes
     * without a device are ranks only where nobody has one.
     */
    List<NsysRank> inOrder() {
        List<NsysRank> all = new ArrayList<>();
        byProcess.values().forEach(devices -> all.addAll(devices.values()));
        if (all.stream().anyMatch(rank -> rank.deviceNumber() >= 0)) {
            all.removeIf(rank -> rank.deviceNumber() < 0);
        }
        Set<Long> distinct = new HashSet<>();
        boolean own = all.stream().allMatch(rank -> distinct.add(rank.deviceNumber()));
        Comparator<NsysRank> byProcessNumber = Comparator.comparingLong(NsysRank::process);
        Comparator<NsysRank> byDevice = Comparator.comparingLong(NsysRank::deviceNumber);
        all.sort(own ? byDevice.thenComparing(byProcessNumber) : byProcessNumber.thenComparing(byDevice));
        return all;
    }

    private NavigableMap<Long, NsysRank> devices(long globalThread) {
        long process = process(globalThread);
        NavigableMap<Long, NsysRank> devices = byProcess.computeIfAbsent(process, p -> new TreeMap<>());
        if (devices.isEmpty()) {
            devices.put(-1L, new NsysRank(process, -1));
        }
        return devices;
    }

    private static long process(long globalId) {
        return globalId & ~WITHIN_PROCESS;
    }
}
