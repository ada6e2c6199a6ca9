// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.table.LongIntMap;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The labels of one rank. Programs write one letter and a running number; such labels are found by their number, others
 * by their text.
 */
final class LabelTable {
    private static final int SMALL = 1 << 16;

    private byte letter;
    private int[] byNumber = new int[1024];
    private int filled;
    private int defined;
    private LongIntMap scattered = new LongIntMap(16);
    private final Map<String, Integer> byText = new HashMap<>();

    void clear() {
        Arrays.fill(byNumber, 0, filled, -1);
        letter = 0;
        filled = 0;
        defined = 0;
        byText.clear();
        if (scattered.size() > 0) {
            scattered = new LongIntMap(16);
        }
    }

    /**
     * The operation of a label, or -1.
     *
     * @param number what stands behind the letter, or -1 if the label is of another form
     */
    int get(byte[] text, int from, int to, int number) {
        if (number < 0 || text[from] != letter) {
            return byText.isEmpty() ? -1 : byText.getOrDefault(string(text, from, to), -1);
        }
        if (number < filled) {
            int known = byNumber[number];
            return known >= 0 ? known : scattered.get(number);
        }
        return scattered.get(number);
    }

    /** Gives a label to an operation; false if it has one already, which it keeps. */
    boolean put(byte[] text, int from, int to, int number, int operation) {
        if (number >= 0 && letter == 0) {
            letter = text[from];
        }
        if (get(text, from, to, number) >= 0) {
            return false;
        }
        defined++;
        if (number < 0 || text[from] != letter) {
            byText.put(string(text, from, to), operation);
        } else if (number < SMALL || number < 4L * defined) {
            dense(number);
            byNumber[number] = operation;
        } else {
            scattered.put(number, operation);
        }
        return true;
    }

    private void dense(int number) {
        if (number >= filled) {
            if (number >= byNumber.length) {
                byNumber = Arrays.copyOf(byNumber, Math.max(number + 1, byNumber.length * 2));
            }
            int until = Math.min(byNumber.length, number + 1024);
            Arrays.fill(byNumber, filled, until, -1);
            filled = until;
        }
    }

    static String string(byte[] text, int from, int to) {
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
