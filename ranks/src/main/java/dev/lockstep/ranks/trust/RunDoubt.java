// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks.trust;

import dev.lockstep.report.Trust.Reason;
import org.jspecify.annotations.Nullable;

/** Looks for one reason not to believe what a run says across its ranks. */
interface RunDoubt {
    /** The reason; null where the run gives none. */
    @Nullable
    Reason of(RunFacts run);
}
