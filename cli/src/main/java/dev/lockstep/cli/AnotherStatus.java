// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

/** A failure that ends the program with the status that another tool, which a command stands in for, would end with. */
public final class AnotherStatus extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final Exception failure;

    /**
     * A failure with a status of its own.
     *
     * @param failure what went wrong; it is reported as ever
     */
    public AnotherStatus(int status, Exception failure) {
        super(failure);
        this.status = status;
        this.failure = failure;
    }

    int status() {
        return status;
    }

    Exception failure() {
        return failure;
    }
}
