// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

/** Where operators and calls stand that are added to a trace. */
public enum Additions {
    /** Among those that were recorded, whose own time they take: on the tracks of the launches that they explain. */
    WITHIN,
    /** As a second view: sums of recorded operators stay as they are, captured calls keep tracks of their own. */
    BESIDE
}
