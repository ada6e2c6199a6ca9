// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule needs of a rank's trace. Ownership of the arrays passes to the record.
 *
 * @param collectives its communication kernels
 * @param blocks for each of them how many blocks its grid has, which is the number of channels; -1 if unknown
 * @param threads for each of them the threads of a block; -1 if unknown
 * @param windowStart when the device began to work; 0 without device activity
 * @param windowEnd when it had finished
 */
@SuppressWarnings("ArrayRecordComponent")
public record KinetoRank(RankCollectives collectives, int[] blocks, int[] threads, long windowStart, long windowEnd) {

    /** Takes it out of a trace. */
    public static KinetoRank of(Trace trace) {
        RankCollectives collectives = new DerivedCache(trace).get(RankCollectives.Key.ofDevices());
        Slices slices = trace.slices();
        LongIntMap sliceOfEvent = new LongIntMap(1024);
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isDeviceActivity()) {
                sliceOfEvent.put(slices.index(i), i);
                start = Math.min(start, slices.ts(i));
                end = Math.max(end, slices.end(i));
            }
        }
        int[] blocks = new int[collectives.size()];
        int[] threads = new int[blocks.length];
        DeviceDetails devices = trace.view(DeviceDetails.KEY);
        for (int i = 0; i < blocks.length; i++) {
            int slice = sliceOfEvent.get(collectives.index(i));
            int row = devices == null || slice < 0 ? -1 : devices.of(slice);
            blocks[i] = devices == null || row < 0 ? -1 : first(trace, devices.grid(row));
            threads[i] = devices == null || row < 0 ? -1 : first(trace, devices.block(row));
        }
        return new KinetoRank(collectives, blocks, threads, end < start ? 0 : start, end < start ? 0 : end);
    }

    /** The same under what is now known about the trace. */
    public KinetoRank withInfo(TraceInfo info) {
        return new KinetoRank(collectives.withInfo(info), blocks, threads, windowStart, windowEnd);
    }

    private static int first(Trace trace, int text) {
        @Nullable String list = trace.strings().orNull(text);
        long[] numbers = RankNumbers.of(list);
        return numbers.length == 0 || numbers[0] <= 0 || numbers[0] > Integer.MAX_VALUE ? -1 : (int) numbers[0];
    }
}
