// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.algorithm.WholeFormula.Malformed;
import dev.lockstep.goal.algorithm.WholeFormula.Vocabulary;
import java.util.Objects;
import java.util.Set;

/** Descends from what binds least to what binds most. */
final class WholeFormulaParser {
    private static final Set<String> OWN = Set.of("min", "max", "xor", "log2", "pow2");
    private static final Set<String> PAIRS = Set.of("min", "max", "xor");
    private static final int DEEPEST = 40;

    private final String text;
    private final Vocabulary vocabulary;
    private int at;
    private int depth;

    WholeFormulaParser(String text, Vocabulary vocabulary) {
        this.text = text;
        this.vocabulary = vocabulary;
    }

    private interface Operator {
        long of(long left, long right);
    }

    private static WholeFormula join(WholeFormula left, WholeFormula right, Operator operator) {
        return values -> operator.of(left.of(values), right.of(values));
    }

    WholeFormula either() throws Malformed {
        WholeFormula left = both();
        while (word("or")) {
            WholeFormula first = left;
            WholeFormula second = both();
            left = values -> first.of(values) != 0 || second.of(values) != 0 ? 1 : 0;
        }
        return left;
    }

    private WholeFormula both() throws Malformed {
        WholeFormula left = negation();
        while (word("and")) {
            WholeFormula first = left;
            WholeFormula second = negation();
            left = values -> first.of(values) != 0 && second.of(values) != 0 ? 1 : 0;
        }
        return left;
    }

    private WholeFormula negation() throws Malformed {
        deeper();
        WholeFormula formula;
        if (word("not")) {
            WholeFormula inner = negation();
            formula = values -> inner.of(values) == 0 ? 1 : 0;
        } else {
            formula = comparison();
        }
        depth--;
        return formula;
    }

    private WholeFormula comparison() throws Malformed {
        WholeFormula left = sum();
        if (took("==")) {
            return join(left, sum(), (a, b) -> a == b ? 1 : 0);
        } else if (took("!=")) {
            return join(left, sum(), (a, b) -> a != b ? 1 : 0);
        } else if (took("<=")) {
            return join(left, sum(), (a, b) -> a <= b ? 1 : 0);
        } else if (took(">=")) {
            return join(left, sum(), (a, b) -> a >= b ? 1 : 0);
        } else if (took("<")) {
            return join(left, sum(), (a, b) -> a < b ? 1 : 0);
        } else if (took(">")) {
            return join(left, sum(), (a, b) -> a > b ? 1 : 0);
        }
        return left;
    }

    private WholeFormula sum() throws Malformed {
        WholeFormula left = product();
        while (true) {
            if (took("+")) {
                left = join(left, product(), Math::addExact);
            } else if (took("-")) {
                left = join(left, product(), Math::subtractExact);
            } else {
                return left;
            }
        }
    }

    private WholeFormula product() throws Malformed {
        WholeFormula left = factor();
        while (true) {
            if (took("*")) {
                left = join(left, factor(), Math::multiplyExact);
            } else if (took("/")) {
                left = join(left, factor(), Math::floorDiv);
            } else if (took("%")) {
                left = join(left, factor(), Math::floorMod);
            } else {
                return left;
            }
        }
    }

    private WholeFormula factor() throws Malformed {
        deeper();
        WholeFormula formula = atom();
        depth--;
        return formula;
    }

    private WholeFormula atom() throws Malformed {
        if (took("-")) {
            WholeFormula inner = factor();
            return values -> Math.negateExact(inner.of(values));
        }
        if (took("(")) {
            WholeFormula inner = either();
            demand(")");
            return inner;
        }
        int from = at;
        String word = next();
        if (word.matches("\\d{1,18}")) {
            long value = Long.parseLong(word);
            at += word.length();
            return values -> value;
        }
        Integer slot = vocabulary.slots().get(word);
        if (slot != null) {
            at += word.length();
            int place = slot;
            return values -> values.get(place);
        }
        if (OWN.contains(word) || vocabulary.functions().containsKey(word)) {
            at += word.length();
            return function(word);
        }
        throw wrong(
                from,
                "a number or one of "
                        + String.join(
                                ", ",
                                vocabulary.slots().keySet().stream().sorted().toList()));
    }

    private WholeFormula function(String name) throws Malformed {
        demand("(");
        WholeFormula first = either();
        boolean two = PAIRS.contains(name) || vocabulary.pairs().contains(name);
        WholeFormula second = values -> 0;
        if (two) {
            demand(",");
            second = either();
        }
        demand(")");
        return switch (name) {
            case "min" -> join(first, second, Math::min);
            case "max" -> join(first, second, Math::max);
            case "xor" -> join(first, second, (a, b) -> a ^ b);
            case "log2" -> values -> logarithm(first.of(values));
            case "pow2" -> values -> power(first.of(values));
            default -> {
                int number = Objects.requireNonNull(vocabulary.functions().get(name));
                WholeFormula other = second;
                yield values -> values.call(number, first.of(values), other.of(values));
            }
        };
    }

    private static long logarithm(long value) {
        if (value < 1) {
            throw new ArithmeticException("log2 of " + value);
        }
        return 63L - Long.numberOfLeadingZeros(value);
    }

    private static long power(long exponent) {
        if (exponent < 0 || exponent > 62) {
            throw new ArithmeticException("pow2 of " + exponent);
        }
        return 1L << exponent;
    }

    private void deeper() throws Malformed {
        depth++;
        if (depth > DEEPEST) {
            throw new Malformed(at, "at most " + DEEPEST + " parentheses in each other");
        }
    }

    private void demand(String wanted) throws Malformed {
        if (!took(wanted)) {
            throw wrong(at, wanted);
        }
    }

    private boolean took(String wanted) {
        blanks();
        boolean there = text.startsWith(wanted, at);
        at += there ? wanted.length() : 0;
        blanks();
        return there;
    }

    private boolean word(String wanted) {
        blanks();
        boolean there = next().equals(wanted);
        at += there ? wanted.length() : 0;
        blanks();
        return there;
    }

    /** The letters, digits and underscores that begin here. */
    private String next() {
        int to = at;
        while (to < text.length() && (Character.isLetterOrDigit(text.charAt(to)) || text.charAt(to) == '_')) {
            to++;
        }
        return text.substring(at, to);
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    void end() throws Malformed {
        blanks();
        if (at < text.length()) {
            throw wrong(at, "an operator");
        }
    }

    private Malformed wrong(int where, String expected) {
        String found = where < text.length() ? "\"" + text.substring(where) + "\"" : "the end";
        return new Malformed(where, expected + " at character " + (where + 1) + ", found " + found);
    }
}
