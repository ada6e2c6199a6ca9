// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    /** The document with a begin and an end event instead of each complete one, on each thread in order of time. */
    public byte[] asPairs() {
        List<String> others = new ArrayList<>();
        Map<String, List<Complete>> threads = new TreeMap<>();
        for (String event : events) {
            if (event.contains("\"ph\": \"X\"")) {
                Complete complete = Complete.of(event);
                threads.computeIfAbsent(complete.place, place -> new ArrayList<>())
                        .add(complete);
            } else {
                others.add(event);
            }
        }
        for (List<Complete> thread : threads.values()) {
            thread.sort(Comparator.comparing(Complete::from).thenComparing(Complete::to, Comparator.reverseOrder()));
            Deque<Complete> open = new ArrayDeque<>();
            for (Complete complete : thread) {
                while (!open.isEmpty() && open.peek().to.compareTo(complete.from) <= 0) {
                    others.add(open.pop().end());
                }
                others.add(complete.begin());
                open.push(complete);
            }
            open.forEach(complete -> others.add(complete.end()));
        }
        return document(others);
    }

    private record Complete(String event, String place, BigDecimal from, BigDecimal to) {
        private static final Pattern DUR = Pattern.compile(",\\s*\"dur\": [0-9.]+");

        static Complete of(String event) {
            BigDecimal from = new BigDecimal(field(event, "ts"));
            BigDecimal to = from.add(new BigDecimal(field(event, "dur")));
            return new Complete(
                    event, "\"pid\": " + field(event, "pid") + ", \"tid\": " + field(event, "tid"), from, to);
        }

        private static String field(String event, String name) {
            Matcher m = Pattern.compile("\"" + name + "\": (\"[^\"]*\"|[^,}]+)").matcher(event);
            if (!m.find()) {
                throw new IllegalArgumentException("no " + name + " in " + event);
            }
            return m.group(1).strip();
        }

        String begin() {
            return DUR.matcher(event).replaceFirst("").replace("\"ph\": \"X\"", "\"ph\": \"B\"");
        }

        String end() {
            return "{\"ph\": \"E\", " + place + ", \"ts\": " + to.toPlainString() + ", \"name\": "
                    + field(event, "name") + "}";
        }
    }

    /** The document with these events instead. */
    public byte[] document(List<String> instead) {
        return (head + String.join(",\n", instead) + tail).getBytes(StandardCharsets.UTF_8);
    }
}
