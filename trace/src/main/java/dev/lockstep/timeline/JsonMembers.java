// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** Goes through the members of a JSON object that is written without white space around its keys and values. */
final class JsonMembers {
    private JsonMembers() {}

    /** Calls with the JSON text of each key, in quotes, and of its value. */
    static void each(byte[] bytes, int from, int to, BiConsumer<String, String> member) {
        int p = from;
        while (p < to) {
            int key = p;
            p = behindText(bytes, p);
            int colon = p;
            p = behindValue(bytes, colon + 1, to);
            member.accept(text(bytes, key, colon), text(bytes, colon + 1, p));
            p++;
        }
    }

    /** Whether there is a member of this name. */
    static boolean has(byte[] bytes, int from, int to, String name) {
        boolean[] found = new boolean[1];
        each(bytes, from, to, (key, value) -> found[0] |= key.equals('"' + name + '"'));
        return found[0];
    }

    private static int behindText(byte[] bytes, int quote) {
        int p = quote + 1;
        while (bytes[p] != '"') {
            p += bytes[p] == '\\' ? 2 : 1;
        }
        return p + 1;
    }

    private static int behindValue(byte[] bytes, int from, int to) {
        int depth = 0;
        int p = from;
        while (p < to && (depth > 0 || bytes[p] != ',')) {
            byte c = bytes[p];
            if (c == '"') {
                p = behindText(bytes, p);
                continue;
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            p++;
        }
        return p;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
