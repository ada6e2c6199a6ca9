// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A trace document taken apart into its events, as they stand. */
public record RawEvents(String head, List<String> events, String tail) {
    /** Takes a document apart. */
    public static RawEvents of(byte[] document) {
        String text = new String(document, StandardCharsets.UTF_8);
        List<String> events = new ArrayList<>();
        int from = 0;
        int to = 0;
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            while (!(parser.nextToken() == JsonToken.START_ARRAY && "traceEvents".equals(parser.currentName()))) {
                // not there yet
            }
            from = (int) parser.currentLocation().getCharOffset();
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                int start = (int) parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                events.add(text.substring(start, (int) parser.currentLocation().getCharOffset()));
            }
            to = (int) parser.currentTokenLocation().getCharOffset();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RawEvents(text.substring(0, from), List.copyOf(events), text.substring(to));
    }

    /** The document with its events in another order. */
    public byte[] shuffled(long seed) {
        List<String> other = new ArrayList<>(events);
        Collections.shuffle(other, new Random(seed));
        return document(other);
    }

    /** The document with these events instead. */
    public byte[] document(List<String> instead) {
        return (head + String.join(",\n", instead) + tail).getBytes(StandardCharsets.UTF_8);
    }
}
