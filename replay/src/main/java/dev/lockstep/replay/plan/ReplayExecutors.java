// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Opens executors on a framework; found by {@link java.util.ServiceLoader}, so that none need be there. */
public interface ReplayExecutors {
    /**
     * Opens an executor. What it needs from elsewhere is fetched first.
     *
     * @param settings how operators are run
     * @param say takes what is fetched, from where and how large it is, line by line
     * @param stop whether the run shall end; asked all the time
     * @throws dev.lockstep.error.UserException when something is missing that cannot be fetched
     */
    ReplayExecutor open(ReplaySettings settings, Consumer<String> say, BooleanSupplier stop) throws IOException;
}
