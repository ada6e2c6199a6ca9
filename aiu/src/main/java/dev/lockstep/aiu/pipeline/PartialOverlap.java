// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.Locale;

/** What becomes of an event that overlaps another one of its row without one lying within the other. */
public enum PartialOverlap {
    /** It is left out. */
    DROP,
    /** It moves to another row. */
    TID,
    /** It becomes an asynchronous event. */
    ASYNC,
    /** It stays, and is named. */
    WARN,
    /** It begins a little later, if that is enough. */
    SHIFT;

    /** As users write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
