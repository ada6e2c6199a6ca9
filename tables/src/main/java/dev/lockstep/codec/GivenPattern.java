// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression that a user gave, for texts that others wrote. Whatever both say, asking ends: where a text has to be
 * looked at too often, or where the stack does not suffice, with a message that names both.
 */
public final class GivenPattern {
    /** Looks at single characters: some seconds, and sixteen times what {@code .*x} takes for a name of 8,192. */
    private static final int MOST_LOOKS = 1 << 30;

    private static final int MOST_SHOWN = 60;

    /** Behind a group, a text is not prepared to be searched for, which takes time by the square of its length. */
    private static final String BEFORE = "(?:)";

    private final String regex;
    private final String where;
    private final Pattern pattern;
    private final int mostLooks;

    /**
     * @param mostLooks how often a text may be looked at
     */
    GivenPattern(String regex, String where, int mostLooks) {
        boolean repeats = !regex.isEmpty() && "*+?{".indexOf(regex.charAt(0)) >= 0;
        this.regex = regex;
        this.where = where;
        this.pattern = Pattern.compile(repeats ? regex : BEFORE + regex);
        this.mostLooks = mostLooks;
    }

    /**
     * Understands a regular expression.
     *
     * @param where it stands, for messages
     * @throws PatternSyntaxException when it is none
     */
    public static GivenPattern of(String regex, String where) {
        return new GivenPattern(regex, where, MOST_LOOKS);
    }

    /** Whether it is found somewhere in a text. */
    public boolean isIn(String text) {
        return ask(text, Matcher::find);
    }

    /** Whether a text is wholly what it says. */
    public boolean matches(String text) {
        return ask(text, Matcher::matches);
    }

    /** As it was given. */
    @Override
    public String toString() {
        return regex;
    }

    private boolean ask(String text, Predicate<Matcher> question) {
        try {
            return question.test(pattern.matcher(new Counted(text, mostLooks)));
        } catch (TooOften e) {
            throw endless("takes too long on", text, e);
        } catch (StackOverflowError e) {
            throw endless("goes too deep in", text, e);
        }
    }

    private UserException endless(String what, String text, Throwable cause) {
        return new UserException(
                ErrorCode.OPTION_INVALID,
                where + ": the regular expression " + shown(regex) + " " + what + " " + shown(text),
                "Repeat no alternatives and no repetitions: [ab]* instead of (a|b)*, a+ instead of (a+)+.",
                cause);
    }

    /** A text in quotes, cut where it is long. */
    public static String shown(String text) {
        return "'" + (text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text) + "'";
    }

    private static final class TooOften extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A text that lets itself be looked at so often. */
    private static final class Counted implements CharSequence {
        private final String text;
        private int left;

        Counted(String text, int mostLooks) {
            this.text = text;
            this.left = mostLooks;
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooOften();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
