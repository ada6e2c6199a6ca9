// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

/** What a node does. */
enum NodeType {
    COMPUTE(4),
    SEND(5),
    RECEIVE(6),
    COLLECTIVE(7);

    private final int number;

    NodeType(int number) {
        this.number = number;
    }

    /** As the format numbers it. */
    int number() {
        return number;
    }
}
