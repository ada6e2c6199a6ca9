// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.Change;
import java.util.List;

/**
 * A run among the others, the fastest first.
 *
 * @param run its place as given; 0 is the baseline
 * @param label what it is called
 * @param ranks ranks with a timeline
 * @param totalMs average of the total time over these ranks
 * @param change of the total time, over the ranks that the baseline has too; nothing has changed for the baseline itself
 * @param parts what the total is made of, largest difference first
 */
public record Place(int run, String label, int ranks, double totalMs, Change change, List<Part> parts) {
    /**
     * A part of the total time.
     *
     * @param type the part
     * @param differenceMs own minus baseline, over the ranks that both have
     */
    public record Part(String type, double differenceMs) {}

    public Place {
        parts = List.copyOf(parts);
    }
}
