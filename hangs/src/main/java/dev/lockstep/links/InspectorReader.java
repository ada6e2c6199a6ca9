// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.ByteSource;
import dev.lockstep.codec.Json;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads records of NCCL's Inspector, versions 4 and 5: an object for each operation, one a line or indented. A record begins where a
 * line begins with a brace, so that a damaged one costs no other.
 */
final class InspectorReader {
    private static final int BLOCK = 1 << 16;
    private static final int LONGEST = 1 << 22;
    private static final int MOST_TEXTS = 1 << 16;

    private final Consumer<InspectorRecord> sink;
    private final InspectorRecord record = new InspectorRecord();
    private final Map<String, String> texts = new HashMap<>();
    private byte[] text = new byte[BLOCK];
    private int size;
    private boolean tooLong;
    private long damaged;

    InspectorReader(Consumer<InspectorRecord> sink) {
        this.sink = sink;
    }

    /** Reads to the end; returns how many records could not be read. */
    long read(ByteSource source) throws IOException {
        byte[] block = new byte[BLOCK];
        boolean lineBegins = true;
        for (int n = source.read(block, 0, BLOCK); n > 0; n = source.read(block, 0, BLOCK)) {
            for (int i = 0; i < n; i++) {
                byte b = block[i];
                if (lineBegins && b == '{') {
                    end();
                }
                lineBegins = b == '\n';
                add(b);
            }
        }
        end();
        return damaged;
    }

    private void add(byte b) {
        if (size == text.length) {
            tooLong |= size >= LONGEST;
            if (tooLong) {
                return;
            }
            text = Arrays.copyOf(text, 2 * size);
        }
        text[size++] = b;
    }

    private void end() throws IOException {
        int from = 0;
        while (from < size && text[from] <= ' ') {
            from++;
        }
        if (from < size) {
            try (JsonParser parser = Json.FACTORY.createParser(text, from, size - from)) {
                if (tooLong) {
                    damaged++;
                } else {
                    record(parser);
                }
            } catch (JsonProcessingException e) {
                damaged++;
            }
        }
        size = 0;
        tooLong = false;
    }

    private void record(JsonParser parser) throws IOException {
        record.next();
        int depth = 0;
        boolean pending = false;
        boolean isList = false;
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new JsonParseException(parser, "no object");
        }
        do {
            JsonToken token = parser.currentToken();
            if (token == null) {
                throw new JsonParseException(parser, "the record ends too early");
            }
            switch (token) {
                case START_OBJECT, START_ARRAY -> {
                    depth++;
                    isList = depth == 2 ? token == JsonToken.START_ARRAY : isList;
                }
                case END_OBJECT, END_ARRAY -> {
                    depth--;
                    if (depth == 2 && isList && !record.operation.isEmpty()) { // one of a list of operations
                        sink.accept(record);
                        record.next();
                    }
                    pending |= depth == 1 && (!record.operation.isEmpty() || record.dropped > 0);
                }
                case FIELD_NAME -> member(parser);
                default -> {}
            }
            if (depth > 0) {
                parser.nextToken();
            }
        } while (depth > 0);
        if (pending) {
            sink.accept(record);
        }
    }

    private void member(JsonParser parser) throws IOException {
        String full = parser.currentName();
        boolean message = full.startsWith("p2p");
        String name = full.startsWith("coll_") ? full.substring(5) : full.startsWith("p2p_") ? full.substring(4) : full;
        switch (name) {
            case "id" -> record.communicator = text(parser);
            case "comm_name" -> record.name = text(parser);
            case "rank" -> record.rank = (int) number(parser);
            case "n_ranks" -> record.ranks = (int) number(parser);
            case "nnodes" -> record.nodes = (int) number(parser);
            case "hostname" -> record.host = text(parser);
            case "pid" -> record.process = (long) number(parser);
            case "dump_timestamp_us" -> record.writtenUs = (long) number(parser);
            case "coll", "p2p" -> {
                record.operation = text(parser);
                record.message = message;
            }
            case "algo" -> record.algorithm = text(parser);
            case "proto" -> record.protocol = text(parser);
            case "sn" -> record.sequence = (long) number(parser);
            case "peer" -> record.peer = (int) number(parser);
            case "msg_size_bytes" -> record.bytes = (long) number(parser);
            case "exec_time_us" -> record.nanos = Math.round(1000 * number(parser));
            case "busbw_gbs" -> record.busBandwidth = number(parser);
            case "start_ts" -> record.calledUs = (long) number(parser);
            case "dropped_total" -> record.dropped += Math.max(0, (long) number(parser));
            case "kernel_events", "events", "event_trace_sn" -> {
                parser.nextToken();
                parser.skipChildren();
            }
            default -> {}
        }
    }

    /** The number that comes next; 0 where none does. */
    private static double number(JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
            double value = new Json.Numeral(parser.getText()).value();
            return Double.isFinite(value) ? value : 0;
        }
        parser.skipChildren();
        return 0;
    }

    private String text(JsonParser parser) throws IOException {
        if (parser.nextToken() == JsonToken.VALUE_STRING
                || parser.currentToken().isNumeric()) {
            String read = parser.getText();
            return texts.size() < MOST_TEXTS ? texts.computeIfAbsent(read, t -> t) : texts.getOrDefault(read, read);
        }
        parser.skipChildren();
        return "";
    }
}
