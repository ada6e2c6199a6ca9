// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.JsonOut;
import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.model.RecordedText;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.StringPool;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What the statistics of an event say, under the names that its plane gives them. Reused for all events of a file. */
final class EventStats {
    private static final Stat[] ALL = Stat.values();

    private final StringPool strings;
    private final @Nullable RecordedText texts;
    private final ProtoCursor in = new ProtoCursor();
    private LongIntMap numbers = new LongIntMap(16);
    private final IntList names = new IntList(16);
    private final IntList meanings = new IntList(16);

    /** Of the statistic that was read last: the number of its name, -1 for one without, and the tag of its value, 0 for none. */
    private int named;

    private int kind;
    private long value;
    private int textAt;
    private int textLength;

    private long present;
    private final long[] values = new long[ALL.length];
    private final int[] words = new int[ALL.length];

    /** @param texts takes all statistics as arguments; null where they are not kept */
    EventStats(StringPool strings, @Nullable RecordedText texts) {
        this.strings = strings;
        this.texts = texts;
    }

    /** Forgets the names of the plane before. */
    void begin() {
        numbers = new LongIntMap(16);
        names.clear();
        meanings.clear();
    }

    /** States the name of a statistic; also what a value that refers to it says. */
    void name(long id, int name) {
        int number = numbers.numberOf(id);
        if (number == names.size()) {
            names.add(name);
            meanings.add(Stat.numberOf(strings.get(name)));
        } else {
            names.set(number, name);
            meanings.set(number, Stat.numberOf(strings.get(name)));
        }
    }

    /** Forgets the event before. */
    void clear() {
        present = 0;
        if (texts != null) {
            texts.clear();
        }
    }

    boolean has(Stat stat) {
        return (present & 1L << stat.ordinal()) != 0;
    }

    /** Whether there is any of these, given as bits. */
    boolean hasAny(long stats) {
        return (present & stats) != 0;
    }

    /** A number; -1 when absent. */
    long number(Stat stat) {
        if (!has(stat)) {
            return -1;
        }
        int word = words[stat.ordinal()];
        if (word < 0) {
            return values[stat.ordinal()];
        }
        String text = strings.get(word);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    /** Pool id of a text; -1 when absent. */
    int text(Stat stat) {
        return has(stat) ? words[stat.ordinal()] : -1;
    }

    /** What statistics say, for use with many events. */
    @SuppressWarnings("ArrayRecordComponent") // handed on as it is
    record Shared(long present, long[] values, int[] words) {}

    /** What was taken since {@link #clear}. */
    Shared shared() {
        return new Shared(present, values.clone(), words.clone());
    }

    /** Takes what other events have, too. */
    void take(Shared shared) {
        present = shared.present;
        System.arraycopy(shared.values, 0, values, 0, values.length);
        System.arraycopy(shared.words, 0, words, 0, words.length);
    }

    /** Takes statistics, each with its length in front. Of several of one name the last counts. */
    void take(byte[] source, int from, int to) throws Damaged {
        in.set(source, from, to);
        while (!in.isAtEnd()) {
            int outer = in.enter();
            stat();
            in.leave(outer);
        }
    }

    /** Reads a statistic. What it says is in the fields of this object until the next one. */
    private void read() throws Damaged {
        named = -1;
        kind = 0;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case Wire.STAT_METADATA -> named = numbers.get(in.varint());
                case Wire.STAT_UINT, Wire.STAT_INT, Wire.STAT_REF -> {
                    kind = tag;
                    value = in.varint();
                }
                case Wire.STAT_DOUBLE -> {
                    kind = tag;
                    value = in.fixed64();
                }
                case Wire.STAT_TEXT, Wire.STAT_BYTES -> {
                    kind = tag;
                    textLength = in.length();
                    textAt = in.position();
                    value = 0;
                    in.skip(textLength);
                }
                default -> in.skipField(tag);
            }
        }
    }

    private String text() {
        return new String(in.bytes(), textAt, textLength, StandardCharsets.UTF_8);
    }

    private void stat() throws Damaged {
        read();
        int meaning = named < 0 ? -1 : meanings.get(named);
        if (meaning < 0 && texts == null || named < 0 || kind == 0) {
            return;
        }
        int word = switch (kind) {
            case Wire.STAT_TEXT -> strings.intern(text());
            case Wire.STAT_REF -> reference(value);
            default -> -1;
        };
        if (meaning >= 0) {
            present |= 1L << meaning;
            words[meaning] = word;
            values[meaning] = kind == Wire.STAT_DOUBLE ? (long) Double.longBitsToDouble(value) : value;
        }
        if (texts != null && kind != Wire.STAT_BYTES) {
            keep(texts, named, meaning, kind == Wire.STAT_DOUBLE ? Double.longBitsToDouble(value) : value, word);
        }
    }

    private int reference(long id) {
        int number = numbers.get(id);
        return number < 0 ? -1 : names.get(number);
    }

    private void keep(RecordedText into, int number, int meaning, Number value, int word) {
        String spelt = word >= 0 ? JsonOut.line(strings.get(word)) : JsonOut.line(value);
        String key = JsonOut.line(strings.get(names.get(number)));
        into.argument(key.substring(1, key.length() - 1), spelt);
        if (meaning == Stat.CORRELATION.ordinal()) {
            into.wasCorrelation();
        }
    }

    /** Passes on a statistic of a plane itself, without its length, by name and as JSON text. */
    void each(byte[] source, BiConsumer<String, String> into) throws Damaged {
        in.set(source, 0, source.length);
        read();
        if (named < 0) {
            return;
        }
        String json = switch (kind) {
            case Wire.STAT_UINT, Wire.STAT_INT -> JsonOut.line(value);
            case Wire.STAT_DOUBLE -> JsonOut.line(Double.longBitsToDouble(value));
            case Wire.STAT_TEXT -> JsonOut.line(text());
            case Wire.STAT_REF -> reference(value) < 0 ? null : JsonOut.line(strings.get(reference(value)));
            default -> null;
        };
        if (json != null) {
            into.accept(strings.get(names.get(named)), json);
        }
    }

    /** The bytes of a statistic of this kind among these, each with its length in front; null where there is none. */
    byte @Nullable [] bytes(Stat wanted, byte[] source) throws Damaged {
        in.set(source, 0, source.length);
        byte[] found = null;
        while (!in.isAtEnd()) {
            int outer = in.enter();
            read();
            if (kind == Wire.STAT_BYTES && named >= 0 && meanings.get(named) == wanted.ordinal()) {
                found = Arrays.copyOfRange(in.bytes(), textAt, textAt + textLength);
            }
            in.leave(outer);
        }
        return found;
    }
}
