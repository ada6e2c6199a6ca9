// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import dev.lockstep.hangs.dump.Group;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call that is not done on somebody who made it: who made it, and who did not. Members are places of dumps in the job. */
final class Operation {
    final Group group;
    final int groupNumber;
    final long sequence;
    final boolean message;

    /** Made it and are not done. */
    final List<Integer> waiting = new ArrayList<>();

    /** The call of each of these in its dump. */
    final List<Integer> calls = new ArrayList<>();

    /** Made it and are done. */
    final List<Integer> done = new ArrayList<>();

    /** Left a dump, and did not make it. */
    final List<Integer> absent = new ArrayList<>();

    /** Ranks that left no dump. */
    final List<Integer> undumped = new ArrayList<>();

    /** Made it, and wait in something that they called before. */
    final List<Integer> held = new ArrayList<>();

    /** How the calls differ; null where they agree. */
    @Nullable
    Mismatch mismatch;

    Operation(Group group, int groupNumber, long sequence, boolean message) {
        this.group = group;
        this.groupNumber = groupNumber;
        this.sequence = sequence;
        this.message = message;
    }

    /** Whether all that is known of it is that everybody who left a dump made it. */
    boolean isComplete() {
        return absent.isEmpty() && held.isEmpty();
    }
}
