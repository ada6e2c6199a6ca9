// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.engine;

import org.jspecify.annotations.Nullable;

/**
 * Which traces are meant where there are several of a rank.
 *
 * @param step the step in their paths, -1 for any
 * @param traceName their name, a part of it, or a pattern; null for any
 * @param latest whether the latest of each rank is meant
 */
public record RankSelection(long step, @Nullable String traceName, boolean latest) {
    /** Every rank has one trace. */
    public static RankSelection any() {
        return new RankSelection(-1, null, false);
    }
}
