// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a run reads and writes what its options name otherwise, or not at all.
 *
 * @param inputs files by the names that stand for them among the inputs, such as {@code -}
 * @param copy takes a copy of the trace, also where the options say that none is written; null for no copy
 */
public record AiuPlaces(Map<String, Path> inputs, @Nullable Path copy) {
    public AiuPlaces {
        inputs = Map.copyOf(inputs);
    }
}
