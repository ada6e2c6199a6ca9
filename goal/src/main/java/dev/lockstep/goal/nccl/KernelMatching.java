// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.Scopes.Unit;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.read.nsys.NsysKernel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Finds the kernels of calls, for when the GPU was at them: by the call of the runtime that launched a kernel; where such
 * calls were not recorded, by streams whose kernels and calls follow each other in the same order; else by time.
 */
final class KernelMatching {
    private final NcclProcess process;
    private final Scopes scopes;
    private final RecordingNotes notes;
    private final BiConsumer<Unit, NsysKernel> found;
    private final IdentityHashMap<Unit, long[]> times = new IdentityHashMap<>();

    /** Communicators of one rank, for which nothing is launched. */
    private final Set<String> alone = new HashSet<>();

    KernelMatching(NcclProcess process, Scopes scopes, RecordingNotes notes) {
        this(process, scopes, notes, (unit, kernel) -> {});
    }

    /** @param found is told of each kernel whose calls were found */
    KernelMatching(NcclProcess process, Scopes scopes, RecordingNotes notes, BiConsumer<Unit, NsysKernel> found) {
        this.found = found;
        this.process = process;
        this.scopes = scopes;
        this.notes = notes;
        for (int i = 0; i < process.members.size(); i++) {
            if (process.members.get(i).ranks() == 1) {
                alone.add(process.members.get(i).communicator());
            }
        }
    }

    void run() {
        List<NsysKernel> left = byLaunch(process.kernels());
        if (!left.isEmpty()) {
            byOrder(left);
        }
        for (Unit unit : scopes.units()) {
            long[] time = times.get(unit);
            if (time == null) {
                time = hostTimes(unit);
            }
            for (NcclCall call : unit.calls) {
                call.device(time[0], time[1]);
            }
        }
    }

    private boolean launches(Unit unit) {
        return unit.calls.stream().anyMatch(call -> !alone.contains(call.communicator()));
    }

    private long[] hostTimes(Unit unit) {
        if (launches(unit)) {
            notes.assumed(
                    "kernel_missing",
                    "process " + process.pid() + " of node " + process.node() + ": no kernel of "
                            + unit.first().kind().word() + " was recorded; the time of the call stands for it");
        }
        return new long[] {
            unit.first().start(), Math.max(unit.last().end(), unit.last().start())
        };
    }

    private List<NsysKernel> byLaunch(List<NsysKernel> kernels) {
        Map<Long, KernelLaunch> launches = new HashMap<>();
        for (KernelLaunch launch : process.launches()) {
            launches.put(launch.correlation(), launch);
        }
        List<NsysKernel> left = new ArrayList<>();
        for (NsysKernel kernel : kernels) {
            KernelLaunch launch = launches.get(kernel.correlation());
            NcclCall call = launch == null ? null : scopes.callAt(launch.thread(), launch.start());
            if (call == null) {
                left.add(kernel);
            } else {
                covers(scopes.unitOf(call), kernel);
            }
        }
        return left;
    }

    private void byOrder(List<NsysKernel> kernels) {
        Map<Integer, List<NsysKernel>> onDevice = new HashMap<>();
        kernels.forEach(k ->
                onDevice.computeIfAbsent(k.stream(), s -> new ArrayList<>()).add(k));
        Map<String, List<Unit>> onHost = new HashMap<>();
        scopes.units().stream()
                .filter(unit -> !times.containsKey(unit) && launches(unit))
                .forEach(unit -> onHost.computeIfAbsent(unit.first().stream(), s -> new ArrayList<>())
                        .add(unit));
        List<List<Unit>> free = new ArrayList<>(onHost.values());
        free.sort(Comparator.comparingLong(units -> units.getFirst().first().start()));
        List<List<NsysKernel>> streams = new ArrayList<>(onDevice.values());
        streams.sort(Comparator.comparingLong(stream -> stream.getFirst().start()));
        List<List<NsysKernel>> unlike = pair(streams, KernelMatching::kernelKinds, free, KernelMatching::unitKinds);
        List<List<NsysKernel>> unequal = pair(unlike, List::size, free, List::size);
        unequal.forEach(this::byTime);
    }

    /**
     * Gives streams of kernels the streams of calls that are equal in something, first come, first served; these are taken
     * out.
     *
     * @return the streams of kernels for which there is none
     */
    private <K> List<List<NsysKernel>> pair(
            List<List<NsysKernel>> streams,
            Function<List<NsysKernel>, K> ofKernels,
            List<List<Unit>> free,
            Function<List<Unit>, K> ofUnits) {
        Map<K, Deque<List<Unit>>> waiting = new HashMap<>();
        free.forEach(units -> waiting.computeIfAbsent(ofUnits.apply(units), key -> new ArrayDeque<>())
                .add(units));
        List<List<NsysKernel>> unmatched = new ArrayList<>();
        Set<List<Unit>> taken = Collections.newSetFromMap(new IdentityHashMap<>());
        for (List<NsysKernel> stream : streams) {
            Deque<List<Unit>> equal = waiting.get(ofKernels.apply(stream));
            List<Unit> units = equal == null ? null : equal.poll();
            if (units == null) {
                unmatched.add(stream);
                continue;
            }
            taken.add(units);
            for (int i = 0; i < stream.size(); i++) {
                covers(units.get(i), stream.get(i));
            }
        }
        free.removeIf(taken::contains);
        return unmatched;
    }

    private static List<String> kernelKinds(List<NsysKernel> stream) {
        return stream.stream()
                .map(kernel -> NcclKernelNames.collective(kernel.name()))
                .toList();
    }

    private static List<String> unitKinds(List<Unit> units) {
        return units.stream()
                .map(unit -> unit.first().kind())
                .map(kind -> kind.pairwise() ? "SendRecv" : kind.word())
                .toList();
    }

    private void byTime(List<NsysKernel> stream) {
        notes.assumed(
                "kernel_by_time",
                "process " + process.pid() + " of node " + process.node() + ": kernels of stream "
                        + stream.getFirst().stream() + " follow no stream of calls; each was given to the last call"
                        + " before it");
        for (NsysKernel kernel : stream) {
            NcclCall call = scopes.callAt(kernel.start());
            if (call != null) {
                covers(scopes.unitOf(call), kernel);
            }
        }
    }

    private void covers(Unit unit, NsysKernel kernel) {
        found.accept(unit, kernel);
        long[] time = times.computeIfAbsent(unit, u -> new long[] {kernel.start(), kernel.end()});
        time[0] = Math.min(time[0], kernel.start());
        time[1] = Math.max(time[1], kernel.end());
    }
}
