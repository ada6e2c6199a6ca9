// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.CleanJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
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

    private static final int LARGEST_METADATA = 1 << 20;
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
        int at = from;
        try {
            while (true) {
                cursor.peek();
                at = cursor.pos;
                if (at >= to) {
                    return to;
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
                            closeEvents();
                        }
                    }
                } else if (section == Section.END) {
                    trailing(offset + at);
                    return to;
                } else {
                    outline(at);
                }
            }
        } catch (Stop stop) {
            if (stop == Stop.INCOMPLETE && to - at <= JsonWindow.LONGEST) {
                return at;
            }
            if (stop == Stop.INCOMPLETE) {
                cursor.failedAt = at;
                cursor.expected = "a key of at most " + (JsonWindow.LONGEST >> 20) + " MiB";
            }
            damaged(offset);
            return to;
        }
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
        if (c != '"') {
            throw cursor.malformed(cursor.pos, "a key in quotes");
        }
        cursor.notes = 0;
        cursor.string();
        String key = cursor.text();
        cursor.take(':', "':' after a key");
        int next = cursor.peek();
        if (key.equals("traceEvents") && next == '[') {
            cursor.pos++;
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

    private void damaged(long offset) throws TraceFormatException {
        long position = offset + cursor.failedAt;
        int c = cursor.buffer[cursor.failedAt] & 0xFF;
        String found = c > ' ' && c < 0x7F ? "'" + (char) c + "'" : "byte 0x" + Integer.toHexString(c);
        String problem = "expected " + cursor.expected + ", found " + found;
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
