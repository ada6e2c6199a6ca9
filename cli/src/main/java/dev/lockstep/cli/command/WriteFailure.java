// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What commands say when the system refuses to write a file. */
final class WriteFailure {
    private WriteFailure() {}

    /** The failure of a command whose files appear all together. */
    static UserException nothingWritten(FileSystemException refusal) {
        return of(refusal, "Nothing was written.");
    }

    /** The failure of a command that may have written other files before. */
    static UserException of(FileSystemException refusal) {
        return of(refusal, null);
    }

    /**
     * What to throw for a failure that came out of another thread.
     *
     * @throws UserException as {@link #nothingWritten}, where a file was refused
     */
    static IOException cause(UncheckedIOException failure) {
        IOException cause = Objects.requireNonNull(failure.getCause());
        if (cause instanceof FileSystemException refusal) {
            throw nothingWritten(refusal);
        }
        return cause;
    }

    private static UserException of(FileSystemException refusal, @Nullable String hint) {
        return new UserException(
                ErrorCode.OUTPUT_FAILED,
                "cannot write " + refusal.getFile() + ": " + Objects.requireNonNullElse(refusal.getReason(), "refused"),
                hint,
                refusal);
    }
}
