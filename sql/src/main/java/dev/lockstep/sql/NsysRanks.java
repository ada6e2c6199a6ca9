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
    /** The part of a global id that is a thread. */
    static final long WITHIN_PROCESS = 0xFFFFFF;

    /** The devices on which a thread launches, and the one on which it does so most. */
    private static final class Launches {
        private final Map<Long, Integer> byDevice = new TreeMap<>();
        private long most = -1;

        void add(long device) {
            int count = byDevice.merge(device, 1, Integer::sum);
            int before = byDevice.getOrDefault(most, 0);
            if (count > before || (count == before && device < most)) {
                most = device;
            }
        }
    }

    private final Map<Long, NavigableMap<Long, NsysRank>> byProcess = new HashMap<>();
    private final Map<Long, LongIntMap> deviceOfLaunch = new HashMap<>();
    private final Map<Long, LongIntMap> deviceOfWait = new HashMap<>();
    private final Map<Long, Launches> launchesByThread = new HashMap<>();

    /** The rank of what ran on a device; numbers that no device has stand for none. */
    NsysRank ofDevice(long globalProcess, long device, long correlation) {
        long process = process(globalProcess);
        long known = device < 0 || device > Integer.MAX_VALUE ? -1 : device;
        NavigableMap<Long, NsysRank> devices = byProcess.computeIfAbsent(process, p -> new TreeMap<>());
        NsysRank rank = devices.computeIfAbsent(known, d -> new NsysRank(process, d));
        join(deviceOfLaunch, process, known, correlation);
        return rank;
    }

    /** The rank of a wait for a device, or null where nothing ran on it; all that runs on devices must be known. */
    @Nullable
    NsysRank ofWait(long globalProcess, long device, long correlation) {
        long process = process(globalProcess);
        NavigableMap<Long, NsysRank> devices = byProcess.get(process);
        NsysRank rank = devices == null ? null : devices.get(device);
        if (rank != null) {
            join(deviceOfWait, process, device, correlation);
        }
        return rank;
    }

    private static void join(Map<Long, LongIntMap> devices, long process, long device, long correlation) {
        if (correlation > 0 && device >= 0) {
            devices.computeIfAbsent(process, p -> new LongIntMap(1024)).put(correlation, (int) device);
        }
    }

    /** The rank of a call; all that runs on devices must be known. */
    NsysRank ofCall(long globalThread, long correlation) {
        NavigableMap<Long, NsysRank> devices = devices(globalThread);
        if (devices.size() == 1) {
            return devices.firstEntry().getValue();
        }
        long process = process(globalThread);
        long launched = device(deviceOfLaunch, process, correlation);
        long device = launched < 0 ? device(deviceOfWait, process, correlation) : launched;
        NsysRank rank = device < 0 ? null : devices.get(device);
        if (rank != null) {
            launchesByThread.computeIfAbsent(globalThread, t -> new Launches()).add(device);
            return rank;
        }
        return ofThread(globalThread);
    }

    private static long device(Map<Long, LongIntMap> devices, long process, long correlation) {
        LongIntMap correlations = devices.get(process);
        return correlations == null || correlation <= 0 ? -1 : correlations.get(correlation);
    }

    /** Whether a call of this number launched something; all that runs on devices must be known. */
    boolean isLaunch(long globalThread, long correlation) {
        return device(deviceOfLaunch, process(globalThread), correlation) >= 0;
    }

    /** The rank of what a thread does otherwise; all its calls must be known. */
    NsysRank ofThread(long globalThread) {
        NavigableMap<Long, NsysRank> devices = devices(globalThread);
        Launches launches = launchesByThread.get(globalThread);
        NsysRank most = launches == null ? null : devices.get(launches.most);
        return most == null ? first(devices) : most;
    }

    /** The ranks that have this device, in order of their processes. */
    List<NsysRank> onDevice(long device) {
        return byProcess.values().stream()
                .filter(devices -> devices.containsKey(device))
                .map(devices -> devices.get(device))
                .sorted(Comparator.comparingLong(NsysRank::process))
                .toList();
    }

    void processName(long globalProcess, String name) {
        NavigableMap<Long, NsysRank> devices = byProcess.get(process(globalProcess));
        if (devices != null) {
            devices.values().forEach(rank -> rank.processName(name));
        }
    }

    /** Names a thread in the ranks that it may have worked for; all its calls must be known. */
    void threadName(long globalThread, String name) {
        NavigableMap<Long, NsysRank> devices = byProcess.get(process(globalThread));
        if (devices == null) {
            return;
        }
        first(devices).threadName(globalThread, name);
        Launches launches = launchesByThread.get(globalThread);
        if (launches != null) {
            for (long device : launches.byDevice.keySet()) {
                NsysRank rank = devices.get(device);
                if (rank != null) {
                    rank.threadName(globalThread, name);
                }
            }
        }
    }

    /**
     * By device where each has its own, as one process for each device has it; else by process, then by device. What has
     * no device is a rank only where nobody has one.
     */
    List<NsysRank> inOrder() {
        List<NsysRank> all = all();
        if (hasDevices(all)) {
            all.removeIf(rank -> rank.deviceNumber() < 0);
        }
        Set<Long> distinct = new HashSet<>();
        boolean own = all.stream().allMatch(rank -> distinct.add(rank.deviceNumber()));
        Comparator<NsysRank> byProcessNumber = Comparator.comparingLong(NsysRank::process);
        Comparator<NsysRank> byDevice = Comparator.comparingLong(NsysRank::deviceNumber);
        all.sort(own ? byDevice.thenComparing(byProcessNumber) : byProcessNumber.thenComparing(byDevice));
        return all;
    }

    /** What has no device, beside ranks that have one; in order of its processes. */
    List<NsysRank> leftOut() {
        List<NsysRank> all = all();
        boolean isLeft = hasDevices(all);
        return all.stream()
                .filter(rank -> isLeft && rank.deviceNumber() < 0)
                .sorted(Comparator.comparingLong(NsysRank::process))
                .toList();
    }

    private static boolean hasDevices(List<NsysRank> all) {
        return all.stream().anyMatch(rank -> rank.deviceNumber() >= 0);
    }

    private List<NsysRank> all() {
        List<NsysRank> all = new ArrayList<>();
        byProcess.values().forEach(devices -> all.addAll(devices.values()));
        return all;
    }

    /** The rank of a process where nothing tells another: that of its first device. */
    private static NsysRank first(NavigableMap<Long, NsysRank> devices) {
        Map.Entry<Long, NsysRank> device = devices.ceilingEntry(0L);
        return (device == null ? devices.firstEntry() : device).getValue();
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
