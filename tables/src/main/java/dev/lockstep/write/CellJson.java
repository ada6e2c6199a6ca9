// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import java.io.IOException;

/** Reads and copies the JSON text of structured cells, of any depth and length, without recursion. */
final class CellJson {
    private CellJson() {}

    /** A factory without the library's limits: cells are as deep and as long as the trace made them. */
    static JsonFactory factory() {
        StreamReadConstraints read = StreamReadConstraints.builder()
                .maxNestingDepth(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .maxNumberLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .build();
        StreamWriteConstraints write = StreamWriteConstraints.builder()
                .maxNestingDepth(Integer.MAX_VALUE)
                .build();
        return JsonFactory.builder()
                .streamReadConstraints(read)
                .streamWriteConstraints(write)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .build();
    }

    /** Copies a JSON value into a document; what is no JSON is copied as text. Numbers keep their digits. */
    static void copy(JsonFactory json, String cell, JsonGenerator out) throws IOException {
        if (!isValue(json, cell)) {
            out.writeString(Unicode.wellFormed(cell));
            return;
        }
        try (JsonParser parser = json.createParser(cell)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case FIELD_NAME -> out.writeFieldName(Unicode.wellFormed(parser.currentName()));
                    case VALUE_STRING -> out.writeString(Unicode.wellFormed(parser.getText()));
                    case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.writeNumber(parser.getText());
                    default -> out.copyCurrentEvent(parser);
                }
            }
        }
    }

    private static boolean isValue(JsonFactory json, String cell) throws IOException {
        try (JsonParser parser = json.createParser(cell)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return false;
            }
            if (first.isStructStart()) {
                parser.skipChildren();
            } else {
                parser.getText();
            }
            return parser.nextToken() == null;
        } catch (com.fasterxml.jackson.core.JacksonException e) {
            return false;
        }
    }
}
