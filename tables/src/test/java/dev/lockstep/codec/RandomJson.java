// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.util.Random;

/** Writes random documents: every escape, UTF-8 of all lengths, all kinds of numbers, any layout. */
final class RandomJson {
    private static final String[] ESCAPES = {
        "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0041", "\\u00e9", "\\u20AC", "\\ud83d\\uDE00"
    };
    private static final String[] LETTERS = {
        "a", "Z", "0", " ", "{", "}", "[", "]", ",", ":", "é", "ß", "€", "中", "😀", "\u007f"
    };
    private static final String[] BLANKS = {"", "", "", " ", "\n", "\t", "\r\n", "\n        ", "\n                  "};

    private final Random random;
    private final boolean wholeNumbersOnly;
    private final StringBuilder text = new StringBuilder();

    private RandomJson(Random random, boolean wholeNumbersOnly) {
        this.random = random;
        this.wholeNumbersOnly = wholeNumbersOnly;
    }

    static String document(long seed) {
        return document(new Random(seed), false);
    }

    static String document(Random random, boolean wholeNumbersOnly) {
        RandomJson json = new RandomJson(random, wholeNumbersOnly);
        json.container(0);
        return json.text.toString();
    }

    static String string(Random random) {
        RandomJson json = new RandomJson(random, false);
        json.string();
        return json.text.toString();
    }

    private void value(int depth) {
        switch (random.nextInt(depth > 5 ? 4 : 6)) {
            case 0 -> string();
            case 1 -> number();
            case 2 -> text.append(new String[] {"true", "false", "null"}[random.nextInt(3)]);
            case 3 -> string();
            default -> container(depth);
        }
    }

    private void container(int depth) {
        boolean object = random.nextBoolean();
        text.append(object ? '{' : '[');
        int size = random.nextInt(depth == 0 ? 8 : 4);
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ",");
            blank();
            if (object) {
                string();
                blank();
                text.append(':');
                blank();
            }
            value(depth + 1);
            blank();
        }
        if (size == 0) {
            blank();
        }
        text.append(object ? '}' : ']');
    }

    private void string() {
        text.append('"');
        int size = random.nextInt(random.nextInt(8) == 0 ? 40 : 6);
        for (int i = 0; i < size; i++) {
            String[] from = random.nextInt(4) == 0 ? ESCAPES : LETTERS;
            text.append(from[random.nextInt(from.length)]);
        }
        text.append('"');
    }

    private void number() {
        if (wholeNumbersOnly) {
            text.append(1 + random.nextInt(1000));
            return;
        }
        text.append(random.nextInt(3) == 0 ? "-" : "");
        text.append(random.nextInt(4) == 0 ? "0" : Long.toString(1 + (random.nextLong() >>> 1 + random.nextInt(62))));
        if (random.nextInt(2) == 0) {
            text.append('.').append(random.nextInt(100_000));
        }
        if (random.nextInt(6) == 0) {
            text.append(random.nextBoolean() ? "e" : "E")
                    .append(new String[] {"", "+", "-"}[random.nextInt(3)])
                    .append(random.nextInt(30));
        }
    }

    private void blank() {
        text.append(BLANKS[random.nextInt(BLANKS.length)]);
    }
}
