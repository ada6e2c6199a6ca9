// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.merge.Alignment;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.merge.MergePlan;
import dev.lockstep.sweep.merge.RankMerge;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;

/** What AORTA's script writes: one file in JSON, clocks as recorded. */
record AortaMergePlan() implements MergePlan {
    /** How many ranks the script announces, whether or not they exist. */
    private static final int ANNOUNCED = 8;

    @Override
    public Keep keep() {
        return Keep.RECORDING;
    }

    @Override
    public List<Path> targets(Path json) {
        return List.of(json);
    }

    @Override
    public RankMerge open(
            Session session, Path json, Output output, Alignment alignment, Executor executor, int parallelism)
            throws IOException {
        return AortaRankMerge.announcing(ANNOUNCED, json, output.file(json));
    }
}
