// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the words of a dictionary are in annotations; each is made when it comes first. */
final class ArgumentWords {
    private final StringPool words;
    private final DebugAnnotations arguments;
    private final int[] names;
    private final byte[] @Nullable [] values;
    private byte[] scratch = new byte[1 << 8];

    /** @param arguments makes the annotations */
    ArgumentWords(StringPool words, DebugAnnotations arguments) {
        this.words = words;
        this.arguments = arguments;
        this.names = new int[words.size()];
        this.values = new byte[words.size()][];
    }

    /** The number of the interned name that this word is, in quotes and with a colon. */
    int name(int word) {
        if (names[word] == 0) {
            names[word] = arguments.name(spelt(word), 1, words.length(word) - 2);
        }
        return names[word];
    }

    /** What the annotation has behind its name if this word is its value. */
    byte[] value(int word) {
        byte[] value = values[word];
        if (value == null) {
            value = arguments.behindName(spelt(word), 0, words.length(word));
            values[word] = value;
        }
        return value;
    }

    private byte[] spelt(int word) {
        int room = words.length(word) + JsonCursor.SLACK;
        if (scratch.length < room) {
            scratch = new byte[room * 2];
        }
        int end = words.copy(word, scratch, 0);
        Arrays.fill(scratch, end, end + JsonCursor.SLACK, (byte) 0);
        return scratch;
    }
}
