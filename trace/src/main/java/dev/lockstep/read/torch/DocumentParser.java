// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.CleanJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonMender;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Follows the outline of a trace document: an object with {@code traceEvents} among other keys, or an array of events
 * alone. It can stop anywhere between two values and go on in another block.
 */
final class DocumentParser {
    private enum Section {
        START,
        KEY,
        LONG_VALUE,
        AFTER_VALUE,
        EVENTS,
        END
    }

    private static final String EVENTS = "traceEvents";

    private static final int LARGEST_METADATA = 1 << 20;
    /** With that much text, what is damaged outside of the events is given up. */
    private static final int LONGEST_OUTLINE = Math.min(1 << 24, JsonWindow.LONGEST);

    /** Keys of a document that no object in it has: where one stands, it stands at the top. */
    private static final Set<String> OUTERMOST = Set.of(
            EVENTS,
            "deviceProperties",
            "distributedInfo",
            "baseTimeNanoseconds",
            "schemaVersion",
            "displayTimeUnit",
            "traceName",
            "trace_id");

    private static final int LARGEST_KEPT_METADATA = Math.min(1 << 27, JsonWindow.LONGEST / 2);

    private final String source;
    private final TraceBuilder builder;
    private final JsonCursor cursor = new JsonCursor();
    private final Map<String, String> metadata = new TreeMap<>();
    private final int largestMetadata;
    private EventParser events;
    private int eventsBefore;
    private Section section = Section.START;
    private boolean topIsArray;
    private int arrays;
    private long blockOffset;
    /** Where in the block the member of the outline begins that was read last; -1 when it is in another block. */
    private int memberAt = -1;

    private boolean trailingReported;
    private LongValue longValue = new LongValue();

    DocumentParser(String source, TraceBuilder builder, boolean details) {
        this.source = source;
        this.builder = builder;
        this.events = new EventParser(builder, details);
        this.largestMetadata = builder.recorder() == null ? LARGEST_METADATA : LARGEST_KEPT_METADATA;
    }

    /** Whether the next byte belongs to the array of events, between two of them. */
    boolean inEvents() {
        return section == Section.EVENTS;
    }

    /** Whether reading goes on at the next place that looks like an event, wherever that is. */
    boolean seeks() {
        return events.seeks();
    }

    /** Whether the document is whole; an array of events may lack its bracket. */
    boolean isWhole() {
        return section == Section.END || section == Section.EVENTS && topIsArray;
    }

    /** Whether an array of events was found. */
    boolean hasEvents() {
        return arrays > 0;
    }

    /** Whether the document is the list of events itself. */
    boolean topIsArray() {
        return topIsArray;
    }

    /** What stands at the top beside the events: key to JSON text. */
    Map<String, String> metadata() {
        return metadata;
    }

    /** Takes over what was read elsewhere from a block of events; {@code closed} when the array ended in it. */
    void accept(TraceBuilder block, int eventCount, boolean closed) {
        builder.append(block, eventCount());
        eventsBefore += eventCount;
        events.passed(eventCount);
        if (closed) {
            closeEvents();
        }
    }

    void finish() {
        events.finish();
    }

    /**
     * Reads on.
     *
     * @param last whether nothing follows the block
     * @return the place from where the text is needed again, together with what follows; {@code to} when there is none
     * @throws TraceFormatException when this is no trace
     */
    int parse(byte[] block, int from, int to, long offset, boolean last) throws TraceFormatException {
        cursor.set(block, from, to);
        blockOffset = offset;
        memberAt = -1;
        int at = from;
        while (true) {
            try {
                while (true) {
                    cursor.peek();
                    at = cursor.pos;
                    if (at >= to) {
                        if (!last || !unclosed(to)) {
                            return to;
                        }
                        continue;
                    }
                    if (section == Section.EVENTS) {
                        switch (events.parse(block, at, to, offset, last)) {
                            case OPEN -> {
                                return to;
                            }
                            case INCOMPLETE -> {
                                return events.position();
                            }
                            case CLOSED -> {
                                cursor.pos = events.position();
                                memberAt = -1;
                                closeEvents();
                            }
                        }
                    } else if (section == Section.END && !closedTooEarly(at)) {
                        trailing(offset + at);
                        return to;
                    } else {
                        outline(at);
                    }
                }
            } catch (Stop stop) {
                int goOn = stop == Stop.INCOMPLETE ? incomplete(at, to, last) : malformed(at, to, last);
                if (goOn >= 0) {
                    return goOn;
                }
            }
        }
    }

    /** Where the document ends without events behind a whole value: whether they lie in that value, whose bracket is missing. */
    private boolean unclosed(int to) {
        if (arrays > 0 || memberAt < 0 || section != Section.AFTER_VALUE) {
            return false;
        }
        cursor.failedAt = memberAt;
        cursor.expected = "an end of the value that begins here";
        return toEvents(memberAt, to);
    }

    /**
     * What to do where the text ends within the outline.
     *
     * @return the place from where the text is needed again; -1 to read on
     */
    private int incomplete(int at, int to, boolean last) throws TraceFormatException {
        boolean tooLong = to - at > JsonWindow.LONGEST;
        if (arrays == 0 && section == Section.KEY && (last || to - at > LARGEST_METADATA)) {
            cursor.failedAt = at;
            cursor.expected = "the end of the value that begins here";
            if (toEvents(at, to)) {
                return -1;
            }
        }
        if (!tooLong) {
            return at;
        }
        cursor.failedAt = at;
        cursor.expected = "a key of at most " + (JsonWindow.LONGEST >> 20) + " MiB";
        damaged();
        return to;
    }

    /** As {@link #incomplete}, where the outline is damaged. */
    private int malformed(int at, int to, boolean last) throws TraceFormatException {
        int document = section == Section.START ? EventListStart.documentWith(cursor.buffer, at, to) : -1;
        if (document > at) {
            builder.diagnostics()
                    .add(
                            Weight.REPAIRED,
                            "syntax",
                            problem() + "; the text before the trace was passed over",
                            blockOffset + at);
            cursor.pos = document;
            return -1;
        }
        if (section != Section.START && section != Section.END) {
            int from = memberAt >= 0 ? memberAt : at;
            if (toEvents(from, to)) {
                return -1;
            }
            if (!last && to - from <= LONGEST_OUTLINE) {
                section = memberAt >= 0 ? Section.KEY : section;
                return from;
            }
            if (arrays == 0 && toFirstEvent(from, to)) {
                return -1;
            }
            if (arrays > 0 && last && tail(from, to)) {
                return to;
            }
        }
        damaged();
        return to;
    }

    /** Goes to the list of events, if it begins in this text, and keeps what can be read of the members before it. */
    private boolean toEvents(int from, int to) {
        EventListStart list = EventListStart.next(cursor.buffer, from, to);
        if (list == null) {
            return false;
        }
        repaired(members(from, list.key()));
        arrays++;
        section = Section.EVENTS;
        cursor.pos = list.begin();
        return true;
    }

    /** Goes to the first event of a list that nothing announces. */
    private boolean toFirstEvent(int from, int to) {
        int first = EventListStart.firstEvent(cursor.buffer, from, to);
        if (first < 0) {
            return false;
        }
        members(from, first);
        repaired(false); // the key of the list, if nothing else
        arrays++;
        section = Section.EVENTS;
        cursor.pos = first;
        return true;
    }

    /** Keeps what can be read behind the events; false when that is nothing. */
    private boolean tail(int from, int to) {
        int before = metadata.size();
        boolean whole = members(from, to);
        if (!whole && metadata.size() == before) {
            return false;
        }
        repaired(whole);
        section = Section.END;
        trailingReported = true;
        return true;
    }

    /**
     * Keeps the members of the outline that can be made out between two places, one of which is damaged.
     *
     * @return whether nothing of the text was dropped
     */
    private boolean members(int from, int to) {
        byte[] text = new byte[to - from + 2];
        text[0] = '{';
        System.arraycopy(cursor.buffer, from, text, 1, to - from);
        text[to - from + 1] = '}';
        JsonMender.Mended mended = JsonMender.document(text, OUTERMOST);
        if (mended == null) {
            return false;
        }
        JsonCursor in = new JsonCursor();
        in.set(mended.json(), 1, mended.length());
        try {
            for (boolean first = true; in.member(first); first = false) {
                in.key();
                String key = in.text();
                int value = in.skip();
                if (in.pos - value <= largestMetadata && !key.equals(EVENTS)) {
                    metadata.put(key, new String(mended.json(), value, in.pos - value, StandardCharsets.UTF_8));
                }
            }
        } catch (Stop stop) {
            throw new IllegalStateException("what was mended is JSON", stop);
        }
        return mended.whole() && !mended.dropped();
    }

    private void repaired(boolean whole) {
        builder.diagnostics()
                .add(
                        whole ? Weight.REPAIRED : Weight.LOSS,
                        "syntax",
                        problem() + "; the value was mended" + (whole ? "" : ", or a part of it was lost"),
                        blockOffset + cursor.failedAt);
    }

    private void closeEvents() {
        section = topIsArray ? Section.END : Section.AFTER_VALUE;
    }

    private int eventCount() {
        return eventsBefore + events.events();
    }

    private void outline(int at) throws Stop {
        int c = cursor.peek();
        switch (section) {
            case START -> {
                if (at == 0 && c == (byte) 0xEF && JsonCursor.word(cursor.buffer, 0) << 40 == 0xBFBBEFL << 40) {
                    cursor.pos += 3;
                } else if (c == '[') {
                    cursor.pos++;
                    topIsArray = true;
                    arrays++;
                    section = Section.EVENTS;
                } else {
                    cursor.take('{', "'{' or '[' at the beginning of a trace");
                    section = cursor.peek() == '}' ? Section.END : Section.KEY;
                    if (section == Section.END) {
                        cursor.pos++;
                    }
                }
            }
            case KEY -> {
                if (c == '{' && arrays > 0) {
                    reopen(at);
                } else {
                    keyAndValue(c);
                }
            }
            case LONG_VALUE -> {
                cursor.pos = longValue.skip(cursor.buffer, at, cursor.limit);
                section = longValue.ended() ? Section.AFTER_VALUE : Section.LONG_VALUE;
            }
            case AFTER_VALUE -> {
                if (c == '}') {
                    cursor.pos++;
                    section = Section.END;
                } else if (c == '{' && arrays > 0) {
                    reopen(at);
                } else {
                    cursor.take(',', "',' or '}' after a value");
                    section = Section.KEY;
                }
            }
            default -> throw new IllegalStateException(section.name());
        }
    }

    /** Whether the document goes on behind its end: a brace too many closed it. */
    private boolean closedTooEarly(int at) {
        if (topIsArray || trailingReported || cursor.buffer[at] != ',') {
            return false;
        }
        cursor.pos = at + 1;
        boolean goesOn = arrays == 0 || cursor.peek() == '"';
        cursor.pos = at;
        if (goesOn) {
            builder.diagnostics()
                    .add(
                            Weight.REPAIRED,
                            "syntax",
                            "expected the end of the document, found ',': it was closed too early and read on",
                            blockOffset + at);
            section = Section.AFTER_VALUE;
            memberAt = -1;
        }
        return goesOn;
    }

    /** Where an object stands in place of a key, a bracket has closed the list of events too early. */
    private void reopen(int at) {
        builder.diagnostics()
                .add(
                        Weight.LOSS,
                        "syntax",
                        "expected a key, found '{': the list of events was closed too early and read on",
                        blockOffset + at);
        section = Section.EVENTS;
    }

    private void keyAndValue(int c) throws Stop {
        memberAt = cursor.pos;
        if (c != '"') {
            throw cursor.malformed(cursor.pos, "a key in quotes");
        }
        cursor.notes = 0;
        cursor.string();
        String key = cursor.text();
        cursor.take(':', "':' after a key");
        int next = cursor.peek();
        boolean isList = key.equals(EVENTS) && next == '[';
        boolean lacksBracket = !isList
                && key.equals(EVENTS)
                && next == '{'
                && EventBoundary.isObjectOfEvent(cursor.buffer, cursor.pos, cursor.limit);
        if (isList || lacksBracket) {
            if (lacksBracket) {
                builder.diagnostics()
                        .add(
                                Weight.REPAIRED,
                                "syntax",
                                "expected '[' before the events, found '{'",
                                blockOffset + cursor.pos);
            }
            cursor.pos += isList ? 1 : 0;
            if (++arrays == 2) {
                builder.diagnostics()
                        .add(
                                Weight.REPAIRED,
                                "duplicate_key",
                                "the key traceEvents stands twice: several programs seem to have written into one file;"
                                        + " both lists were read",
                                -1);
            }
            section = Section.EVENTS;
            return;
        }
        int value = cursor.pos;
        int first;
        try {
            first = cursor.skip();
        } catch (Stop stop) {
            if (stop == Stop.INCOMPLETE && cursor.limit - value > largestMetadata) {
                longValue = new LongValue();
                section = Section.LONG_VALUE;
                cursor.pos = value;
                return;
            }
            throw stop;
        }
        if (cursor.pos - first <= largestMetadata && cursor.pos < cursor.limit) {
            byte[] text = Arrays.copyOfRange(cursor.buffer, first, cursor.pos);
            boolean mend = cursor.notes != 0 && builder.recorder() != null;
            metadata.put(key, new String(mend ? CleanJson.clean(text, cursor.notes) : text, StandardCharsets.UTF_8));
        }
        section = Section.AFTER_VALUE;
    }

    private void trailing(long position) {
        if (trailingReported) {
            return;
        }
        trailingReported = true;
        int c = cursor.peek();
        if (c == '{' || c == '[') {
            builder.diagnostics()
                    .add(
                            Weight.LOSS,
                            "second_document",
                            "a second document follows the first: several programs seem to have written into one file;"
                                    + " only the first was read",
                            position);
        } else {
            builder.diagnostics()
                    .add(
                            Weight.REPAIRED,
                            "trailing_data",
                            "text follows the end of the document; it was not read",
                            position);
        }
    }

    private String problem() {
        int c = cursor.buffer[cursor.failedAt] & 0xFF;
        String found = c > ' ' && c < 0x7F ? "'" + (char) c + "'" : "byte 0x" + Integer.toHexString(c);
        return "expected " + cursor.expected + ", found " + found;
    }

    private void damaged() throws TraceFormatException {
        long position = blockOffset + cursor.failedAt;
        String problem = problem();
        if (arrays == 0) {
            throw new TraceFormatException(
                    section == Section.START ? ErrorCode.FORMAT_UNKNOWN : ErrorCode.FORMAT_CORRUPT,
                    source,
                    position,
                    problem,
                    TraceFormat.KINETO.hint());
        }
        builder.diagnostics().add(Weight.LOSS, "syntax", problem + "; nothing was read from here on", position);
        section = Section.END;
        trailingReported = true;
    }
}
