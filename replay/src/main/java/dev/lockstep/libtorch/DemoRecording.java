// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.libtorch.WorkerProcess.NoAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A recording of training steps of a small transformer, made by libtorch on the CPU of this machine. */
public final class DemoRecording {
    private static final long SECONDS = 300;
    private static final String COST = ".cost.json";

    private DemoRecording() {}

    /**
     * Records into a folder.
     *
     * @param program the command that starts a worker, without its settings
     * @param settings with the folder
     * @return what recording a call costs, in ns
     */
    public static long make(List<String> program, WorkerSettings settings, Path folder) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(settings.words());
        Map<String, String> environment = Map.of(
                "OMP_WAIT_POLICY",
                "PASSIVE",
                "OPENBLAS_NUM_THREADS",
                "1",
                "OMP_NUM_THREADS",
                Integer.toString(settings.threads()));
        try (WorkerProcess worker = new WorkerProcess(command, environment)) {
            try {
                String answer = worker.answer(SECONDS, Long.MAX_VALUE);
                return Long.parseLong(answer.substring(WorkerSettings.RECORDED.length()));
            } catch (NoAnswer e) {
                throw new UserException(
                        ErrorCode.TOOL_FAILED, "the recording failed: " + e.getMessage(), worker.lastWords());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        } finally {
            Files.deleteIfExists(folder.resolve(COST));
        }
    }
}
