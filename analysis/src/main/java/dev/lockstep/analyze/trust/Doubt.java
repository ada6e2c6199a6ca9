// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Trust.Reason;
import org.jspecify.annotations.Nullable;

/** Looks for one reason not to believe a trace. */
interface Doubt {
    /** The reason; null where the trace gives none. */
    @Nullable
    Reason of(DerivedCache cache);
}
