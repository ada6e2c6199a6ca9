// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import java.nio.charset.StandardCharsets;

/** A key that is written often: with the comma before it, its line, and its colon. */
final class JsonKey {
    /** Containers, one within the other, from which on a key is not kept. */
    static final int DEEPEST = 6;

    private final byte[][] lines = new byte[DEEPEST][];

    JsonKey(String key) {
        for (int depth = 0; depth < DEEPEST; depth++) {
            String line = ",\n" + "    ".repeat(depth) + IndentedJson.quote(key) + ": ";
            lines[depth] = line.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** The key within so many containers. Its first byte is the comma. */
    byte[] line(int depth) {
        return lines[depth];
    }
}
