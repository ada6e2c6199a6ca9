// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.codec.KnownText;
import dev.lockstep.model.ArgumentTokens;
import dev.lockstep.model.RecordedText;
import dev.lockstep.read.perfetto.Annotations.Kind;
import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * All arguments of the event that is being read, for a trace that shall be written again: as tokens, so that a text that
 * comes again is neither spelt nor copied.
 */
final class KeptArguments {
    private static final long MOST = 1_000_000_000_000_000_000L; // the first number of more than 18 digits
    private static final int UNKNOWN = -1;

    private final RecordedText text;
    private final StringPool strings;
    /** By number of an argument's name: the word that it is. */
    private final IntList keys = new IntList(16);
    /** By pool id doubled, plus one for JSON text: the word that the value is. */
    private final IntList values = new IntList(64);

    private final byte[] digits = new byte[4 * Long.BYTES];

    /** @param text takes tokens */
    KeptArguments(RecordedText text, StringPool strings) {
        this.text = text;
        this.strings = strings;
        text.clear();
    }

    RecordedText text() {
        return text;
    }

    void clear() {
        text.clear();
    }

    /** Adds an argument; {@code role} is what {@link RecordedText} calls its meaning. */
    void add(ArgumentName name, int role, Annotations value) {
        text.hasArguments();
        int key = key(name, value.name);
        if (value.kind == Kind.NUMBER && value.number >= 0 && value.number < MOST) {
            int from = spell(value.number);
            text.digits(key, role, digits, from, ArgumentTokens.MOST_DIGITS);
        } else if (value.kind == Kind.STRING || value.kind == Kind.JSON) {
            text(key, role, value);
        } else {
            add(key, role, value.spelt(strings));
        }
    }

    /** Adds an argument that the file has elsewhere; the value is JSON text. */
    void add(String name, String value) {
        text.hasArguments();
        add(word("\"" + name + "\":"), RecordedText.PLAIN, value);
    }

    private void text(int key, int role, Annotations value) {
        int id = value.text << 1 | (value.kind == Kind.JSON ? 1 : 0);
        int word = known(values, id);
        if (word >= 0) {
            text.known(key, role, word);
            return;
        }
        int added = add(key, role, value.spelt(strings));
        values.set(id, added);
    }

    /** Adds the value; returns the word that it is, or -1. */
    private int add(int key, int role, String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (isWholeNumber(utf8)) {
            text.digits(key, role, Arrays.copyOf(utf8, utf8.length + Long.BYTES), 0, utf8.length);
        } else if (utf8.length < KnownText.LONGEST) {
            int word = text.word(Arrays.copyOf(utf8, utf8.length + Long.BYTES), 0, utf8.length);
            text.known(key, role, word);
            return word;
        } else {
            text.text(key, role, utf8, 0, utf8.length);
        }
        return UNKNOWN;
    }

    private static boolean isWholeNumber(byte[] utf8) {
        for (byte b : utf8) {
            if (b < '0' || b > '9') {
                return false;
            }
        }
        return utf8.length > 0 && utf8.length <= ArgumentTokens.MOST_DIGITS;
    }

    private int key(ArgumentName name, int number) {
        int known = known(keys, number);
        if (known < 0) {
            known = word("\"" + JsonValues.escaped(name.name()) + "\":");
            keys.set(number, known);
        }
        return known;
    }

    private int word(String spelt) {
        byte[] utf8 = spelt.getBytes(StandardCharsets.UTF_8);
        return text.word(Arrays.copyOf(utf8, utf8.length + Long.BYTES), 0, utf8.length);
    }

    private static int known(IntList words, int number) {
        while (words.size() <= number) {
            words.add(UNKNOWN);
        }
        return words.get(number);
    }

    /** Writes the digits in front of the place {@link ArgumentTokens#MOST_DIGITS}; returns where they begin. */
    private int spell(long number) {
        int p = ArgumentTokens.MOST_DIGITS;
        long rest = number;
        do {
            digits[--p] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        return p;
    }
}
