// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.Scopes.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the kernels of calls, for when the GPU was at them: by the call of the runtime that launched a kernel; where such
 * calls were not recorded, by streams whose kernels and calls follow each other in the same order; else by time.
 */
final class KernelMatching {
    private final RecordedProcess process;
    private final Scopes scopes;
    private final Notes notes;
    private final BiConsumer<Unit, RecordedKernel> found;
    private final IdentityHashMap<Unit, long[]> times = new IdentityHashMap<>();

    /** Communicators of one rank, for which nothing is launched. */
    private final Set<String> alone = new HashSet<>();

    KernelMatching(RecordedProcess process, Scopes scopes, Notes notes) {
        this(process, scopes, notes, (unit, kernel) -> {});
    }

    /** @param found is told of each kernel whose calls were found */
    KernelMatching(RecordedProcess process, Scopes scopes, Notes notes, BiConsumer<Unit, RecordedKernel> found) {
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
        List<RecordedKernel> left = byLaunch(process.kernels());
        if (!left.isEmpty()) {
            byOrder(left);
        }
        for (Unit unit : scopes.units()) {
            long[] time = times.get(unit);
            if (time == null) {
                time = hostTimes(unit);
            }
            for (RecordedCall call : unit.calls) {
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

    private List<RecordedKernel> byLaunch(List<RecordedKernel> kernels) {
        Map<Long, RecordedLaunch> launches = new HashMap<>();
        for (RecordedLaunch launch : process.launches()) {
            launches.put(launch.correlation(), launch);
        }
        List<RecordedKernel> left = new ArrayList<>();
        for (RecordedKernel kernel : kernels) {
            RecordedLaunch launch = launches.get(kernel.correlation());
            RecordedCall call = launch == null ? null : scopes.callAt(launch.thread(), launch.start());
            if (call == null) {
                left.add(kernel);
            } else {
                covers(scopes.unitOf(call), kernel);
            }
        }
        return left;
    }

    private void byOrder(List<RecordedKernel> kernels) {
        Map<Integer, List<RecordedKernel>> onDevice = new HashMap<>();
        kernels.forEach(k ->
                onDevice.computeIfAbsent(k.stream(), s -> new ArrayList<>()).add(k));
        Map<String, List<Unit>> onHost = new HashMap<>();
        scopes.units().stream()
                .filter(unit -> !times.containsKey(unit) && launches(unit))
                .forEach(unit -> onHost.computeIfAbsent(unit.first().stream(), s -> new ArrayList<>())
                        .add(unit));
        List<List<Unit>> free = new ArrayList<>(onHost.values());
        free.sort(Comparator.comparingLong(units -> units.getFirst().first().start()));
        List<List<RecordedKernel>> streams = new ArrayList<>(onDevice.values());
        streams.sort(Comparator.comparingLong(stream -> stream.getFirst().start()));
        List<List<RecordedKernel>> unlike = new ArrayList<>();
        for (List<RecordedKernel> stream : streams) {
            pair(stream, take(free, stream, true), unlike);
        }
        List<List<RecordedKernel>> unequal = new ArrayList<>();
        for (List<RecordedKernel> stream : unlike) {
            pair(stream, take(free, stream, false), unequal);
        }
        unequal.forEach(this::byTime);
    }

    private void pair(List<RecordedKernel> stream, @Nullable List<Unit> units, List<List<RecordedKernel>> unmatched) {
        if (units == null) {
            unmatched.add(stream);
            return;
        }
        for (int i = 0; i < stream.size(); i++) {
            covers(units.get(i), stream.get(i));
        }
    }

    private static @Nullable List<Unit> take(List<List<Unit>> free, List<RecordedKernel> stream, boolean alike) {
        for (int i = 0; i < free.size(); i++) {
            if (free.get(i).size() == stream.size() && (!alike || alike(free.get(i), stream))) {
                return free.remove(i);
            }
        }
        return null;
    }

    private static boolean alike(List<Unit> units, List<RecordedKernel> stream) {
        for (int i = 0; i < stream.size(); i++) {
            String kernel = KernelNames.collective(stream.get(i).name());
            Collective kind = units.get(i).first().kind();
            if (!kernel.equals(kind.pairwise() ? "SendRecv" : kind.word())) {
                return false;
            }
        }
        return true;
    }

    private void byTime(List<RecordedKernel> stream) {
        notes.assumed(
                "kernel_by_time",
                "process " + process.pid() + " of node " + process.node() + ": kernels of stream "
                        + stream.getFirst().stream() + " follow no stream of calls; each was given to the last call"
                        + " before it");
        Scopes.Follower calls = scopes.everywhere();
        for (RecordedKernel kernel : stream) {
            RecordedCall call = calls.at(kernel.start());
            if (call != null) {
                covers(scopes.unitOf(call), kernel);
            }
        }
    }

    private void covers(Unit unit, RecordedKernel kernel) {
        found.accept(unit, kernel);
        long[] time = times.computeIfAbsent(unit, u -> new long[] {kernel.start(), kernel.end()});
        time[0] = Math.min(time[0], kernel.start());
        time[1] = Math.max(time[1], kernel.end());
    }
}
