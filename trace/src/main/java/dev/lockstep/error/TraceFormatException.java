// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An input that cannot be read. The message names the file, the position and what was expected there. */
public final class TraceFormatException extends IOException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final long position;
    private final @Nullable String hint;

    /**
     * @param source the file, as the user named it
     * @param position byte offset in the unpacked content, or -1 when the file as a whole is meant
     * @param problem what was expected and what was found
     */
    public TraceFormatException(ErrorCode code, String source, long position, String problem, @Nullable String hint) {
        super(position < 0 ? source + ": " + problem : source + ": byte " + position + ": " + problem);
        this.code = code;
        this.position = position;
        this.hint = hint;
    }

    public ErrorCode code() {
        return code;
    }

    /** Byte offset in the unpacked content, or -1. */
    public long position() {
        return position;
    }

    /** What the user can do, or null. */
    public @Nullable String hint() {
        return hint;
    }
}
