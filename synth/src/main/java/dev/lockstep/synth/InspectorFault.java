// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is wrong with the links of a made job. */
public enum InspectorFault {
    /** Nothing. */
    NONE,
    /** Two ranks send to each other at less bandwidth. */
    SLOW_LINK,
    /** A rank transfers at less bandwidth to other nodes. */
    SLOW_NIC,
    /** The same, from the middle of the run on. */
    SLOW_NIC_LATER,
    /** All ranks of a node transfer at less bandwidth to other nodes. */
    SLOW_NODE,
    /** One link in the ring of a communicator, which slows down all of it. */
    SLOW_GROUP,
    /** The network of all, for a quarter of the run. */
    SLOW_NETWORK,
    /** A rank calls its collectives later than the others. */
    LATE_RANK;

    /** The word in options and in the truth. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The fault of a word; an argument that is none is refused with those that there are. */
    public static InspectorFault of(String word) {
        return Arrays.stream(values())
                .filter(fault -> fault.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of slow link: " + word + "; known: "
                        + Arrays.stream(values()).map(InspectorFault::word).collect(Collectors.joining(", "))));
    }
}
