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

    private void stat() throws Damaged {
        int number = -1;
        int kind = 0;
        long value = 0;
        int from = 0;
        int length = 0;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case Wire.STAT_METADATA -> number = numbers.get(in.varint());
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
                    length = in.length();
                    from = in.position();
                    in.skip(length);
                }
                default -> in.skipField(tag);
            }
        }
        int meaning = number < 0 ? -1 : meanings.get(number);
        if (meaning < 0 && texts == null || number < 0 || kind == 0) {
            return;
        }
        int word = switch (kind) {
            case Wire.STAT_TEXT -> strings.intern(new String(in.bytes(), from, length, StandardCharsets.UTF_8));
            case Wire.STAT_REF -> reference(value);
            default -> -1;
        };
        if (meaning >= 0) {
            present |= 1L << meaning;
            words[meaning] = word;
            values[meaning] = kind == Wire.STAT_DOUBLE ? (long) Double.longBitsToDouble(value) : value;
        }
        if (texts != null && kind != Wire.STAT_BYTES) {
            keep(texts, number, meaning, kind == Wire.STAT_DOUBLE ? Double.longBitsToDouble(value) : value, word);
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

    /** Hands out a statistic of a plane itself, without its length, by name and as JSON text. */
    void each(byte[] source, BiConsumer<String, String> into) throws Damaged {
        in.set(source, 0, source.length - Long.BYTES);
        one(into);
    }

    private void one(BiConsumer<String, String> into) throws Damaged {
        int number = -1;
        @Nullable Object value = null;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case Wire.STAT_METADATA -> number = numbers.get(in.varint());
                case Wire.STAT_UINT, Wire.STAT_INT -> value = in.varint();
                case Wire.STAT_DOUBLE -> value = Double.longBitsToDouble(in.fixed64());
                case Wire.STAT_TEXT -> value = in.text();
                case Wire.STAT_REF -> {
                    int word = reference(in.varint());
                    value = word < 0 ? null : strings.get(word);
                }
                default -> in.skipField(tag);
            }
        }
        if (number >= 0 && value != null) {
            into.accept(strings.get(names.get(number)), JsonOut.line(value));
        }
    }

    /** The bytes of a statistic of this kind among these, each with its length in front; null where there is none. */
    byte @Nullable [] bytes(Stat wanted, byte[] source) throws Damaged {
        in.set(source, 0, source.length);
        byte[] found = null;
        while (!in.isAtEnd()) {
            int outer = in.enter();
            int number = -1;
            for (int tag = in.tag(); tag != 0; tag = in.tag()) {
                if (tag == Wire.STAT_METADATA) {
                    number = numbers.get(in.varint());
                } else if (tag == Wire.STAT_BYTES && number >= 0 && meanings.get(number) == wanted.ordinal()) {
                    int length = in.length();
                    found = Arrays.copyOfRange(in.bytes(), in.position(), in.position() + length);
                    in.skip(length);
                } else {
                    in.skipField(tag);
                }
            }
            in.leave(outer);
        }
        return found;
    }
}
