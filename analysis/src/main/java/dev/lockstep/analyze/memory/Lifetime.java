// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import java.util.Locale;

/** For how long a block lives, and what it is for as far as that tells. */
public enum Lifetime {
    /** Allocated before the recording. */
    BASELINE,
    /** Never freed, over two steps at least; where nothing marks steps, whatever is never freed. */
    PERSISTENT,
    /** Allocated in the forward pass, freed in the backward pass. */
    ACTIVATION,
    /** Allocated in the backward pass, freed by the optimizer or when gradients are set to zero. */
    GRADIENT,
    /** Taken back in the operator that asked for it. */
    WORKSPACE,
    /** Anything else that lives for a while. */
    STEP,
    /** What recorded totals hold and no block explains. */
    UNEXPLAINED,
    /** Not known: the recording does not tell blocks apart. */
    UNKNOWN;

    /** What a sheet calls it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
