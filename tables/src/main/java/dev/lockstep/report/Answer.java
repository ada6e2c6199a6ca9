// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;

/**
 * What a report says first: what bounds the trace, and what to do about it.
 *
 * @param verdict what bounds it
 * @param actions what to change, the largest gain first; at most one of an id
 * @param togetherNs what all actions gain at once, in ns; -1 where that is not known
 * @param steps how many steps were recorded; 0 where none are known
 */
public record Answer(Verdict verdict, List<Action> actions, long togetherNs, int steps) {
    /**
     * What bounds a trace.
     *
     * @param boundBy stable word with hyphens: {@code input-bound}, {@code compute-bound}
     * @param share the part of the time for which that is so, 0 to 1
     * @param text a sentence or two for people, with their numbers
     * @param ofNs the time that is a whole, in ns
     */
    public record Verdict(String boundBy, double share, String text, long ofNs) {}

    /**
     * One change, and what it gains alone by a replay of the dependency graph. Gains of several do not add up.
     *
     * @param id stable word in lower case
     * @param gainNs what is expected, in ns
     * @param lowNs the least, in ns; may be negative
     * @param highNs the most, in ns
     * @param ofNs the time that it is a part of, in ns
     * @param text what to do, in the imperative
     * @param snippet code or an option that does it; may be empty
     * @param check the command that compares before with after
     * @param assumption what the gain rests on, a sentence
     * @param evidence where it shows
     */
    public record Action(
            String id,
            long gainNs,
            long lowNs,
            long highNs,
            long ofNs,
            String text,
            String snippet,
            String check,
            String assumption,
            List<Evidence> evidence) {
        /** Copies the evidence. */
        public Action {
            evidence = List.copyOf(evidence);
        }
    }

    /** Copies the actions. */
    public Answer {
        actions = List.copyOf(actions);
    }
}
