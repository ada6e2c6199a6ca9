// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

/** What the exit statuses mean; the contract that scripts rely on. */
public final class ExitStatus {
    /** All that was asked for is done. */
    public static final int COMPLETE = 0;

    /** A gate that was asked for failed: a regression, a failed verification. */
    public static final int GATE_FAILED = 1;

    /** Arguments are wrong. */
    public static final int USAGE = 2;

    /** An input cannot be read. */
    public static final int UNREADABLE = 3;

    /** Some ranks, configurations, stages or a part of an input are missing. */
    public static final int PARTIAL = 4;

    /** There is nothing to process. */
    public static final int NOTHING = 5;

    /** The program is at fault. */
    public static final int BUG = 70;

    /** The user ended the program, by Ctrl-C or a signal. */
    public static final int INTERRUPTED = 130;

    private ExitStatus() {}
}
