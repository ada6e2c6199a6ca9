// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.Value.Sequence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what nearly all recorded arguments are: arrays of arrays, integers, and texts without escapes. Gives up on everything
 * else, which a parser of all JSON then reads.
 */
final class PlainArrays {
    private static final int LONGEST_INTEGER = 18;

    private final String text;
    private int at;

    private PlainArrays(String text) {
        this.text = text;
    }

    /** The elements of the array that the text is, null when it is something else or holds something else. */
    static @Nullable List<Value> read(String text) {
        return new PlainArrays(text).array();
    }

    private @Nullable List<Value> array() {
        ArrayDeque<List<Value>> open = new ArrayDeque<>();
        List<Value> current = null;
        boolean wantsValue = true;
        for (at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == ' ') {
                continue;
            }
            if (c == '[' && wantsValue) {
                if (current != null) {
                    open.push(current);
                }
                current = new ArrayList<>();
            } else if (current == null) {
                return null;
            } else if (c == ']' && (!wantsValue || current.isEmpty())) {
                if (open.isEmpty()) {
                    return at == text.length() - 1 ? current : null;
                }
                List<Value> outer = open.pop();
                outer.add(current.isEmpty() ? Value.EMPTY : new Sequence(current, true));
                current = outer;
                wantsValue = false;
            } else if (c == ',' && !wantsValue) {
                wantsValue = true;
            } else {
                Value scalar = wantsValue ? scalar(c) : null;
                if (scalar == null) {
                    return null;
                }
                current.add(scalar);
                wantsValue = false;
            }
        }
        return null;
    }

    /** The scalar that begins here; its last letter is the current one then. */
    private @Nullable Value scalar(char first) {
        if (first == '"') {
            int end = text.indexOf('"', at + 1);
            String inner = end < 0 ? "\\" : text.substring(at + 1, end);
            at = end;
            return inner.indexOf('\\') < 0 ? Value.of(inner) : null;
        }
        int start = at;
        long number = 0;
        if (first == '-') {
            at++;
        }
        int digits = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            number = number * 10 + text.charAt(at) - '0';
            at++;
        }
        boolean other = at == digits
                || at - digits > LONGEST_INTEGER
                || at < text.length() && ".eE".indexOf(text.charAt(at)) >= 0;
        at--;
        return other ? null : Value.of(text.charAt(start) == '-' ? -number : number);
    }
}
