// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.RecordingNotes;

/**
 * The roots of collectives. With these, PyTorch names the root as rank, on all members alike; with others, and in traces of
 * other makers, each member its own.
 */
final class Roots {
    private final CollectiveMatch match;
    private final RecordingNotes notes;

    Roots(CollectiveMatch match, RecordingNotes notes) {
        this.match = match;
        this.notes = notes;
    }

    /** The rank of the communicator that is the root; 0 where members do not agree on one, which is noted. */
    int of(int instance, Communicator communicator) {
        long root = -1;
        boolean agreed = true;
        for (int m = 0; m < match.members(instance); m++) {
            long named = match.ranks()
                    .get(match.rank(instance, m))
                    .call(match.row(instance, m))
                    .rank();
            agreed &= m == 0 || named == root;
            root = named;
        }
        if (agreed && root >= 0 && root < communicator.size()) {
            return (int) root;
        }
        notes.assumed(
                "root_assumed",
                match.call(instance).name() + ": the root is not on record; rank 0 of the group is taken for it");
        return 0;
    }
}
