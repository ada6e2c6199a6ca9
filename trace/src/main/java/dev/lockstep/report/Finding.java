// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

/**
 * One thing worth knowing, in words a person can act on.
 *
 * @param severity how much it matters
 * @param code stable word in lower case by which findings are told apart
 * @param text one sentence with its numbers
 * @param basis where the numbers come from: sheet and column, or the definition
 */
public record Finding(Severity severity, String code, String text, String basis) {
    /** How much a finding matters. */
    public enum Severity {
        /** Costs time that could be won back. */
        PROBLEM,
        /** Worth a look. */
        NOTICE,
        /** Context for reading the numbers. */
        INFO
    }
}
