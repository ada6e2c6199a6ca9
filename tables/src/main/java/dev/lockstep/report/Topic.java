// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a statement rests on, and what a reason not to believe a trace therefore withholds. */
public enum Topic {
    /** All times: nothing is said of any. */
    TIMES,
    /** The part of a duration that lies behind the next start of an in-order stream. It is cut off everywhere. */
    EXCESS,
    /** Events whose times cannot be true. They are left out everywhere. */
    EVENTS,
    /** Waiting outside of the time in which all members of a collective were recorded. It is unknown everywhere. */
    OUTSIDE,
    /** Which kernels of several ranks are one collective, where the trace contradicts itself. They are not compared anywhere. */
    MATCHING,
    /** Times across ranks whose clocks nothing ties. They are unknown everywhere. */
    ACROSS,
    /** Time in which a device does nothing, and shares of a span. */
    IDLE,
    /** How long launches take to begin. */
    LAUNCHES,
    /** What the host did that kept a device waiting. */
    HOST,
    /** Which operator launched what. */
    OPERATORS,
    /** How long kernels take. */
    KERNELS,
    /** How long steps take, and what they consist of. */
    STEPS,
    /** What a change gains. */
    ACTIONS,
    /** Which rank waited for which in collectives and messages. */
    WAITING,
    /** Which rank is slow or late. */
    LATENESS,
    /** That something was not recorded. */
    ABSENCE;

    /** {@return whether statements rest on it: nothing ever rests on the others, whose damaged part is left out everywhere} */
    boolean isRestedOn() {
        return switch (this) {
            case EXCESS, EVENTS, OUTSIDE, MATCHING, ACROSS -> false;
            default -> true;
        };
    }

    /**
     * {@return the topic of a word in files, null for none}
     *
     * @param word as in {@link #word}
     */
    public static @Nullable Topic of(String word) {
        for (Topic topic : values()) {
            if (topic.word().equals(word)) {
                return topic;
            }
        }
        return null;
    }

    /** {@return the word in files, in lower case} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
