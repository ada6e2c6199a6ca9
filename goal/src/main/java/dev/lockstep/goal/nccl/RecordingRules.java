// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.recording.RecordingNotes;
import java.util.List;

/** How what processes recorded is put together. */
public interface RecordingRules {
    /** The processes in the order of their ranks. They come in the order of file names, and of rows within a file. */
    List<NcclProcess> ranks(List<NcclProcess> asRead);

    /**
     * Gives calls their groups, their marks, and the times at which the GPU carried them out. Calls that get no times are
     * left out of the schedule.
     */
    void match(NcclProcess process, RecordingNotes notes);

    /** Whether operations of different ranks have to agree, so that those without a counterpart are left out. */
    boolean aligned();
}
