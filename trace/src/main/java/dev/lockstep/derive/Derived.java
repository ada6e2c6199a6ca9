// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Trace;

/**
 * Something computed from a trace alone. Implementations are records: two that are equal give the same result, so that a
 * {@link DerivedCache} computes it once.
 */
public interface Derived<T> {
    /** Computes the result; a pure function. Other derived structures come from the cache. */
    T derive(Trace trace, DerivedCache cache);
}
