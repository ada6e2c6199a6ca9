// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

/**
 * Passes over one JSON value that is too long to be kept, across any number of blocks. It follows quotes and brackets
 * alone and does not check the value.
 */
final class LongValue {
    private int depth;
    private boolean inText;
    private boolean escaped;
    private boolean ended;

    /** Whether the end of the value was met. */
    boolean ended() {
        return ended;
    }

    /** Reads on; returns the place behind the value, or {@code to} when it goes on in the next block. */
    int skip(byte[] block, int from, int to) {
        for (int p = from; p < to; p++) {
            byte c = block[p];
            if (inText) {
                if (escaped) {
                    escaped = false;
                } else if (c == '\\') {
                    escaped = true;
                } else if (c == '"') {
                    inText = false;
                    if (depth == 0) {
                        return end(p + 1);
                    }
                }
                continue;
            }
            switch (c) {
                case '"' -> inText = true;
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (depth == 0) {
                        return end(p);
                    }
                    if (--depth == 0) {
                        return end(p + 1);
                    }
                }
                case ',' -> {
                    if (depth == 0) {
                        return end(p);
                    }
                }
                default -> {
                    // a part of a number or word
                }
            }
        }
        return to;
    }

    private int end(int place) {
        ended = true;
        return place;
    }
}
