// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/** Reads numbers out of texts. */
final class Numeral {
    private static final int LONGEST = 18;

    private Numeral() {}

    /** An integer, a number with a fraction, or, if it is neither, the text. */
    static Value parse(String text) {
        if (isInteger(text)) {
            return Value.of(Long.parseLong(text));
        }
        double number = real(text);
        return Double.isNaN(number) ? Value.of(text) : Value.of(number);
    }

    /** Whether the text is an integer that a long holds. */
    static boolean isInteger(String text) {
        int start = text.startsWith("-") ? 1 : 0;
        int length = text.length() - start;
        if (length < 1 || length > LONGEST) {
            return false;
        }
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** The decimal number that the text is, NaN if it is none. */
    static double real(String text) {
        boolean digits = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            digits |= c >= '0' && c <= '9';
            if ("+-.eE".indexOf(c) < 0 && (c < '0' || c > '9')) {
                return Double.NaN;
            }
        }
        if (!digits) {
            return Double.NaN;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
