// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One thing worth knowing, in words a person can act on.
 *
 * @param severity how much it matters
 * @param code stable word in lower case by which findings are told apart
 * @param text one sentence with its numbers
 * @param basis where the numbers come from: sheet and column, or the definition
 * @param evidence the rows and places it rests on, the first of each kind first
 */
public record Finding(Severity severity, String code, String text, String basis, List<Evidence> evidence) {
    /** How much a finding matters. */
    public enum Severity {
        /** Costs time that could be won back. */
        PROBLEM,
        /** Worth a look. */
        NOTICE,
        /** Context for reading the numbers. */
        INFO
    }

    /** Copies the evidence. */
    public Finding {
        evidence = List.copyOf(evidence);
    }

    /**
     * A finding that says in words alone what it rests on.
     *
     * @param severity how much it matters
     * @param code stable word in lower case by which findings are told apart
     * @param text one sentence with its numbers
     * @param basis where the numbers come from: sheet and column, or the definition
     */
    public Finding(Severity severity, String code, String text, String basis) {
        this(severity, code, text, basis, List.of());
    }

    /**
     * {@return this finding with more that it rests on}
     *
     * @param more rows or places; what names nothing is left out
     */
    public Finding on(Evidence... more) {
        List<Evidence> all = new ArrayList<>(evidence);
        Stream.of(more).filter(one -> !one.isEmpty()).forEach(all::add);
        return new Finding(severity, code, text, basis, all);
    }
}
