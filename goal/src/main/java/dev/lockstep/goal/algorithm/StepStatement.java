// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A statement of a {@link StatedAlgorithm}, with the line where it stands. */
sealed interface StepStatement {
    int line();

    /** What a statement does with data; the words of a line in their order. */
    enum Verb {
        SEND(false, true),
        COPY_SEND(false, true),
        RECEIVE(true, false),
        RECEIVE_COPY(true, false),
        RECEIVE_REDUCE(true, false),
        RECEIVE_REDUCE_COPY(true, false),
        RECEIVE_REDUCE_SEND(true, true),
        RECEIVE_REDUCE_COPY_SEND(true, true),
        RECEIVE_COPY_SEND(true, true),
        COPY(false, false);

        private final boolean receives;
        private final boolean sends;

        Verb(boolean receives, boolean sends) {
            this.receives = receives;
            this.sends = sends;
        }

        /** Whether data comes from another rank. */
        boolean receives() {
            return receives;
        }

        /** Whether data goes to another rank. */
        boolean sends() {
            return sends;
        }

        /** Whether what comes is added to what the rank has. */
        boolean reduces() {
            return this == RECEIVE_REDUCE
                    || this == RECEIVE_REDUCE_COPY
                    || this == RECEIVE_REDUCE_SEND
                    || this == RECEIVE_REDUCE_COPY_SEND;
        }

        /** Whether the rank has the result afterwards. */
        boolean keeps() {
            return receives && this != RECEIVE_REDUCE_SEND;
        }

        /** As it is written. */
        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * Data moves.
     *
     * @param part the first part
     * @param count how many parts from there on; null for one
     * @param from the rank that it comes from; null unless the verb receives
     * @param to the rank that it goes to; null unless the verb sends
     */
    record Move(
            int line,
            Verb verb,
            WholeFormula part,
            @Nullable WholeFormula count,
            @Nullable WholeFormula from,
            @Nullable WholeFormula to)
            implements StepStatement {}

    /** A name gets a value. */
    record Assignment(int line, int slot, WholeFormula value) implements StepStatement {}

    /** Statements are repeated while a number goes from one value to another, which it takes, too. */
    record Loop(int line, int slot, WholeFormula from, WholeFormula to, WholeFormula by, List<StepStatement> body)
            implements StepStatement {}

    /** Statements are carried out if something holds, else others. */
    record Choice(int line, WholeFormula condition, List<StepStatement> then, List<StepStatement> otherwise)
            implements StepStatement {}

    /** Statements that follow each other, or that run side by side. */
    record Block(int line, boolean sequence, List<StepStatement> body) implements StepStatement {}

    /** States the group of warps for what follows. */
    record Warps(int line, WholeFormula group) implements StepStatement {}
}
