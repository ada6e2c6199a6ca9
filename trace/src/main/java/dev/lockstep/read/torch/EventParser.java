// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.CleanJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonMender;
import dev.lockstep.codec.JsonText;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.KnownText;
import dev.lockstep.model.ArgumentTokens;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.RangeCounters;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.read.ReadDeviations;
import dev.lockstep.table.StringPool;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of a {@code traceEvents} array from a block of text and hands what they say to a
 * {@link TraceBuilder}. An element that cannot be read costs itself alone: reading goes on at the next place that looks
 * like the beginning of an event.
 */
final class EventParser {
    /** How a block ended. */
    enum End {
        /** Between two elements; more may follow. */
        OPEN,
        /** Inside an element that begins at {@link #position()}; more text is needed. */
        INCOMPLETE,
        /** At the bracket that closes the array; {@link #position()} is behind it. */
        CLOSED
    }

    private static final int BYTES_PER_EVENT = 300;
    private static final int MOST_GAPS = 4096;
    private static final int MOST_TEXT = 1 << 24;

    private final JsonCursor cursor = new JsonCursor();
    private final EventFields fields = new EventFields();
    private final TraceBuilder builder;
    private final StringPool strings;
    private final RecentTexts recent;
    private final CompactJson structured;
    private final CompactJson argumentLists;
    private final EventSink sink;
    private final int emptyText;
    private final int counterRange;
    private final @Nullable RecordedText texts;
    private final boolean details;
    private final DeadEnds deadEnds = new DeadEnds();
    private final DeadEnds lenientDeadEnds = new DeadEnds();
    private final EventBoundary boundary = new EventBoundary();
    private final Gap beforeEvent = Gap.beforeEvent();
    private int gapsLeft = MOST_GAPS;
    private long base;
    private int position;
    private boolean afterComma = true;
    private boolean last;
    private boolean seeks;

    /** @param details whether arguments shall be taken apart for the side tables */
    EventParser(TraceBuilder builder, boolean details) {
        this.builder = builder;
        this.details = details;
        this.strings = builder.strings();
        this.recent = new RecentTexts(strings);
        this.structured = new CompactJson(strings);
        this.argumentLists = new CompactJson(strings, ArgumentList::respell);
        this.sink = new EventSink(builder);
        this.emptyText = strings.intern("");
        this.counterRange = strings.intern(RangeCounters.CATEGORY);
        this.texts = sink.texts();
    }

    static TraceBuilder builderFor(int bytes, boolean everything) {
        return new TraceBuilder(bytes / BYTES_PER_EVENT, everything);
    }

    TraceBuilder builder() {
        return builder;
    }

    /** Number of elements read so far. */
    int events() {
        return sink.events();
    }

    /** Tells that events of the array were read elsewhere; those that follow here come behind them. */
    void passed(int count) {
        sink.passed(count);
        afterComma = true;
    }

    /** Whether more can be learnt of the file: gaps are left to fill, and what is known does not take much memory. */
    boolean hasRoomToLearn() {
        return gapsLeft > 0 && builder.textBytes() <= MOST_TEXT;
    }

    /**
     * Begins anew with a further part of the file, once what there is was appended to the builder of the whole. What was
     * learnt of the file is kept.
     */
    void restart() {
        builder.restart();
        sink.restart();
        afterComma = true;
    }

    /** Byte offset in the block where reading stopped. */
    int position() {
        return position;
    }

    /** Tells the builder what was counted; to be called once, at the end. */
    void finish() {
        sink.finish();
    }

    /** Whether an element was too long, and its end is sought: what comes next may be in the midst of it. */
    boolean seeks() {
        return seeks;
    }

    /**
     * Reads elements until the block or the array ends.
     *
     * @param blockOffset place of the block's first byte in the unpacked content
     * @param last whether nothing follows the block: then what is incomplete is damage or the cut itself
     */
    End parse(byte[] block, int from, int to, long blockOffset, boolean last) {
        base = blockOffset;
        this.last = last;
        cursor.set(block, from, to);
        if (seeks && cursor.peek() != '{') {
            goOn(boundary.next(block, from, to, base), to);
        }
        while (true) {
            int c = cursor.peek();
            int at = cursor.pos;
            position = at;
            if (at >= to) {
                return End.OPEN;
            }
            seeks = false;
            if (c == ',') {
                if (afterComma && sink.events() > 0) {
                    problem(Weight.REPAIRED, "syntax", "expected an event, found ',' again", at);
                }
                afterComma = true;
                cursor.pos++;
                continue;
            }
            if (c == ']') {
                cursor.pos++;
                position = cursor.pos;
                afterComma = true;
                return End.CLOSED;
            }
            if (!afterComma) {
                problem(Weight.REPAIRED, "syntax", "expected ',' between events", at);
            }
            try {
                if (c == '{') {
                    event(at);
                } else {
                    deadEnds.check(cursor, at, base);
                    cursor.skip();
                    problem(Weight.REPAIRED, "not_an_event", "an entry of traceEvents is no object", at);
                    sink.skipped();
                }
                afterComma = false;
            } catch (Stop stop) {
                boolean tooLong = to - at > JsonWindow.LONGEST;
                if (stop == Stop.INCOMPLETE && !last && !tooLong) {
                    return End.INCOMPLETE;
                }
                int next = boundary.next(block, at + 1, to, base);
                if (!tooLong && c == '{' && mended(at, next, to, stop)) {
                    afterComma = false;
                    continue;
                }
                seeks = stop == Stop.INCOMPLETE && next < 0 && tooLong;
                if (stop == Stop.INCOMPLETE && next < 0 && !tooLong) {
                    return End.INCOMPLETE;
                }
                if (!skipTo(next, at, to, stop)) {
                    return End.OPEN;
                }
            }
        }
    }

    /**
     * Reads the event that begins here, which cannot be read as it stands, from what it most likely says.
     *
     * @param next where the next event begins, -1 when none does
     * @return whether it was read; if not, the cursor is where it was
     */
    private boolean mended(int at, int next, int to, Stop stop) {
        if (stop == Stop.INCOMPLETE && next < 0) {
            return false; // the cut itself
        }
        int limit = cursor.limit;
        JsonMender.Mended mended = JsonMender.event(cursor.buffer, at, next < 0 ? to : next, next < 0 && last);
        if (mended == null || !mended.whole() && !(mended.open() == 1 && endsWithValue(mended.end(), to))) {
            return false;
        }
        int failedAt = stop == Stop.INCOMPLETE ? at : cursor.failedAt;
        String problem = stop == Stop.INCOMPLETE
                ? "expected an end of the event that begins here"
                : "expected " + cursor.expected + ", found " + found(failedAt, limit);
        if (!acceptMended(mended, at)) {
            cursor.failedAt = failedAt;
            return false;
        }
        Weight weight = mended.dropped() || !mended.whole() ? Weight.LOSS : Weight.REPAIRED;
        problem(weight, "syntax", problem + "; the event was mended", failedAt);
        cursor.pos = mended.end();
        return true;
    }

    /** Takes an event from its mended text, then goes back to the block; false when it says nothing. */
    private boolean acceptMended(JsonMender.Mended mended, int at) {
        byte[] block = cursor.buffer;
        int limit = cursor.limit;
        String expected = cursor.expected;
        cursor.set(mended.json(), 0, mended.length());
        cursor.notes = 0;
        cursor.lenient = true; // what does not stand in the file must not be learnt
        try {
            readFields(0);
            if (fields.phase == 0) {
                return false;
            }
            if (texts != null) {
                sink.keepId(fields, cursor.buffer);
            }
            if (details && (fields.phase == 'C' || fields.category == counterRange)) {
                counters(0);
            }
            sink.accept(fields, base + at, mended.end() - at);
            return true;
        } catch (Stop unreadable) {
            return false;
        } finally {
            cursor.lenient = false;
            cursor.notes = 0;
            cursor.expected = expected;
            cursor.set(block, at, limit);
        }
    }

    /** Whether what lies before this place, commas aside, is a value that cannot have been cut. */
    private boolean endsWithValue(int place, int to) {
        byte[] b = cursor.buffer;
        int p = place - 1;
        while (p > 0 && (b[p] <= ' ' && b[p] >= 0 || b[p] == ',')) {
            p--;
        }
        return place < to && (b[p] == '}' || b[p] == ']' || b[p] == '"');
    }

    /** Goes on at the next event after damage; false when there is none in this block. */
    private boolean skipTo(int next, int at, int to, Stop stop) {
        boolean incomplete = stop == Stop.INCOMPLETE;
        int where = incomplete ? at : cursor.failedAt;
        String problem = !incomplete
                ? "expected " + cursor.expected + ", found " + found(where, to)
                : to - at > JsonWindow.LONGEST
                        ? "an event of more than " + (JsonWindow.LONGEST >> 20) + " MiB begins here, or one without end"
                        : "expected an end of the event that begins here, found " + found(where, to);
        problem(Weight.LOSS, "syntax", problem + "; what lies up to the next event was skipped", where);
        return goOn(next, to);
    }

    private boolean goOn(int next, int to) {
        afterComma = true;
        if (next < 0) {
            cursor.pos = to;
            position = to;
            return false;
        }
        cursor.pos = next;
        return true;
    }

    private String found(int at, int to) {
        if (at >= to) {
            return "the end";
        }
        int c = cursor.buffer[at] & 0xFF;
        return c > ' ' && c < 0x7F ? "'" + (char) c + "'" : "byte 0x" + Integer.toHexString(c);
    }

    private void event(int at) throws Stop {
        cursor.notes = 0;
        try {
            fields(at);
        } catch (Stop stop) {
            if (stop == Stop.INCOMPLETE) {
                throw stop;
            }
            int failedAt = cursor.failedAt;
            String expected = cursor.expected;
            cursor.pos = at;
            cursor.notes = 0;
            cursor.lenient = true;
            try {
                fields(at);
            } catch (Stop again) {
                cursor.failedAt = failedAt;
                cursor.expected = expected;
                throw again;
            } finally {
                cursor.lenient = false;
            }
        }
        if (texts != null) {
            sink.keepId(fields, cursor.buffer);
        }
        if (cursor.notes != 0) {
            ReadDeviations.count(cursor, base, builder.diagnostics());
            if (texts != null) {
                MendedEvent.mend(texts, cursor.notes);
            }
        }
        if (details && (fields.phase == 'C' || fields.category == counterRange)) {
            counters(at);
        }
        sink.accept(fields, base + at, cursor.pos - at);
    }

    /** Takes all arguments of the event that was just read: its counters may have any name. */
    private void counters(int at) throws Stop {
        JsonCursor in = cursor;
        int end = in.pos;
        int notes = in.notes;
        in.pos = at + 1;
        while (in.peek() == '"') {
            in.key();
            if (in.text().equals("args")) {
                in.peek();
                fields.counters = structure(structured);
            } else {
                in.skip();
            }
            if (in.peek() == ',') {
                in.pos++;
            }
        }
        in.pos = end;
        in.notes = notes;
    }

    private void fields(int at) throws Stop {
        DeadEnds known = cursor.lenient ? lenientDeadEnds : deadEnds;
        known.check(cursor, at, base);
        try {
            readFields(at);
        } catch (Stop stop) {
            if (last || stop != Stop.INCOMPLETE || cursor.limit - at > JsonWindow.LONGEST) {
                known.remember(cursor, at, base, stop);
            }
            throw stop;
        }
    }

    private void readFields(int at) throws Stop {
        JsonCursor in = cursor;
        fields.clear();
        if (texts != null) {
            texts.clear();
        }
        in.pos = at;
        Gap gap = beforeEvent;
        while (true) {
            Gap next = in.lenient ? null : gap.next(in.buffer, in.pos);
            if (next == null) {
                next = unknown(gap, in.pos);
            } else {
                in.pos += next.length;
                if (next.what != Gap.END) {
                    in.peek(); // a gap may have been met without the space that ends it here
                }
            }
            if (next.opens && texts != null) {
                texts.hasArguments();
            }
            if (next.what == Gap.END) {
                if (in.pos > in.limit) {
                    throw Stop.INCOMPLETE;
                }
                return;
            }
            value(next);
            gap = next;
        }
    }

    /**
     * Goes to the next value, or the end of the event, by a gap that was not met before.
     *
     * @param previous the gap before the value that ends here
     */
    private Gap unknown(Gap previous, int from) throws Stop {
        JsonCursor in = cursor;
        boolean inside = previous.inside;
        boolean opens = false;
        boolean mayEnd = previous == beforeEvent;
        in.pos = mayEnd ? from + 1 : from;
        while (true) {
            int c = in.peek();
            if (!mayEnd || c == '}') {
                in.pos++;
                if (c == '}') {
                    if (!inside) {
                        Gap end = new Gap(Gap.END, false, opens, Gap.key(in.buffer, in.pos, in.pos), texts);
                        return learn(previous, end, from);
                    }
                    inside = false;
                    mayEnd = false;
                    continue;
                }
                if (c != ',') {
                    throw in.malformed(in.pos - 1, "',' or '}' after a value");
                }
                c = in.peek();
            }
            if (c != '"') {
                throw in.malformed(in.pos, "a key in quotes");
            }
            int start = in.pos;
            in.string();
            byte[] key = in.encoded ? key(in.text(), in.buffer, start, in.pos) : Gap.key(in.buffer, start, in.pos);
            in.take(':', "':' after a key");
            c = in.peek();
            int what = inside ? Gap.ARGUMENT : EventKey.what(key, 1);
            if (what == Gap.NO_ARGUMENTS && c == '{') {
                in.pos++;
                inside = true;
                opens = true;
                mayEnd = true;
                continue;
            }
            return learn(previous, new Gap(what, inside, opens, key, texts), from);
        }
    }

    /** A key that is spelled in another way than with its own letters; one that must be, or is damaged, is taken as it stands. */
    private static byte[] key(String text, byte[] source, int from, int to) {
        boolean plain = text.chars().allMatch(c -> c >= ' ' && c < 0x7F && c != '"' && c != '\\');
        if (!plain) {
            return Gap.key(source, from, to);
        }
        byte[] spelled = ('"' + text + '"').getBytes(StandardCharsets.US_ASCII);
        return Gap.key(spelled, 0, spelled.length);
    }

    /**
     * Completes the gap that begins at this place and ends here, and remembers it if it was written soundly. Of an event of which
     * something was noted nothing is remembered: what is known is taken without being looked at, and so without being noted.
     */
    private Gap learn(Gap previous, Gap gap, int from) {
        gap.text(cursor.buffer, from, cursor.pos);
        if (!cursor.lenient && cursor.notes == 0 && gap.length <= KnownText.LONGEST && gapsLeft > 0) {
            gapsLeft--;
            previous.add(gap);
        }
        return gap;
    }

    private void value(Gap gap) throws Stop {
        JsonCursor in = cursor;
        EventFields f = fields;
        switch (gap.what) {
            case Gap.PHASE -> phase();
            case Gap.TS -> {
                f.hasTs = true;
                f.ts = in.nanoseconds();
            }
            case Gap.DUR -> {
                f.hasDur = true;
                f.dur = in.nanoseconds();
            }
            case Gap.NAME -> f.name = textual();
            case Gap.CATEGORY -> f.category = repeated(gap);
            case Gap.PROCESS -> f.process = repeated(gap);
            case Gap.THREAD -> f.thread = repeated(gap);
            case Gap.ID -> {
                f.idText = in.pos;
                f.id = in.identifier();
                f.idTextEnd = in.pos;
            }
            case Gap.NO_ARGUMENTS -> in.skip();
            case Gap.ARGUMENT -> argument(gap);
            default -> {
                int value = in.skip();
                if (texts != null) {
                    texts.field(gap.key, gap.keyLength, in.buffer, value, in.pos);
                }
            }
        }
    }

    /** As {@link #textual}, of a field whose value is often that of the event before. */
    private int repeated(Gap gap) throws Stop {
        JsonCursor in = cursor;
        int first = in.pos;
        if (gap.isKnownValue(in.buffer, first)) {
            in.pos = first + gap.valueLength();
            return gap.valueId();
        }
        int id = textual();
        if (in.notes == 0) {
            gap.remember(in.buffer, first, in.pos, id);
        }
        return id;
    }

    private void phase() throws Stop {
        int c = cursor.peek();
        byte[] b = cursor.buffer;
        int p = cursor.pos;
        if (c == '"' && b[p + 2] == '"' && b[p + 1] > ' ' && b[p + 1] != '\\') {
            fields.phase = b[p + 1];
            cursor.pos = p + 3;
            return;
        }
        if (c == '"') {
            cursor.string();
            String text = cursor.text();
            if (text.length() == 1 && text.charAt(0) > ' ' && text.charAt(0) < 0x7F) {
                fields.phase = text.charAt(0);
                return;
            }
        } else {
            cursor.skip();
        }
        fields.oddPhase = true;
    }

    /** Takes a text or number as text; -1 for anything else. */
    private int textual() throws Stop {
        int c = cursor.peek();
        if (c == '"') {
            cursor.string();
            return content();
        }
        int first = cursor.skip();
        boolean number = c == '-' || c >= '0' && c <= '9';
        return number ? recent.intern(cursor.buffer, first, cursor.pos) : -1;
    }

    /** Pool id of the string that was just taken. */
    private int content() {
        if (cursor.encoded) {
            byte[] text =
                    JsonText.decode(cursor.buffer, cursor.start, cursor.end).getBytes(StandardCharsets.UTF_8);
            return strings.intern(Arrays.copyOf(text, text.length + Long.BYTES), 0, text.length);
        }
        return recent.intern(cursor.buffer, cursor.start, cursor.end);
    }

    private void argument(Gap gap) throws Stop {
        ArgKey key = gap.argument;
        if (key == null || key.isDetail() && !details) {
            skip(gap);
            return;
        }
        int first = cursor.pos;
        argument(key, gap);
        if (texts != null) {
            int role = key == ArgKey.CORRELATION
                    ? RecordedText.CORRELATION
                    : key == ArgKey.EXTERNAL_ID ? RecordedText.EXTERNAL_ID : RecordedText.PLAIN;
            record(gap.word, role, first, texts);
        }
    }

    /** Keeps the value that was just taken, which began at this place. */
    private void record(int key, int role, int first, RecordedText into) {
        byte[] b = cursor.buffer;
        int end = cursor.pos;
        int p = first;
        while (p < end && b[p] >= '0' && b[p] <= '9') {
            p++;
        }
        if (p == end && p - first <= ArgumentTokens.MOST_DIGITS) {
            into.digits(key, role, b, first, end);
        } else if (end - first < KnownText.LONGEST) {
            into.known(key, role, into.word(b, first, end));
        } else {
            into.text(key, role, b, first, end);
        }
    }

    /** Takes a value that is not looked at. */
    private void skip(Gap gap) throws Stop {
        JsonCursor in = cursor;
        byte[] b = in.buffer;
        int first = in.pos;
        int c = b[first];
        if (c >= '0' && c <= '9') {
            int p = first;
            do {
                c = b[++p];
            } while (c >= '0' && c <= '9');
            boolean sound = b[first] != '0' || p == first + 1;
            if (sound && p - first <= ArgumentTokens.MOST_DIGITS && (c == ',' || c == '\n' || c == ' ' || c == '}')) {
                in.pos = p;
                if (texts != null) {
                    texts.digits(gap.word, RecordedText.PLAIN, b, first, p);
                }
                return;
            }
        } else if (c == '"' && texts == null) {
            in.string();
            return;
        } else if (gap.isKnownValue(b, first)) {
            in.pos = first + gap.valueLength();
            if (texts != null) {
                texts.known(gap.word, RecordedText.PLAIN, gap.valueId());
            }
            return;
        }
        in.skip();
        if (texts == null) {
            if (in.notes == 0) {
                gap.remember(b, first, in.pos, -1);
            }
        } else if (in.pos - first >= KnownText.LONGEST) {
            texts.text(gap.word, RecordedText.PLAIN, b, first, in.pos);
        } else {
            int word = texts.word(b, first, in.pos);
            texts.known(gap.word, RecordedText.PLAIN, word);
            if (in.notes == 0) {
                gap.remember(b, first, in.pos, word);
            }
        }
    }

    private void argument(ArgKey key, Gap gap) throws Stop {
        switch (key.reading) {
            case NUMBER -> fields.set(key, number());
            case SIGNED -> fields.set(key, cursor.integer());
            case POSITIVE -> {
                long number = number();
                if (number > 0) {
                    fields.set(key, number);
                }
            }
            case REAL -> fields.set(key, real());
            case TEXT -> fields.set(key, textual());
            case STRUCTURE -> fields.set(key, structure(gap, structured));
            case LISTS -> fields.set(key, structure(gap, argumentLists));
            case LOOSE -> fields.set(key, loose());
        }
    }

    /** An integer; -1 for anything else. */
    private long number() throws Stop {
        long value = cursor.integer();
        return value == JsonCursor.NOT_A_NUMBER ? -1 : value;
    }

    /** The bits of a double; -1 for anything that is no number. */
    private long real() throws Stop {
        double value = cursor.real();
        return Double.isNaN(value) ? -1 : Double.doubleToRawLongBits(value);
    }

    /** As {@link #structure(CompactJson)}, of an argument whose value is often that of an event before. */
    private int structure(Gap gap, CompactJson spelled) throws Stop {
        JsonCursor in = cursor;
        int first = in.pos;
        if (gap.isKnownValue(in.buffer, first)) {
            in.pos = first + gap.valueLength();
            return gap.valueId();
        }
        int id = structure(spelled);
        if (in.notes == 0) {
            gap.remember(in.buffer, first, in.pos, id);
        }
        return id;
    }

    /** Any value as compact JSON text; one that is not quite JSON is made JSON first. */
    private int structure(CompactJson spelled) throws Stop {
        JsonCursor in = cursor;
        int before = in.notes;
        in.notes = 0;
        int first = in.skip();
        int noted = in.notes;
        in.notes = before | noted;
        if (noted == 0) {
            return spelled.intern(in.buffer, first, in.pos);
        }
        byte[] clean = CleanJson.clean(Arrays.copyOfRange(in.buffer, first, in.pos), noted);
        return spelled.intern(Arrays.copyOf(clean, clean.length + Long.BYTES), 0, clean.length);
    }

    /** A text as it is, anything else as compact JSON text; an empty text and null count as absent. */
    private int loose() throws Stop {
        if (cursor.peek() == 'n') {
            cursor.skip();
            return -1;
        }
        if (cursor.peek() == '"') {
            cursor.string();
            int text = content();
            return text == emptyText ? -1 : text;
        }
        return structure(structured);
    }

    private void problem(Weight weight, String code, String message, int at) {
        builder.diagnostics().add(weight, code, message, base + at);
    }
}
