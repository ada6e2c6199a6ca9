// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One thing worth knowing, in words a person can act on.
 *
 * @param severity how much it matters
 * @param code stable word in lower case by which findings are told apart
 * @param text one sentence with its numbers
 * @param basis where the numbers come from: sheet and column, or the definition
 * @param evidence the rows and places it rests on, the first of each kind first
 * @param subject what it is about; null where that is the whole trace or run
 * @param gain what removing the cause gains; null where no gain is claimed
 */
public record Finding(
        Severity severity,
        String code,
        String text,
        String basis,
        List<Evidence> evidence,
        @Nullable Subject subject,
        @Nullable Gain gain) {
    /** How much a finding matters. */
    public enum Severity {
        /** Costs time that could be won back. */
        PROBLEM,
        /** Worth a look. */
        NOTICE,
        /** Context for reading the numbers. */
        INFO
    }

    /**
     * What removing a cause gains, by a replay of the dependency graph.
     *
     * @param ns by how much the trace or run gets shorter, in ns; negative where it gets longer
     * @param ofNs the length of the trace or run, in ns
     * @param confidence share of the replay that rests on recorded dependencies, 0 to 1; NaN where it is not known
     */
    public record Gain(long ns, long ofNs, double confidence) {}

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
        this(severity, code, text, basis, List.of(), null, null);
    }

    /**
     * {@return this finding with more that it rests on}
     *
     * @param more rows or places; what names nothing is left out
     */
    public Finding on(Evidence... more) {
        List<Evidence> all = new ArrayList<>(evidence);
        Stream.of(more).filter(one -> !one.isEmpty()).forEach(all::add);
        return new Finding(severity, code, text, basis, all, subject, gain);
    }

    /**
     * {@return this finding about a subject}
     *
     * @param of what it is about
     */
    public Finding about(Subject of) {
        return new Finding(severity, code, text, basis, evidence, of, gain);
    }

    /**
     * {@return this finding with what removing its cause gains}
     *
     * @param ns by how much the trace or run gets shorter, in ns
     * @param ofNs the length of the trace or run, in ns
     * @param confidence share of the replay that rests on recorded dependencies, 0 to 1; NaN where it is not known
     */
    public Finding gaining(long ns, long ofNs, double confidence) {
        return new Finding(severity, code, text, basis, evidence, subject, new Gain(ns, ofNs, confidence));
    }
}
