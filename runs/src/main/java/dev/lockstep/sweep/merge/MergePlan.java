// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.merge.Alignment;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.Session;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;

/** How the ranks of configurations are merged, and into which files. */
public interface MergePlan {
    /** What the traces must hold for it. */
    Keep keep();

    /** The files of a configuration, given where the one in JSON would lie. */
    List<Path> targets(Path json);

    /**
     * Begins the files of a configuration.
     *
     * @param json where the one in JSON would lie
     * @param output stages them
     * @param alignment what the clocks of the ranks have to do with one another
     * @param executor runs parts of the work; may run them at once on the calling thread
     * @param parallelism how many parts may be in work at a time
     */
    RankMerge open(Session session, Path json, Output output, Alignment alignment, Executor executor, int parallelism)
            throws IOException;
}
