// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many operations a schedule may have for what was recorded: calculations, sends and receives of all ranks together. A few
 * wrong bytes of a recording can ask for more than any disk holds; they are counted before anything is written. Ranks draw on it
 * side by side.
 */
public final class OperationBudget {
    /** With what it waits for, an operation takes some 70 bytes. */
    private static final long OPERATIONS_PER_GIGABYTE = 15_000_000;

    private final String source;
    private final long most;
    private final AtomicLong left;

    /**
     * @param source the recordings, as messages call them
     */
    public OperationBudget(String source, long most) {
        this.source = source;
        this.most = most;
        this.left = new AtomicLong(most);
    }

    /** How many there were at first. */
    long most() {
        return most;
    }

    /**
     * Takes operations from what is left.
     *
     * @throws UserException when there are not as many
     */
    void spend(long operations) {
        if (left.addAndGet(-operations) < 0) {
            throw exceeded();
        }
    }

    /** That there would be more operations than may be. */
    UserException exceeded() {
        return new UserException(
                        ErrorCode.TOO_LARGE,
                        source + ": the schedule would have more than " + most + " operations, which take some "
                                + Math.max(1, most / OPERATIONS_PER_GIGABYTE) + " GB",
                        "Damaged or missing sizes may be the cause. Else take a shorter part of the run, or "
                                + "allow more.")
                .about("operations of a schedule");
    }
}
