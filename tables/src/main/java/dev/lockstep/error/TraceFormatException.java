// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An input that cannot be read. The message names the file, the position and what was expected there. */
public final class TraceFormatException extends IOException {
    private static final long serialVersionUID = 1;

    /** What kind of failure it is. */
    private final ErrorCode code;
    /** Byte offset in the unpacked content, or -1. */
    private final long position;
    /** What the user can do, or null. */
    private final @Nullable String hint;

    /**
     * A failure to read a file.
     *
     * @param code what kind of failure it is
     * @param source the file, as the user named it
     * @param position byte offset in the unpacked content, or -1 when the file as a whole is meant
     * @param problem what was expected and what was found
     * @param hint what the user can do, or null when there is nothing to add
     */
    public TraceFormatException(ErrorCode code, String source, long position, String problem, @Nullable String hint) {
        super(position < 0 ? source + ": " + problem : source + ": byte " + position + ": " + problem);
        this.code = code;
        this.position = position;
        this.hint = hint;
    }

    /** {@return what kind of failure it is} */
    public ErrorCode code() {
        return code;
    }

    /** {@return byte offset in the unpacked content, or -1} */
    public long position() {
        return position;
    }

    /** {@return what the user can do, or null} */
    public @Nullable String hint() {
        return hint;
    }
}
