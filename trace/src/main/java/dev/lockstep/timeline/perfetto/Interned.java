// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.INTERNED_ARGUMENT;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_CATEGORY;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_IID;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_IS_JSON;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_NAME;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_STRING;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_TEXT;

import dev.lockstep.codec.JsonText;
import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the packets of one sequence name by number. A text that is met for the first time goes into {@link
 * #news()}, which must be in the packet that names it or in one before.
 */
final class Interned {
    /** Stands before what is no argument but a field of the event itself. */
    private static final String FIELD = "event.";

    private final StringPool strings;
    private final String namePrefix;
    private final int[] names;
    private final int[] categories;
    private int nameCount;
    private int categoryCount;
    private final StringPool arguments = new StringPool();
    private final StringPool fields = new StringPool();
    private final IntList fieldIds = new IntList(16);
    private final StringPool quoted = new StringPool();
    private final IntList quotedIds = new IntList(64);
    private final StringPool structures = new StringPool();
    private final IntList structureIds = new IntList(64);
    private int argumentCount;
    private int stringCount;
    private final ProtoBuffer news = new ProtoBuffer();
    private final ProtoBuffer entry = new ProtoBuffer();

    /**
     * @param strings the pool of the trace, in which names and categories are
     * @param namePrefix stands before the name of every event; null for none
     */
    Interned(StringPool strings, @Nullable String namePrefix) {
        this.strings = strings;
        this.namePrefix = namePrefix == null ? "" : namePrefix;
        names = new int[strings.size()];
        categories = new int[strings.size()];
    }

    /** What is new since it was cleared last: fields of {@code InternedData}. */
    ProtoBuffer news() {
        return news;
    }

    /** The number of a name of an event, by its id in the trace's pool. */
    int name(int id) {
        if (names[id] == 0) {
            names[id] = ++nameCount;
            add(INTERNED_NAME, nameCount, namePrefix + strings.get(id), false);
        }
        return names[id];
    }

    /** The number of a category, by its id in the trace's pool. */
    int category(int id) {
        if (categories[id] == 0) {
            categories[id] = ++categoryCount;
            add(INTERNED_CATEGORY, categoryCount, strings.get(id), false);
        }
        return categories[id];
    }

    /** The number of the name of a further field of an event, as {@link #argument}. */
    int field(byte[] bytes, int start, int end) {
        int id = fields.intern(bytes, start, end);
        if (id == fieldIds.size()) {
            byte[] name = (FIELD + JsonText.decode(bytes, start, end)).getBytes(StandardCharsets.UTF_8);
            fieldIds.add(argument(Arrays.copyOf(name, name.length + Long.BYTES), 0, name.length));
        }
        return fieldIds.get(id);
    }

    /** The number of the name of an argument, in UTF-8 with the escapes of JSON; eight more bytes must be readable. */
    int argument(byte[] bytes, int start, int end) {
        int id = arguments.intern(bytes, start, end);
        if (id == argumentCount) {
            argumentCount++;
            add(INTERNED_ARGUMENT, id + 1, JsonText.decode(bytes, start, end), false);
        }
        return id + 1;
    }

    /** The number of a string, in UTF-8 with the escapes of JSON; eight more bytes must be readable. */
    int string(byte[] bytes, int start, int end) {
        int id = quoted.intern(bytes, start, end);
        if (id == quotedIds.size()) {
            quotedIds.add(++stringCount);
            add(INTERNED_STRING, stringCount, JsonText.decode(bytes, start, end), false);
        }
        return quotedIds.get(id);
    }

    /** The number of a structure that is written as JSON text; eight more bytes must be readable. */
    int structure(byte[] bytes, int start, int end) {
        int id = structures.intern(bytes, start, end);
        if (id == structureIds.size()) {
            structureIds.add(++stringCount);
            byte[] spelt = JsonText.respell(bytes, start, end);
            add(INTERNED_STRING, stringCount, new String(spelt, StandardCharsets.UTF_8), true);
        }
        return structureIds.get(id);
    }

    private void add(int kind, int number, String text, boolean json) {
        entry.clear();
        entry.field(INTERNED_IID, number);
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        entry.field(INTERNED_TEXT, utf8, 0, utf8.length);
        if (json) {
            entry.field(INTERNED_IS_JSON, 1);
        }
        news.message(kind, entry);
    }
}
