// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

/** How a run ended, as the summary spells it. */
public enum RunStatus {
    /** The trainer ended with 0. */
    SUCCESS,
    /** The trainer ended otherwise, could not be started, or took too long. */
    FAILED,
    /** Its folder was there and was to be left alone. */
    SKIPPED,
    /** The user ended the launch while it ran. */
    STOPPED,
    /** It was not started. */
    UNKNOWN
}
