// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.recording;

import java.util.List;

/**
 * What a recorded run did. The place of a GPU in the list is its rank in schedules.
 *
 * @param commonClock whether times of different GPUs can be compared
 * @param notes what is odd or missing, and what was assumed for it
 */
public record RecordedRun(List<Gpu> gpus, List<Communicator> communicators, boolean commonClock, RecordingNotes notes) {
    public RecordedRun {
        gpus = List.copyOf(gpus);
        communicators = List.copyOf(communicators);
    }
}
