// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.recording.RecordingNotes;
import java.util.Comparator;
import java.util.List;

/**
 * Puts together what belongs together: marks go to the call, or to the group of calls, in which their thread was, and
 * there to the one of the same kind, communicator and size; kernels to the call that launched them.
 */
public final class ScopedRules implements RecordingRules {
    /** Ranks are numbered by node, device and process. */
    @Override
    public List<NcclProcess> ranks(List<NcclProcess> asRead) {
        return asRead.stream()
                .sorted(Comparator.comparing(NcclProcess::node)
                        .thenComparingInt(NcclProcess::device)
                        .thenComparingLong(NcclProcess::pid))
                .toList();
    }

    @Override
    public void match(NcclProcess process, RecordingNotes notes) {
        Scopes scopes = Scopes.of(process);
        new MarkMatching(process, scopes, notes).run();
        new KernelMatching(process, scopes, notes).run();
    }

    @Override
    public boolean aligned() {
        return true;
    }
}
