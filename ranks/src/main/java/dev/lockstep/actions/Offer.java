// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.path.Changes;
import dev.lockstep.report.Evidence;

/**
 * An action as one recording calls for it.
 *
 * @param text what to do, in the imperative, for people: "Load data in worker processes"
 * @param snippet code or an option that does it; empty where the framework is not known
 * @param assumption what the gain rests on, a sentence
 * @param evidence where it shows
 * @param likely what is expected to become true of the recording
 * @param least the least that becomes true
 * @param most the most
 */
record Offer(
        String text,
        String snippet,
        String assumption,
        Evidence evidence,
        Changes likely,
        Changes least,
        Changes most) {
    /** An offer whose outcome is known. */
    Offer(String text, String snippet, String assumption, Evidence evidence, Changes changes) {
        this(text, snippet, assumption, evidence, changes, changes, changes);
    }
}
