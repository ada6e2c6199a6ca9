// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.Map;

/**
 * A label that is calculated: whole numbers, {@code + - * / %}, parentheses, and the names of {@link TagLabel.Facts}.
 * Immutable.
 */
public final class LabelExpression implements TagLabel {
    private static final int LONGEST = 500;
    private static final Map<String, TagLabel> NAMES = Map.of(
            "parallelism", Facts::parallelism,
            "communicator", Facts::communicator,
            "collective", Facts::collective,
            "sequence", Facts::sequence);
    private static final String HINT =
            "Write it with parallelism, communicator, collective, sequence, whole numbers, + - * / % and parentheses.";

    private final String text;
    private final TagLabel root;

    private LabelExpression(String text, TagLabel root) {
        this.text = text;
        this.root = root;
    }

    /**
     * Reads an expression.
     *
     * @throws UserException when it is none
     */
    public static LabelExpression parse(String text) {
        if (text.length() > LONGEST) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID, "the label is longer than " + LONGEST + " characters", HINT)
                    .about("label");
        }
        Parser parser = new Parser(text);
        TagLabel root = parser.sum();
        parser.end();
        return new LabelExpression(text, root);
    }

    @Override
    public long of(Facts facts) {
        long label = root.of(facts);
        if (label < 0) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "the label " + text + " is negative for communicator " + facts.communicator(),
                            "Labels are numbers from 0 on.")
                    .about("label");
        }
        return label;
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        TagLabel sum() {
            TagLabel left = product();
            while (true) {
                if (took('+')) {
                    left = join(left, product(), Math::addExact);
                } else if (took('-')) {
                    left = join(left, product(), Math::subtractExact);
                } else {
                    return left;
                }
            }
        }

        private TagLabel product() {
            TagLabel left = factor();
            while (true) {
                if (took('*')) {
                    left = join(left, factor(), Math::multiplyExact);
                } else if (took('/')) {
                    left = join(left, factor(), Math::floorDiv);
                } else if (took('%')) {
                    left = join(left, factor(), Math::floorMod);
                } else {
                    return left;
                }
            }
        }

        private TagLabel factor() {
            if (took('(')) {
                TagLabel inner = sum();
                if (!took(')')) {
                    throw wrong(")");
                }
                return inner;
            }
            int from = at;
            while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
                at++;
            }
            String word = text.substring(from, at);
            if (word.matches("\\d{1,18}")) {
                long value = Long.parseLong(word);
                return facts -> value;
            }
            TagLabel known = NAMES.get(word);
            if (known == null) {
                at = from;
                throw wrong("a number or one of "
                        + String.join(", ", NAMES.keySet().stream().sorted().toList()));
            }
            return known;
        }

        private interface Operator {
            long of(long left, long right);
        }

        private TagLabel join(TagLabel left, TagLabel right, Operator operator) {
            return facts -> {
                try {
                    return operator.of(left.of(facts), right.of(facts));
                } catch (ArithmeticException e) {
                    throw new UserException(
                                    ErrorCode.OPTION_INVALID,
                                    "the label " + text + " cannot be calculated for communicator "
                                            + facts.communicator() + ": " + e.getMessage(),
                                    HINT,
                                    e)
                            .about("label");
                }
            };
        }

        private boolean took(char wanted) {
            blanks();
            boolean there = at < text.length() && text.charAt(at) == wanted;
            at += there ? 1 : 0;
            blanks();
            return there;
        }

        private void blanks() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        void end() {
            blanks();
            if (at < text.length()) {
                throw wrong("an operator");
            }
        }

        private UserException wrong(String expected) {
            String found = at < text.length() ? "\"" + text.substring(at) + "\"" : "the end";
            return new UserException(
                            ErrorCode.OPTION_INVALID,
                            "the label " + text + ": expected " + expected + " at character " + (at + 1) + ", found "
                                    + found,
                            HINT)
                    .about("label");
        }
    }
}
