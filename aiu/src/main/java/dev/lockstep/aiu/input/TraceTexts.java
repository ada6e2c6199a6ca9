// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes each text and each name of the inputs once. */
final class TraceTexts {
    private final StringPool pool = new StringPool();
    private final List<@Nullable String> texts = new ArrayList<>();
    private final List<@Nullable AiuName> names = new ArrayList<>();

    /** The string that the cursor took last. */
    String text(JsonCursor cursor) {
        if (cursor.encoded) {
            return cursor.text();
        }
        return key(cursor.buffer, cursor.start, cursor.end);
    }

    /** A key, of which there are few. */
    String key(byte[] bytes, int from, int to) {
        int id = room(pool.intern(bytes, from, to));
        String text = texts.get(id);
        if (text == null) {
            text = pool.get(id);
            texts.set(id, text);
        }
        return text;
    }

    /** As above, as a name of events. */
    AiuName name(JsonCursor cursor) {
        if (cursor.encoded) {
            return named(cursor.text());
        }
        return named(id(cursor));
    }

    AiuName named(String text) {
        return named(room(pool.intern(text)));
    }

    private AiuName named(int id) {
        AiuName name = names.get(id);
        if (name == null) {
            name = new AiuName(pool.get(id));
            names.set(id, name);
        }
        return name;
    }

    private int id(JsonCursor cursor) {
        return room(pool.intern(cursor.buffer, cursor.start, cursor.end));
    }

    private int room(int id) {
        while (texts.size() <= id) {
            texts.add(null);
            names.add(null);
        }
        return id;
    }
}
