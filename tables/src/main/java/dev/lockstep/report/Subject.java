// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;

/** What a finding is about, for programs: they should not have to read it out of a sentence. */
public sealed interface Subject {
    /** {@return the word by which kinds of subjects are told apart} */
    String kind();

    /**
     * A rank of the run.
     *
     * @param rank its number
     */
    record OfRank(int rank) implements Subject {
        @Override
        public String kind() {
            return "rank";
        }
    }

    /**
     * Several ranks of the run together.
     *
     * @param ranks their numbers
     */
    record OfRanks(List<Integer> ranks) implements Subject {
        /** Copies the list. */
        public OfRanks {
            ranks = List.copyOf(ranks);
        }

        @Override
        public String kind() {
            return "ranks";
        }
    }

    /**
     * Anything that has a name.
     *
     * @param kind what it is: {@code operator}, {@code class}, {@code kernel} and so on
     * @param name its name
     */
    record Named(String kind, String name) implements Subject {}
}
