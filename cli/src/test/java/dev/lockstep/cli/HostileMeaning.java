// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Sound JSON that still is JSON, or nearly, but means something else: other types, numbers at their limits, times that overflow,
 * identifiers that are shared or lead nowhere, entries that repeat or are missing; in one object or in all that are alike. The
 * same seed makes the same change.
 */
final class HostileMeaning {
    /** JSON as it is spelt: a number, true, false, null, or what only some programs take for JSON. */
    private record Word(String text) {}

    /** Ends a key that stands a second time in its object; it is not written. */
    private static final String AGAIN = "\uffff";

    private static final int MOST_COPIES = 300;

    /** Long texts may come to stand in many places; what is longer in all is cut. */
    private static final int LONGEST = 32_000_000;

    /** Values within values beyond it are numbers: the writer goes as deep as they do. */
    private static final int DEEPEST = 2000;

    private static final List<String> NUMBERS = List.of(
            "0",
            "-1",
            "1",
            "7",
            "-0.0001",
            "2147483648",
            "9007199254740993",
            "9223372036854775807",
            "-9223372036854775808",
            "18446744073709551616",
            "9223372036854775.807",
            "1e15",
            "1e18",
            "1e308",
            "-1e308",
            "1e-320",
            "1E400",
            "-1E400",
            "NaN",
            "-Infinity",
            "0x10",
            "123456789012345678.999999999999");

    private static final List<String> TEXTS = List.of(
            "",
            "0",
            "-1",
            "NaN",
            "1e400",
            "9223372036854775808",
            "None",
            "[0, 1, ...]",
            "[1,2,3",
            "[9, 8, 7]",
            "[-1]",
            "[0, 0]",
            "...",
            "a\u0000b",
            "a\nb\r\nc",
            "\ud800x",
            "\u202egnp.exe",
            "=1+1",
            WrittenFiles.TRAP,
            "\u001b[31m",
            "%s%n{0}${x}",
            "../../x",
            "ProfilerStep#99999999999999999999",
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
            "aten::mm",
            "X",
            "B",
            "E",
            "C",
            "s",
            "f",
            "kernel",
            "cpu_op",
            "x".repeat(70_000));

    private static final List<String> OTHERS = List.of(
            "null",
            "true",
            "[]",
            "{}",
            "[[]]",
            "[null]",
            "[0,0,0]",
            "[-1,-1]",
            "[4611686018427387904,4611686018427387904]");

    private final Random random;

    HostileMeaning(long seed) {
        random = new Random(seed);
    }

    /** The document with one to five changes; of several documents, one on each line, all have some. */
    byte[] of(byte[] sound) throws IOException {
        StringBuilder text = new StringBuilder();
        try (JsonParser parser = new JsonFactory().createParser(sound)) {
            while (parser.nextToken() != null) {
                Object document = read(parser);
                for (int i = 1 + random.nextInt(5); i > 0; i--) {
                    change(document);
                }
                write(document, text, 0);
                text.append('\n');
            }
        }
        return text.toString().getBytes(UTF_8);
    }

    /** The same of YAML; what comes out is JSON, which YAML may be. */
    byte[] ofYaml(byte[] sound) {
        Object document = tree(new Yaml(new SafeConstructor(new LoaderOptions())).load(new String(sound, UTF_8)));
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            change(document);
        }
        StringBuilder text = new StringBuilder();
        write(document, text, 0);
        return text.toString().getBytes(UTF_8);
    }

    private static Object tree(@Nullable Object yaml) {
        return switch (yaml) {
            case Map<?, ?> map -> {
                Map<String, Object> members = new LinkedHashMap<>();
                map.forEach((key, value) -> members.put(String.valueOf(key), tree(value)));
                yield members;
            }
            case List<?> list -> {
                List<Object> items = new ArrayList<>();
                list.forEach(item -> items.add(tree(item)));
                yield items;
            }
            case String text -> text;
            case null, default -> new Word(String.valueOf(yaml));
        };
    }

    private static Object read(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> members = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                parser.nextToken();
                members.put(key, read(parser));
            }
            return members;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(read(parser));
            }
            return items;
        }
        return token == JsonToken.VALUE_STRING ? parser.getText() : new Word(parser.getText());
    }

    private void change(Object document) {
        List<Map<String, Object>> objects = new ArrayList<>();
        List<List<Object>> lists = new ArrayList<>();
        collect(document, objects, lists);
        if (!lists.isEmpty() && (objects.isEmpty() || random.nextInt(4) == 0)) {
            // the longest is that of the events
            list(
                    random.nextBoolean()
                            ? Collections.max(lists, (a, b) -> Integer.compare(a.size(), b.size()))
                            : one(lists));
        } else if (!objects.isEmpty()) {
            Map<String, Object> object = one(objects);
            if (!object.isEmpty()) {
                String key = one(new ArrayList<>(object.keySet()));
                members(alike(object, objects), key, other(object.get(key)));
            }
        }
    }

    private static void collect(Object value, List<Map<String, Object>> objects, List<List<Object>> lists) {
        if (value instanceof Map<?, ?> map) {
            @SuppressWarnings("unchecked")
            Map<String, Object> members = (Map<String, Object>) map;
            objects.add(members);
            members.values().forEach(member -> collect(member, objects, lists));
        } else if (value instanceof List<?> list) {
            @SuppressWarnings("unchecked")
            List<Object> items = (List<Object>) list;
            lists.add(items);
            items.forEach(item -> collect(item, objects, lists));
        }
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private List<Map<String, Object>> alike(Map<String, Object> object, List<Map<String, Object>> objects) {
        String key = one(List.of("name", "cat", "ph", ""));
        return switch (random.nextInt(3)) {
            case 0 -> List.of(object);
            case 1 ->
                objects.stream()
                        .filter(other -> Objects.equals(other.get(key), object.get(key)))
                        .toList();
            default ->
                objects.stream()
                        .filter(other -> other.keySet().equals(object.keySet()))
                        .toList();
        };
    }

    private void members(List<Map<String, Object>> alike, String key, Object shared) {
        BigDecimal factor = new BigDecimal(one(List.of("-1", "0", "1e-3", "1e3", "1e6", "1e12")));
        BigDecimal shift = new BigDecimal(one(List.of("-1e15", "1e6", "1e15", "9e15")));
        int kind = random.nextInt(10);
        for (Map<String, Object> object : alike) {
            Object old = object.get(key);
            if (old == null) {
                continue; // it lacks the key, or stands twice in its list
            }
            switch (kind) {
                case 0, 1 -> object.put(key, shared);
                case 2 -> object.put(key, other(old));
                case 3 -> object.remove(key);
                case 4 -> object.put(key + AGAIN, other(old));
                case 5 -> object.put(key, scaled(old, factor, BigDecimal.ZERO));
                case 6 -> object.put(key, scaled(old, BigDecimal.ONE, shift));
                case 7 -> object.put(key, new Word(Integer.toString(random.nextInt(1 + random.nextInt(1000)))));
                case 8 -> object.put(key, object.get(one(new ArrayList<>(object.keySet()))));
                default -> object.put(one(TEXTS), old);
            }
        }
    }

    private static Object scaled(Object value, BigDecimal factor, BigDecimal shift) {
        try {
            return value instanceof Word(String text)
                    ? new Word(new BigDecimal(text).multiply(factor).add(shift).toPlainString())
                    : value;
        } catch (NumberFormatException noNumber) {
            return value;
        }
    }

    /** Something else, mostly of the same type. */
    private Object other(Object value) {
        int kind = random.nextInt(6);
        boolean number = value instanceof Word;
        if (kind == 0) {
            return new Word(one(OTHERS));
        }
        if (kind == 1) {
            return number ? ((Word) value).text() : new ArrayList<>(List.of(value));
        }
        return number == kind > 2 ? new Word(one(NUMBERS)) : one(TEXTS);
    }

    private void list(List<Object> items) {
        if (items.isEmpty()) {
            items.add(new Word(one(OTHERS)));
            return;
        }
        int at = random.nextInt(items.size());
        Object item = items.get(at);
        switch (random.nextInt(6)) {
            case 0 -> items.addAll(at, Collections.nCopies(1 + random.nextInt(MOST_COPIES), item));
            case 1 ->
                items.subList(at, Math.min(items.size(), at + 1 + random.nextInt(20)))
                        .clear();
            case 2 -> Collections.shuffle(items, random);
            case 3 -> items.add(at, new Word(one(OTHERS)));
            case 4 -> items.addAll(new ArrayList<>(items));
            default -> items.set(at, other(item));
        }
    }

    private static void write(Object value, StringBuilder to, int depth) {
        if (to.length() > LONGEST) {
            return;
        }
        if (depth > DEEPEST) {
            to.append('0');
            return;
        }
        switch (value) {
            case Word word -> to.append(word.text());
            case String text -> quote(text, to);
            case List<?> items -> {
                char before = '[';
                for (Object item : items) {
                    to.append(before);
                    write(item, to, depth + 1);
                    before = ',';
                }
                to.append(items.isEmpty() ? "[]" : "]");
            }
            case Map<?, ?> members -> {
                char before = '{';
                for (Map.Entry<?, ?> member : members.entrySet()) {
                    to.append(before);
                    quote(member.getKey().toString().replace(AGAIN, ""), to);
                    to.append(':');
                    write(member.getValue(), to, depth + 1);
                    before = ',';
                }
                to.append(members.isEmpty() ? "{}" : "}");
            }
            default -> throw new IllegalStateException(value.getClass().getName());
        }
    }

    private static void quote(String text, StringBuilder to) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                to.append(String.format("\\u%04x", (int) c));
            } else {
                to.append(c);
            }
        }
        to.append('"');
    }
}
