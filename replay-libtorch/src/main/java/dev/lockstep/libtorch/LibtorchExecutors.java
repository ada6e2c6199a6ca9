// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.replay.plan.ReplayExecutor;
import dev.lockstep.replay.plan.ReplayExecutors;
import dev.lockstep.replay.plan.ReplaySettings;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Opens executors on libtorch; fetches it first where it is not on this machine. */
public final class LibtorchExecutors implements ReplayExecutors {
    @Override
    public ReplayExecutor open(ReplaySettings settings, Consumer<String> say, BooleanSupplier stop) throws IOException {
        Natives natives = Natives.of(settings.device());
        List<String> program = WorkerCommand.of(natives.classPath(say));
        return new LibtorchExecutor(
                program, WorkerSettings.running(settings, natives.version()), settings.memoryBytes(), stop);
    }
}
