// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs while power is sampled. Asked by the thread that samples, it says whether to go on, and starts the
 * command when its time has come.
 */
final class MeteredCommand implements BooleanSupplier {
    private static final double NS_PER_S = 1e9;

    private final List<String> command;
    private final double before;
    private final double seconds;
    private final BooleanSupplier stop;
    private final long start = System.nanoTime();
    private @Nullable Process process;

    /**
     * @param command what to run; empty for nothing
     * @param before seconds until it starts
     * @param seconds how long to go on without a command
     * @param stop whether the user stops it
     */
    MeteredCommand(List<String> command, double before, double seconds, BooleanSupplier stop) {
        this.command = command;
        this.before = before;
        this.seconds = seconds;
        this.stop = stop;
    }

    @Override
    public boolean getAsBoolean() {
        if (stop.getAsBoolean()) {
            return false;
        }
        double passed = (System.nanoTime() - start) / NS_PER_S;
        if (command.isEmpty()) {
            return passed < seconds;
        }
        if (process == null && passed >= before) {
            try {
                process = new ProcessBuilder(command).inheritIO().start();
            } catch (IOException e) {
                throw new UserException(
                        ErrorCode.TOOL_FAILED, "cannot start " + command.getFirst() + ": " + e.getMessage(), null, e);
            }
        }
        return process == null || process.isAlive();
    }

    /** Whether the command ended and said that it failed. */
    boolean failed() {
        return process != null && process.exitValue() != 0;
    }

    /** Ends the command if it still runs. */
    void end() {
        if (process != null && process.isAlive()) {
            process.destroy();
            try {
                process.waitFor(5, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
