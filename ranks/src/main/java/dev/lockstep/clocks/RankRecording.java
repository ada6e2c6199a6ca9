// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.TraceInfo;

/**
 * From when to when a rank was recorded.
 *
 * @param info what its trace says about itself
 * @param from start of its first slice, in ns since the trace's origin
 * @param to end of its last slice, likewise
 */
public record RankRecording(TraceInfo info, long from, long to) {
    /** The recording that a rank's kernels are from. */
    public static RankRecording of(RankCollectives kernels) {
        return new RankRecording(kernels.info(), kernels.recordedFrom(), kernels.recordedTo());
    }

    /** When it began by its own clock, in ns since the origin of all clocks. */
    long first() {
        return from + info.originNs();
    }

    /** When it ended, likewise. */
    long last() {
        return to + info.originNs();
    }
}
