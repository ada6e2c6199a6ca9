// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.EVENT_CATEGORY_IID;
import static dev.lockstep.codec.PerfettoFormat.EVENT_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.EVENT_DOUBLE_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.EVENT_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.EVENT_TRACK;
import static dev.lockstep.codec.PerfettoFormat.EVENT_TYPE;
import static dev.lockstep.codec.PerfettoFormat.TYPE_BEGIN;
import static dev.lockstep.codec.PerfettoFormat.TYPE_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.TYPE_END;
import static dev.lockstep.codec.PerfettoFormat.TYPE_INSTANT;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.model.ArgumentTokens;
import dev.lockstep.model.Marks;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.table.LongOrder;
import dev.lockstep.timeline.AsyncSlices;
import dev.lockstep.timeline.MarksAsInstants;
import dev.lockstep.timeline.RankTimeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Instants, values of counters and asynchronous slices, in the order of their times. What the format has no event for is
 * an instant that says what it was.
 */
final class MarkEvents {
    /** Phases that an instant is the event for, and edges without a partner, which say so. */
    private static final String MOMENTS = "iIRBE";

    /** Argument that tells the phase. */
    private static final String PHASE = "event.ph";

    /** Numbers that are longer may be beyond a long. */
    private static final int LONG_DIGITS = 18;

    private final RankTimeline rank;
    private final Marks marks;
    private final Packets packets;
    private final Interned interned;
    private final RankTracks tracks;
    private final RecordedArguments recordedArguments;
    private final DebugAnnotations arguments;
    private final RecordedTexts.Cursor recorded;
    private final ArgumentTokens tokens;
    private final ProtoBuffer event = new ProtoBuffer();
    private final AsyncSlices async;
    private final int[] order;
    private final long[] times;
    private int at;

    MarkEvents(
            RankTimeline rank,
            RecordedTexts texts,
            Packets packets,
            Interned interned,
            RankTracks tracks,
            RecordedArguments recordedArguments) {
        this.rank = rank;
        this.marks = rank.trace().marks();
        this.packets = packets;
        this.interned = interned;
        this.tracks = tracks;
        this.recordedArguments = recordedArguments;
        this.arguments = recordedArguments.ofText();
        this.recorded = texts.cursor();
        this.tokens = texts.tokens();
        order = rank.marks().clone();
        times = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            times[i] = marks.ts(order[i]);
        }
        LongOrder.sort(times, order);
        async = new AsyncSlices(rank, order, recorded);
    }

    /** Time of the next in the timeline; the largest number when there is none. */
    long next() {
        return at < order.length ? rank.clock().applyAsLong(times[at]) : Long.MAX_VALUE;
    }

    /** Writes the next. */
    void write() throws IOException {
        int mark = order[at];
        char phase = marks.phase(mark);
        if (phase == 'C') {
            if (!counter(mark)) {
                instant(mark);
            }
        } else if (!async.isPaired(at)) {
            instant(mark);
        } else if (AsyncSlices.isBegin(phase)) {
            event(TYPE_BEGIN, mark, track(mark));
        } else {
            event.clear();
            event.field(EVENT_TYPE, TYPE_END);
            event.field(EVENT_TRACK, track(mark));
            arguments(mark);
            packets.event(next(), event, interned.news());
        }
        at++;
    }

    private long track(int mark) throws IOException {
        String name = rank.trace().strings().get(marks.name(mark));
        return tracks.async(rank.rowOfTrack()[marks.track(mark)], async.key(mark), name);
    }

    private void instant(int mark) throws IOException {
        event(TYPE_INSTANT, mark, tracks.row(rank.rowOfTrack()[marks.track(mark)]));
    }

    private void event(int type, int mark, long track) throws IOException {
        event.clear();
        event.field(EVENT_TYPE, type);
        event.field(EVENT_TRACK, track);
        if (marks.category(mark) >= 0) {
            event.field(EVENT_CATEGORY_IID, interned.category(marks.category(mark)));
        }
        event.field(EVENT_NAME_IID, interned.name(marks.name(mark)));
        arguments(mark);
        if (type == TYPE_INSTANT) {
            explain(mark);
        }
        packets.event(next(), event, interned.news());
    }

    private void arguments(int mark) {
        if (tokens.move(mark)) {
            ArgumentWords known = recordedArguments.words(tokens);
            while (tokens.next()) {
                recordedArguments.add(tokens, known, known.name(tokens.key), event);
            }
        } else if (recorded.move(mark)) {
            arguments.add(recorded.bytes, recorded.arguments, recorded.argumentsEnd, event);
        }
    }

    /** Says of an instant that it was something else: an edge without a partner, or a phase, with its ids. */
    private void explain(int mark) {
        char phase = marks.phase(mark);
        boolean begin = phase == 'B' || AsyncSlices.isBegin(phase);
        if (begin || phase == 'E' || AsyncSlices.isEnd(phase)) {
            arguments.add("unpaired", begin ? "begin" : "end", event);
        }
        if (MOMENTS.indexOf(phase) < 0) {
            arguments.add(PHASE, String.valueOf(phase), event);
            recorded.move(mark);
            arguments.addFields(recorded.bytes, recorded.fields, recorded.fieldsEnd, event);
        }
    }

    /** Each numeric argument is a counter of its own, named after the event and the argument; false if there is none. */
    private boolean counter(int mark) throws IOException {
        recorded.move(mark);
        if (recorded.argumentsEnd == recorded.arguments) {
            return false;
        }
        String name = rank.trace().strings().get(marks.name(mark));
        String text = "{"
                + new String(
                        recorded.bytes,
                        recorded.arguments,
                        recorded.argumentsEnd - recorded.arguments,
                        StandardCharsets.UTF_8)
                + "}";
        Map<String, Number> series = values(text);
        String id = idOf(recorded.fields, recorded.fieldsEnd);
        for (Map.Entry<String, Number> value : series.entrySet()) {
            String of = value.getKey();
            boolean named = of.isEmpty() || of.equals("value") || of.equals(name);
            String track = (named ? name : name + " " + of) + id;
            event.clear();
            event.field(EVENT_TYPE, TYPE_COUNTER);
            event.field(EVENT_TRACK, tracks.counter(rank.rowOfTrack()[marks.track(mark)], track));
            if (value.getValue() instanceof Long whole) {
                event.field(EVENT_COUNTER, whole);
            } else {
                event.field(EVENT_DOUBLE_COUNTER, value.getValue().doubleValue());
            }
            packets.event(next(), event, interned.news());
        }
        return !series.isEmpty();
    }

    /** What tells counters of one name apart, in brackets; empty for nothing. */
    private String idOf(int from, int to) throws IOException {
        if (from == to) {
            return "";
        }
        String fields = "{" + new String(recorded.bytes, from, to - from, StandardCharsets.UTF_8) + "}";
        try (JsonParser parser = Json.UNLIMITED.createParser(fields)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String key = parser.currentName();
                if (parser.nextToken().isScalarValue() && key.equals("id")) {
                    return "[" + parser.getText() + "]";
                }
                parser.skipChildren();
            }
        }
        return "";
    }

    private Map<String, Number> values(String text) throws IOException {
        Map<String, Number> values = new LinkedHashMap<>();
        try (JsonParser parser = Json.UNLIMITED.createParser(text)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String key = parser.currentName();
                JsonToken token = parser.nextToken();
                if (token == JsonToken.VALUE_NUMBER_INT) {
                    boolean wide = parser.getTextLength() > LONG_DIGITS; // whole numbers of any length take their time
                    values.put(key, wide ? (Number) parser.getDoubleValue() : (Number) parser.getLongValue());
                } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
                    values.put(key, parser.getDoubleValue());
                } else if (token == JsonToken.VALUE_STRING && MarksAsInstants.isNumber(parser.getText())) {
                    values.put(key, Double.parseDouble(parser.getText()));
                }
                parser.skipChildren();
            }
        }
        return values;
    }
}
