// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.account;

import dev.lockstep.kernels.Forwards;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parts that were measured alone.
 *
 * @param source where they come from
 * @param parts in the order of the source
 * @param steps steps of the recording, 0 when unknown
 */
public record Isolated(String source, List<Part> parts, int steps) {
    public Isolated {
        parts = List.copyOf(parts);
    }

    /**
     * How many times the whole is in the recording: as given, by steps, else by counts of calls.
     *
     * @param given 0 to find out
     * @return null when that cannot be told
     */
    public @Nullable Forwards forwards(int given) {
        if (given > 0) {
            return new Forwards(given, Forwards.Source.GIVEN, Double.NaN);
        }
        if (steps > 0) {
            return new Forwards(steps, Forwards.Source.ANNOTATION, Double.NaN);
        }
        Map<String, Long> calls = new HashMap<>();
        parts.forEach(part -> calls.merge(part.name(), part.calls(), Long::sum));
        return Forwards.fromCounts(calls).orElse(null);
    }
}
