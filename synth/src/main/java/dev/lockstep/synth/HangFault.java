// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What keeps a made job from going on. */
public enum HangFault {
    /** Nothing: the job ends. */
    NONE,
    /** A rank stops between two calls. */
    ABSENT,
    /** A rank makes no call at all. */
    NEVER_STARTED,
    /** A rank ends one step before the others. */
    EARLY_EXIT,
    /** A rank dies and leaves no dump. */
    DEAD,
    /** Neighbouring ranks die and leave no dumps. */
    DEAD_NODE,
    /** A rank calls another collective. */
    OTHER_OPERATION,
    /** A rank gives a collective more elements. */
    OTHER_SIZE,
    /** A rank gives a collective elements of another type. */
    OTHER_TYPE,
    /** A rank leaves a collective out. */
    SKIPPED,
    /** A rank makes a collective twice. */
    EXTRA,
    /** A rank exchanges two collectives of one group. */
    SWAPPED,
    /** A rank exchanges collectives of two groups. */
    SWAPPED_GROUPS,
    /** A rank makes a collective in another group. */
    OTHER_GROUP,
    /** The device of a rank does not begin a collective: a kernel before it hangs. */
    STUCK_BEFORE,
    /** The device of a rank does not end a collective that the others end. */
    STUCK_INSIDE,
    /** A collective ends on no rank. */
    NETWORK,
    /** A rank leaves a send out. */
    MISSING_SEND,
    /** A rank leaves a receive out. */
    MISSING_RECEIVE,
    /** A rank sends more than is received. */
    MESSAGE_SIZE,
    /** Two ranks both receive first. */
    RECEIVE_CIRCLE;

    /** The word in options and in the truth. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** All words. */
    public static List<String> words() {
        return Arrays.stream(values()).map(HangFault::word).toList();
    }

    /** The fault of a word; an argument that is none is refused with those that there are. */
    public static HangFault of(String word) {
        return Arrays.stream(values())
                .filter(fault -> fault.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no kind of hang: " + word + "; known: " + String.join(", ", words())));
    }

    boolean isOfMessages() {
        return this == MISSING_SEND || this == MISSING_RECEIVE || this == MESSAGE_SIZE || this == RECEIVE_CIRCLE;
    }
}
