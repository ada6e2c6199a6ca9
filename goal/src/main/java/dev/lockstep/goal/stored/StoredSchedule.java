// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import java.util.List;

/**
 * A schedule as it was read.
 *
 * @param ranks the operations of each rank, in order of rank
 * @param flaws what is wrong with single lines or records; nothing that needs several of them to be seen
 */
public record StoredSchedule(List<Operations> ranks, Flaws flaws) {
    public StoredSchedule {
        ranks = List.copyOf(ranks);
    }

    /** How many operations all ranks have. */
    public long operations() {
        return ranks.stream().mapToLong(Operations::size).sum();
    }

    /** How many dependencies all ranks have. */
    public long dependencies() {
        return ranks.stream()
                .mapToLong(r -> (long) r.afterEnd().size() + r.afterStart().size())
                .sum();
    }
}
