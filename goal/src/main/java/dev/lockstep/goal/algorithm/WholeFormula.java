// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import java.io.Serial;
import java.util.Map;
import java.util.Set;

/**
 * A formula of whole numbers: {@code + - * / %}, comparisons and {@code and or not} (1 for true), parentheses, names,
 * {@code min max xor log2 pow2} and functions of the vocabulary. Division rounds down, remainders are never negative, and
 * what does not fit into 64 bits is an error. Nothing else can be said: there is no text, no loop, no call of anything.
 */
@FunctionalInterface
public interface WholeFormula {
    /** Characters that a formula may have. */
    int LONGEST = 500;

    /**
     * The value.
     *
     * @throws ArithmeticException when there is none; the message says why
     */
    long of(Values values);

    /** How many numbers, names and operations it has at most; at least 1. */
    default int cost() {
        return 1;
    }

    /** What names stand for. */
    interface Values {
        /** The value in a slot. */
        long get(int slot);

        /**
         * The value of a function that the vocabulary has.
         *
         * @param function its number
         * @param second 0 for functions of one argument
         */
        default long call(int function, long first, long second) {
            throw new ArithmeticException("no function");
        }
    }

    /**
     * What may be named.
     *
     * @param slots for each name its slot
     * @param functions for each function its number
     * @param pairs the functions that take two arguments; all others take one
     */
    record Vocabulary(Map<String, Integer> slots, Map<String, Integer> functions, Set<String> pairs) {
        /** Names alone. */
        static Vocabulary of(Map<String, Integer> slots) {
            return new Vocabulary(slots, Map.of(), Set.of());
        }
    }

    /** A text that is no formula. */
    final class Malformed extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        /** Where it is wrong, in characters from 0. */
        private final int at;

        Malformed(int at, String message) {
            super(message);
            this.at = at;
        }

        /** Where it is wrong, in characters from 0. */
        public int at() {
            return at;
        }
    }

    /**
     * Reads a formula.
     *
     * @param names what it may name, each with its slot
     * @throws Malformed when the text is no formula
     */
    static WholeFormula parse(String text, Map<String, Integer> names) throws Malformed {
        return parse(text, Vocabulary.of(names));
    }

    /** See {@link #parse(String, Map)}. */
    static WholeFormula parse(String text, Vocabulary vocabulary) throws Malformed {
        if (text.length() > LONGEST) {
            throw new Malformed(LONGEST, "a formula of at most " + LONGEST + " characters");
        }
        WholeFormulaParser parser = new WholeFormulaParser(text, vocabulary);
        WholeFormula formula = parser.either();
        parser.end();
        return new Whole(formula, Math.max(1, text.length()));
    }

    /** A formula and what it costs, which is no more than a character each. */
    record Whole(WholeFormula formula, int cost) implements WholeFormula {
        @Override
        public long of(Values values) {
            return formula.of(values);
        }
    }
}
