// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A trace as an independent JSON parser reads it. */
record ParsedTrace(Map<String, @Nullable Object> root, List<Event> events) {

    static ParsedTrace of(byte[] json) {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            Map<String, @Nullable Object> root = cast(value(parser));
            if (parser.nextToken() != null) {
                throw new AssertionError("text after the trace");
            }
            List<Event> events = new ArrayList<>();
            for (Object event : (List<?>) root.getOrDefault("traceEvents", List.of())) {
                events.add(new Event(cast(event)));
            }
            return new ParsedTrace(root, events);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ParsedTrace of(TraceRecipe recipe, int rank) {
        return of(SyntheticRun.bytes(recipe, rank));
    }

    List<Event> where(Predicate<Event> wanted) {
        return events.stream().filter(wanted).toList();
    }

    List<Event> complete(String... categories) {
        List<String> wanted = List.of(categories);
        return where(event -> event.text("ph").equals("X") && wanted.contains(event.text("cat")));
    }

    List<Event> collectives() {
        return where(event -> event.is("kernel") && event.name().startsWith("nccl"));
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    if (members.containsKey(name)) {
                        throw new AssertionError("twice in one object: " + name);
                    }
                    members.put(name, value(parser));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<@Nullable Object> values = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    values.add(value(parser));
                }
                yield values;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NULL -> null;
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> parser.getDecimalValue();
        };
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> cast(@Nullable Object value) {
        return (Map<String, @Nullable Object>) value;
    }

    record Event(Map<String, @Nullable Object> members) {

        String text(String member) {
            return String.valueOf(members.get(member));
        }

        String name() {
            return text("name");
        }

        boolean is(String category) {
            return text("cat").equals(category);
        }

        /** Process and thread. */
        String track() {
            return text("pid") + '/' + text("tid");
        }

        long start() {
            return nanos("ts");
        }

        long duration() {
            return nanos("dur");
        }

        long end() {
            return start() + duration();
        }

        private long nanos(String member) {
            BigDecimal micros = (BigDecimal) members.getOrDefault(member, BigDecimal.ZERO);
            return micros.movePointRight(3).longValueExact();
        }

        Map<String, @Nullable Object> args() {
            return cast(members.getOrDefault("args", Map.of()));
        }

        long number(String argument) {
            return ((BigDecimal) args().getOrDefault(argument, BigDecimal.valueOf(-1))).longValueExact();
        }

        /** Whether it is host activity on a thread. */
        boolean isHost() {
            return is("cpu_op")
                    || is("user_annotation")
                    || is("python_function")
                    || is("cuda_runtime")
                    || is("cuda_driver");
        }

        boolean isDevice() {
            return is("kernel") || is("gpu_memcpy") || is("gpu_memset");
        }
    }
}
