// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

/**
 * Walks along the text of an annotation. What is not found as expected makes {@link #failed} true, and everything after it
 * means nothing.
 */
final class TextCursor {
    private String text = "";
    private int at;
    private boolean failed;

    void set(String annotation) {
        text = annotation;
        at = 0;
        failed = false;
    }

    boolean failed() {
        return failed;
    }

    /** Goes behind a word if it stands here. */
    boolean skip(String word) {
        if (text.startsWith(word, at)) {
            at += word.length();
            return true;
        }
        return false;
    }

    /** Goes behind a word that must stand here. */
    TextCursor take(String word) {
        failed |= !skip(word);
        return this;
    }

    /** Goes behind the next occurrence of a word, which there must be. */
    TextCursor find(String word) {
        int found = text.indexOf(word, at);
        failed |= found < 0;
        at = found < 0 ? at : found + word.length();
        return this;
    }

    /** A decimal number, maybe negative. Numbers up to 2^64 wrap. */
    long number() {
        boolean negative = skip("-");
        int from = at;
        long value = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            value = 10 * value + (text.charAt(at++) - '0');
        }
        failed |= at == from || at - from > 20;
        return negative ? -value : value;
    }

    /** A decimal number that fits in an {@code int}. */
    int small() {
        long value = number();
        failed |= value != (int) value;
        return (int) value;
    }

    /** The number of a channel, of which there are so many. */
    int channel() {
        int value = small();
        failed |= !NvtxMark.channel(value);
        return value;
    }

    /** Everything up to a character, or to the end. */
    String until(char end) {
        int from = at;
        while (at < text.length() && text.charAt(at) != end) {
            at++;
        }
        return text.substring(from, at);
    }

    /** Letters. */
    String letters() {
        int from = at;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            at++;
        }
        failed |= at == from;
        return text.substring(from, at);
    }
}
