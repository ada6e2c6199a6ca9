// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What communicators serve, judged by what is done on them; so all of their ranks judge alike. */
final class Parallelisms {
    static final int OTHER = 0;
    static final int PIPELINE = 1;
    static final int DATA = 2;

    private static final Set<NcclFunction> SHARDED = EnumSet.of(NcclFunction.ALL_GATHER, NcclFunction.REDUCE_SCATTER);
    private static final Set<NcclFunction> MESSAGES = EnumSet.of(NcclFunction.SEND, NcclFunction.RECV);

    private Parallelisms() {}

    /** One for each communicator: sharded data is gathered and scattered, pipelines hand on messages. */
    static int[] of(RecordedRun recording) {
        List<Set<NcclFunction>> used = new ArrayList<>();
        recording.communicators().forEach(c -> used.add(EnumSet.noneOf(NcclFunction.class)));
        for (Gpu gpu : recording.gpus()) {
            for (RecordedOperation o : gpu.operations()) {
                used.get(o.communicator()).add(o.kind());
            }
        }
        return used.stream().mapToInt(Parallelisms::of).toArray();
    }

    private static int of(Set<NcclFunction> used) {
        if (used.isEmpty()) {
            return OTHER;
        }
        return SHARDED.equals(used) ? DATA : MESSAGES.containsAll(used) ? PIPELINE : OTHER;
    }

    /** The word for one. */
    static String word(int parallelism) {
        return switch (parallelism) {
            case PIPELINE -> "PP";
            case DATA -> "DP";
            default -> "other";
        };
    }
}
