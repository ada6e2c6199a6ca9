// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import org.jspecify.annotations.Nullable;

/** A request that cannot be met as asked. The user can act on it; the hint says how. */
public final class UserException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What kind of failure it is. */
    private final ErrorCode code;
    /** What the user can do, or null. */
    private final @Nullable String hint;

    /** The setting that is wrong; null when it is about none. */
    private @Nullable String setting;
    /** What it was set to; null when it is about no setting. */
    private @Nullable String value;

    /**
     * A request that cannot be met.
     *
     * @param code what kind of failure it is
     * @param message what is wrong, naming the file or option
     * @param hint what to do about it, or null when there is nothing to add
     */
    public UserException(ErrorCode code, String message, @Nullable String hint) {
        super(message);
        this.code = code;
        this.hint = hint;
    }

    /**
     * A request that cannot be met because of another failure.
     *
     * @param code what kind of failure it is
     * @param message what is wrong, naming the file or option
     * @param hint what to do about it, or null when there is nothing to add
     * @param cause the failure that lies beneath
     */
    public UserException(ErrorCode code, String message, @Nullable String hint, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.hint = hint;
    }

    /**
     * States which setting it is about: who runs the program by its command line is told the option.
     *
     * @param name the setting in words, as in {@code tag width}
     * @return this
     */
    public UserException about(String name) {
        setting = name;
        return this;
    }

    /**
     * As {@link #about(String)}, with a value that would do.
     *
     * @param name the setting in words
     * @param wanted the value, as it is spelt in an option
     * @return this
     */
    public UserException about(String name, String wanted) {
        value = wanted;
        return about(name);
    }

    /** {@return the setting that it is about, in words, or null} */
    public @Nullable String setting() {
        return setting;
    }

    /** {@return a value of the setting that would do, or null} */
    public @Nullable String value() {
        return value;
    }

    /** {@return what kind of failure it is} */
    public ErrorCode code() {
        return code;
    }

    /** {@return what the user can do, or null} */
    public @Nullable String hint() {
        return hint;
    }
}
