// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import org.jspecify.annotations.Nullable;

/** A request that cannot be met as asked. The user can act on it; the hint says how. */
public final class UserException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final @Nullable String hint;

    /**
     * @param message what is wrong, naming the file or option
     * @param hint what to do about it, or null when there is nothing to add
     */
    public UserException(ErrorCode code, String message, @Nullable String hint) {
        super(message);
        this.code = code;
        this.hint = hint;
    }

    /** As above, with the failure that lies beneath. */
    public UserException(ErrorCode code, String message, @Nullable String hint, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.hint = hint;
    }

    public ErrorCode code() {
        return code;
    }

    /** What the user can do, or null. */
    public @Nullable String hint() {
        return hint;
    }
}
