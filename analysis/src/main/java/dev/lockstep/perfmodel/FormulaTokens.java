// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/** Cuts a formula into tokens. The current token is a number, a name, a text in quotes, a symbol, or the end. */
final class FormulaTokens {
    enum Kind {
        NUMBER,
        NAME,
        TEXT,
        SYMBOL,
        END
    }

    private static final String PAIRS = "// == != <= >= ";

    private final FormulaText source;
    private final String text;
    private int start;
    private int end;
    private Kind kind = Kind.END;

    FormulaTokens(FormulaText source) {
        this.source = source;
        this.text = source.text();
        advance();
    }

    Kind kind() {
        return kind;
    }

    /** The letters of the current token, without its quotes. */
    String token() {
        return kind == Kind.TEXT ? text.substring(start + 1, end - 1) : text.substring(start, end);
    }

    int offset() {
        return start;
    }

    /** Whether the current token is this symbol or word. */
    boolean at(String expected) {
        return (kind == Kind.SYMBOL || kind == Kind.NAME)
                && end - start == expected.length()
                && text.startsWith(expected, start);
    }

    /** Steps over this symbol or word if it is the current token. */
    boolean take(String expected) {
        boolean found = at(expected);
        if (found) {
            advance();
        }
        return found;
    }

    /** Steps over this symbol or word, which must be the current token. */
    void expect(String expected) {
        if (!take(expected)) {
            throw source.invalid(start, "expected '" + expected + "', found " + found());
        }
    }

    /** What stands here, for messages. */
    String found() {
        return kind == Kind.END ? "the end" : "'" + text.substring(start, end) + "'";
    }

    void advance() {
        start = end;
        while (start < text.length() && text.charAt(start) == ' ') {
            start++;
        }
        end = start;
        if (start == text.length()) {
            kind = Kind.END;
        } else if (isDigit(text.charAt(start))) {
            number();
        } else if (isLetter(text.charAt(start))) {
            kind = Kind.NAME;
            while (end < text.length() && (isLetter(text.charAt(end)) || isDigit(text.charAt(end)))) {
                end++;
            }
        } else if (text.charAt(start) == '\'') {
            quoted();
        } else {
            symbol();
        }
    }

    private void number() {
        kind = Kind.NUMBER;
        while (end < text.length() && (isDigit(text.charAt(end)) || text.charAt(end) == '.')) {
            end++;
        }
    }

    private void quoted() {
        kind = Kind.TEXT;
        end = text.indexOf('\'', start + 1) + 1;
        if (end == 0) {
            throw source.invalid(start, "a text without closing quote");
        }
    }

    private void symbol() {
        kind = Kind.SYMBOL;
        boolean pair = start + 1 < text.length() && PAIRS.contains(text.substring(start, start + 2) + " ");
        end = start + (pair ? 2 : 1);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }
}
