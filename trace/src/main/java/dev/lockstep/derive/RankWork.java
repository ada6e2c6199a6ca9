// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a rank did beside its collectives, as far as it tells why the rank came late to them. Immutable.
 *
 * @param exposed when communication ran and no computation did, ns since the trace's origin
 * @param blocked by number of the track of a thread: when it stood in a call that returns only when the device is done, and
 *     the device worked
 * @param kernels compute kernels summed up by name and shapes, by name
 */
public record RankWork(IntervalSet exposed, Map<Integer, IntervalSet> blocked, List<KernelTotal> kernels) {
    /**
     * Compute kernels of one name whose operators had inputs of the same shapes.
     *
     * @param name of the kernel
     * @param dims shapes of the operator's inputs as recorded, empty when unknown
     * @param count number of them
     * @param totalNs how long they took together
     * @param countAlone number of them beside which no communication ran
     * @param totalAloneNs how long these took together
     */
    public record KernelTotal(String name, String dims, long count, long totalNs, long countAlone, long totalAloneNs) {}

    /** Calls that return when earlier work of the device is done, of CUDA, its driver, and HIP. */
    private static final Pattern BLOCKING =
            Pattern.compile("(cuda|hip|cu)(\\w*Synchronize|Memcpy(?!\\w*Async)\\w*|Memset(?!\\w*Async)\\w*)(_\\w+)?");

    private static final int LONGEST_CALL = 200;

    /** @param known 1 for names that were found to be of such calls, 2 for others */
    private static boolean isBlocking(Trace trace, int name, byte[] known) {
        if (known[name] == 0) {
            String call = trace.strings().get(name);
            known[name] = (byte)
                    (call.length() <= LONGEST_CALL && BLOCKING.matcher(call).matches() ? 1 : 2);
        }
        return known[name] == 1;
    }

    private static final class Sum {
        private long count;
        private long total;
        private long countAlone;
        private long totalAlone;
    }

    public RankWork {
        blocked = Collections.unmodifiableMap(new TreeMap<>(blocked));
        kernels = List.copyOf(kernels);
    }

    /**
     * What a rank did.
     *
     * @param classes what each slice of the trace is for
     * @param host collectives of its host, null where they do not count; in a trace without devices, operators of the host are what
     *     computes beside them
     */
    static RankWork of(Trace trace, KernelClass[] classes, @Nullable HostCollectives host) {
        Slices slices = trace.slices();
        IntervalSet.Builder busy = new IntervalSet.Builder();
        IntervalSet.Builder computing = new IntervalSet.Builder();
        IntervalSet.Builder communicating = new IntervalSet.Builder();
        Map<Integer, IntervalSet.Builder> blocked = new HashMap<>();
        byte[] blocks = new byte[trace.strings().size()];
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isDeviceActivity()) {
                busy.add(slices.ts(i), slices.end(i));
                if (classes[i] == KernelClass.COMPUTE) {
                    computing.add(slices.ts(i), slices.end(i));
                } else if (classes[i] == KernelClass.COMMUNICATION) {
                    communicating.add(slices.ts(i), slices.end(i));
                }
            } else if ((slices.kind(i) == SliceKind.RUNTIME_CALL || slices.kind(i) == SliceKind.DRIVER_CALL)
                    && isBlocking(trace, slices.name(i), blocks)) {
                blocked.computeIfAbsent(slices.track(i), track -> new IntervalSet.Builder())
                        .add(slices.ts(i), slices.end(i));
            }
        }
        IntervalSet worked = busy.build();
        Map<Integer, IntervalSet> waited = new HashMap<>();
        blocked.forEach((track, calls) -> waited.put(track, calls.build().intersect(worked)));
        IntervalSet communication = communicating.build();
        List<KernelTotal> kernels = kernels(trace, classes, communication);
        if (host == null || host.size() == 0) {
            return new RankWork(communication.minus(computing.build()), waited, kernels);
        }
        IntervalSet computation = worked.isEmpty() ? host.computing() : computing.build();
        return new RankWork(communication.union(host.exchanging()).minus(computation), waited, kernels);
    }

    private static List<KernelTotal> kernels(Trace trace, KernelClass[] classes, IntervalSet communication) {
        Slices slices = trace.slices();
        OpDetails details = trace.view(OpDetails.KEY);
        LongIntMap dims = dims(slices, details);
        Map<Long, Sum> sums = new HashMap<>();
        for (int i = 0; i < slices.size(); i++) {
            if (classes[i] == KernelClass.COMPUTE && slices.kind(i) == SliceKind.KERNEL) {
                int shape = slices.externalId(i) < 0 ? -1 : dims.get(slices.externalId(i));
                Sum sum = sums.computeIfAbsent(
                        ((long) slices.name(i) << Integer.SIZE) | shape & 0xffffffffL, key -> new Sum());
                sum.count++;
                sum.total += slices.dur(i);
                if (communication.within(slices.ts(i), slices.end(i)) == 0) {
                    sum.countAlone++;
                    sum.totalAlone += slices.dur(i);
                }
            }
        }
        return sums.entrySet().stream()
                .map(entry -> {
                    int shape = (int) (long) entry.getKey();
                    return new KernelTotal(
                            trace.strings()
                                    .get((int) (entry.getKey() >> Integer.SIZE))
                                    .intern(), // once for all ranks
                            shape < 0 ? "" : trace.strings().get(shape).intern(),
                            entry.getValue().count,
                            entry.getValue().total,
                            entry.getValue().countAlone,
                            entry.getValue().totalAlone);
                })
                .sorted((a, b) -> a.name().equals(b.name())
                        ? a.dims().compareTo(b.dims())
                        : a.name().compareTo(b.name()))
                .toList();
    }

    /** Shapes of operators by the numbers that their kernels share with them. */
    private static LongIntMap dims(Slices slices, @Nullable OpDetails details) {
        LongIntMap dims = new LongIntMap(256);
        for (int row = 0; details != null && row < details.size(); row++) {
            long id = slices.externalId(details.slice(row));
            if (id >= 0 && details.inputDims(row) >= 0) {
                dims.put(id, details.inputDims(row));
            }
        }
        return dims;
    }
}
