// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import org.jspecify.annotations.Nullable;

/** One thing that can be changed in a program. To add one, write its class and a line in {@link Actions}. */
interface Action {
    /** A stable word by which it is known. */
    String id();

    /** What to change in this recording; null where nothing calls for it, or something refutes it. */
    @Nullable
    Offer in(ActionTrace trace);
}
