// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

/** Gives messages their tags, in the order of the schedule of one rank. Confined to one thread. */
public interface MessageTags {
    /** The tag of the next message to a rank. */
    long send(int to);

    /** The tag of the next message from a rank. */
    long recv(int from);
}
