// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.runs.Configuration;

/**
 * The trace of a rank while it is in memory. Confined to one thread.
 *
 * @param configuration whose it is
 * @param derived the trace, and what was derived from it already
 */
public record RankTrace(Configuration configuration, DerivedCache derived) {
    /** The trace itself. */
    public Trace trace() {
        return derived.trace();
    }

    /** The rank's number. */
    public int rank() {
        return trace().info().rank().index();
    }
}
