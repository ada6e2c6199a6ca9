// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.NameTest;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.regex.Pattern;

/**
 * Waits that stand on streams as tasks of their own, with their times: what comes behind one could start when it ended, and it ended
 * when another stream, or another device, had done its part. Some recorders write them as kernels.
 */
final class DeviceWaits {
    private static final Pattern WAIT = Pattern.compile("(?i)^(event|notify|stream)[_ ]?wait$");

    private final LongIntMap before = new LongIntMap(16);
    private final BitSet kernels = new BitSet();

    DeviceWaits(Trace trace, DeviceActivity activity) {
        Slices slices = trace.slices();
        int[] streamOf = new int[trace.tracks().size()];
        Arrays.fill(streamOf, -1);
        for (int a = 0; a < activity.size(); a++) {
            streamOf[slices.track(activity.slice(a))] = activity.streamOf(a);
        }
        NameTest waits = new NameTest(trace, WAIT);
        int[] waiting = new int[activity.streams().size()];
        Arrays.fill(waiting, -1);
        int next = 0;
        for (int i = 0; i < slices.size(); i++) {
            if (next < activity.size() && activity.slice(next) == i) {
                int stream = activity.streamOf(next);
                if (waiting[stream] >= 0) {
                    before.put(next, waiting[stream]);
                    waiting[stream] = -1;
                }
                kernels.set(next, waits.isMeant(i));
                next++;
            } else if (slices.kind(i) == SliceKind.DEVICE_SYNC && streamOf[slices.track(i)] >= 0 && waits.isMeant(i)) {
                waiting[streamOf[slices.track(i)]] = i;
            }
        }
    }

    /** The wait, a slice, that stands just before an activity on its stream; -1 for none. */
    int before(int a) {
        return before.get(a);
    }

    /** Whether an activity is a wait itself. */
    boolean isWait(int a) {
        return kernels.get(a);
    }
}
