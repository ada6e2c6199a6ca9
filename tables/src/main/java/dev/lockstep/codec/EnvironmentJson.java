// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * JSON without the values of environment variables and without other secrets. Variables are the members of an object that
 * is called {@code env}, {@code environment} or the like, or that holds one called {@code PATH} or {@code HOME}; they keep
 * their names. Depth costs memory, not stack.
 *
 * @param json the value, spelt as it was where nothing was left out
 * @param values how many values were left out
 */
public record EnvironmentJson(String json, long values) {
    private static final Pattern NAME = Pattern.compile(
            "(?:(?:os|sys|system|process|proc|shell|job|inherited|container|host|user|runtime)[-_. ]?)?"
                    + "(?:env|envs|environ|environment|environments|env(?:ironment)?[-_. ]?(?:vars?|variables?))",
            Pattern.CASE_INSENSITIVE);

    private static final Set<String> TELLING = Set.of("PATH", "HOME", "LD_LIBRARY_PATH", "PYTHONPATH", "USERPROFILE");

    /** Parts of names below which every text is secret. */
    private static final Pattern SECRET_PARTS = Pattern.compile("(?i)secret|passw|credential|cookie|private");

    /** Numbers are secret only where the name says nothing but that. */
    private static final Pattern COUNTED = Pattern.compile("(?i)tokens?|keys?|sessions?");

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .streamWriteConstraints(StreamWriteConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .build())
            .build();

    /**
     * The value of a member.
     *
     * @param name of the member; empty where it has none
     * @param json the value
     */
    public static EnvironmentJson of(String name, String json) {
        if (isPlain(json) && !Secrets.isSecretName(name)) {
            return new EnvironmentJson(json, 0);
        }
        try {
            return new Rewriting(Telling.of(json)).rewrite(name, json);
        } catch (IOException e) {
            Secrets secrets = new Secrets();
            String masked = isEnvironment(name) ? "\"" + Secrets.MASK + "\"" : secrets.text(json);
            return masked.equals(json) ? new EnvironmentJson(json, 0) : new EnvironmentJson(masked, 1);
        }
    }

    /** The object of these members, without brackets, in UTF-8. */
    public static EnvironmentJson ofMembers(String name, byte[] bytes, int from, int to) {
        return of(name, "{" + new String(bytes, from, to - from, StandardCharsets.UTF_8) + "}");
    }

    /** An event, which says of which kind it is by its member {@code name}. */
    public static EnvironmentJson ofEvent(String json) {
        return of("", json);
    }

    /** Whether a name says that environment variables follow. */
    private static boolean isEnvironment(String name) {
        return NAME.matcher(name).matches();
    }

    /** Numbers and the like, of which many files have many. */
    private static boolean isPlain(String json) {
        return json.length() < 20 && json.indexOf('"') < 0;
    }

    /** Objects of a text, counted as they begin, that hold an environment or say that they do. */
    private record Telling(BitSet environments, BitSet named) {
        static Telling of(String json) throws IOException {
            Telling telling = new Telling(new BitSet(), new BitSet());
            ArrayDeque<Integer> open = new ArrayDeque<>();
            int objects = 0;
            try (JsonParser parser = FACTORY.createParser(json)) {
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    if (token == JsonToken.START_OBJECT) {
                        open.push(objects++);
                    } else if (token == JsonToken.END_OBJECT) {
                        open.pop();
                    } else if (token == JsonToken.FIELD_NAME && TELLING.contains(parser.currentName())) {
                        telling.environments.set(open.element());
                    } else if (token == JsonToken.VALUE_STRING
                            && "name".equals(parser.currentName())
                            && isEnvironment(parser.getText())) {
                        telling.named.set(open.element());
                    }
                }
            }
            return telling;
        }
    }

    /**
     * What is known of an object or array that is not closed yet.
     *
     * @param list of an array, the member whose values it lists; else empty
     */
    private record Open(boolean environment, boolean secret, boolean named, String list) {
        static final Open NOTHING = new Open(false, false, false, "");
    }

    private static final class Rewriting {
        private final Telling telling;
        private final Secrets secrets = new Secrets();
        private final ArrayDeque<Open> open = new ArrayDeque<>();
        private int objects;
        private long values;
        private String name = "";
        private String before = "";

        Rewriting(Telling telling) {
            this.telling = telling;
        }

        private EnvironmentJson rewrite(String called, String json) throws IOException {
            name = called;
            StringWriter text = new StringWriter();
            try (JsonParser parser = FACTORY.createParser(json);
                    JsonGenerator out = FACTORY.createGenerator(text)) {
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    copy(parser, token, out);
                }
            }
            return values == 0 ? new EnvironmentJson(json, 0) : new EnvironmentJson(text.toString(), values);
        }

        private void copy(JsonParser parser, JsonToken token, JsonGenerator out) throws IOException {
            switch (token) {
                case START_OBJECT -> {
                    open(telling.environments.get(objects), telling.named.get(objects), false);
                    objects++;
                    out.writeStartObject();
                }
                case START_ARRAY -> {
                    open(false, false, true);
                    out.writeStartArray();
                }
                case END_OBJECT -> {
                    close();
                    out.writeEndObject();
                }
                case END_ARRAY -> {
                    close();
                    out.writeEndArray();
                }
                case FIELD_NAME -> {
                    name = parser.currentName();
                    out.writeFieldName(name);
                }
                default -> scalar(token, parser.getText(), out);
            }
        }

        private void open(boolean tells, boolean named, boolean array) {
            Open outer = open.isEmpty() ? Open.NOTHING : open.element();
            boolean environment = outer.environment || outer.named || tells || isEnvironment(name);
            boolean secret = outer.secret || SECRET_PARTS.matcher(name).find();
            String list = !array ? "" : name.isEmpty() ? outer.list : name;
            open.push(new Open(environment, secret, named, list));
            name = "";
            before = "";
        }

        private void close() {
            open.pop();
            name = "";
            before = "";
        }

        private void scalar(JsonToken token, String text, JsonGenerator out) throws IOException {
            boolean isText = token == JsonToken.VALUE_STRING;
            Open in = open.isEmpty() ? Open.NOTHING : open.element();
            String owner = name.isEmpty() ? in.list : name;
            String masked = text;
            if (in.environment && token != JsonToken.VALUE_NULL) {
                masked = masked(text);
            } else if (isText && (in.secret || isEnvironment(name) && text.matches("(?s).*[={\\n\\x00].*"))) {
                masked = text.isEmpty() ? text : Secrets.MASK;
            } else if (isText) {
                masked = told(text, in.list);
            } else if (token.isNumeric()
                    && secrets.isSecret(owner, text)
                    && !COUNTED.matcher(owner).find()) {
                masked = Secrets.MASK;
            }
            before = name.isEmpty() ? text : "";
            if (!masked.equals(text)) {
                values++;
                out.writeString(masked);
            } else if (isText) {
                out.writeString(text);
            } else {
                out.writeRawValue(text);
            }
        }

        /** A text that may hold JSON of its own, be a word of a command line, or one of the values that a member lists. */
        private String told(String text, String list) {
            if (text.startsWith("{") || text.startsWith("[")) {
                EnvironmentJson inner = of("", text);
                if (inner.values > 0) {
                    return inner.json;
                }
            }
            if (!name.isEmpty()) {
                return secrets.value(name, text);
            }
            return secrets.isSecret(list, text) ? Secrets.MASK : secrets.word(before, text);
        }

        /** What is in an environment: a value, or in a list {@code NAME=VALUE}. */
        private String masked(String text) {
            int equals = name.isEmpty() ? text.indexOf('=') : -1;
            return equals > 0 ? text.substring(0, equals + 1) + Secrets.MASK : text.isEmpty() ? text : Secrets.MASK;
        }
    }
}
