// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.DerivedCache;
import java.util.List;

/**
 * A change of the program that may gain something, as changes of what was recorded.
 *
 * @param id stable word by which it is known: {@code fused_attention}
 * @param likely what is expected to become true
 * @param least the least that becomes true
 * @param most the most
 */
public record Proposal(String id, Changes likely, Changes least, Changes most) {
    /** A change whose outcome is known. */
    public Proposal(String id, Changes changes) {
        this(id, changes, changes, changes);
    }

    /** Knows what could be changed. */
    public interface Proposer {
        /** Knows of nothing. */
        Proposer NONE = trace -> List.of();

        /** What could be changed in a recording; at most one of an id. */
        List<Proposal> of(DerivedCache trace);
    }
}
