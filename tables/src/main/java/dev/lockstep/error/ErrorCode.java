// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

/**
 * Why a request could not be met, and the exit status that says so. Each code has a paragraph in
 * {@code docs/reference/errors.md}.
 */
public enum ErrorCode {
    /** A named input does not exist or may not be read. */
    INPUT_NOT_FOUND(3),
    /** The content of an input is of no format that is known here. */
    FORMAT_UNKNOWN(3),
    /** The content is of a known format, but damaged beyond use. */
    FORMAT_CORRUPT(3),
    /** What must be kept of the content takes more memory than there is. */
    TOO_LARGE(3),
    /** A sound input has nothing to work on. */
    NOTHING_TO_DO(5),
    /** The input lacks data that the request needs. */
    DATA_MISSING(5),
    /** An option or argument is wrong, alone or together with others. */
    OPTION_INVALID(2),
    /** Several traces claim one rank, and nothing says which is meant. */
    RANK_AMBIGUOUS(2),
    /** The ranks of one run contradict each other. */
    RANKS_INCONSISTENT(4),
    /** A part of the input is certainly missing. */
    INPUT_PARTIAL(4),
    /** An optional part of the program is not installed. */
    MODULE_MISSING(2),
    /** A program that was started on behalf of the user failed. */
    TOOL_FAILED(1),
    /** An output cannot be written. */
    OUTPUT_FAILED(2);

    private final int exitStatus;

    ErrorCode(int exitStatus) {
        this.exitStatus = exitStatus;
    }

    /**
     * The status with which a command ends for this reason.
     *
     * @return between 1 and 255; 0 is success and never a reason
     */
    public int exitStatus() {
        return exitStatus;
    }
}
