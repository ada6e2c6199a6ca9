// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.codec.Secrets;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Secrets that are known, with those of their parts that may be printed alone, so that they can be hidden wherever they turn
 * up: in messages, in what other programs print.
 */
public final class HiddenValues {
    /** Shorter values turn up by chance. */
    private static final int SHORTEST = 6;

    /** How often a part is looked for in a part: the password of an address in a setting of a line. */
    private static final int DEEPEST = 3;

    /** A name and what stands behind it in a value that is secret as a whole. */
    private static final Pattern INNER = Pattern.compile(
            "(?<![\\w.+$-])([\\w.+$-]++)[\"'\\\\]{0,2} ?[=:] ?[\"'\\\\]{0,2}(?!//)([^\\s\"'\\\\;,&{}\\[\\]]{6,})");

    /** Hosts, names and counts, which may stand beside what is secret and turn up anywhere. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z._/-]+|[0-9.]+");

    private final List<String> values;

    private HiddenValues(Collection<String> values) {
        this.values = values.stream()
                .map(String::strip)
                .filter(value -> value.length() >= SHORTEST)
                .flatMap(HiddenValues::spellings)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** Those in a command line. */
    public static HiddenValues in(List<String> words) {
        return in(words, List.of());
    }

    /** Those in a command line and in variables. */
    public static HiddenValues in(List<String> words, List<Map<String, String>> variables) {
        Secrets secrets = new Secrets();
        secrets.words(words);
        variables.forEach(set -> set.forEach(secrets::value));
        Set<String> found = new HashSet<>();
        secrets.found().forEach(value -> addWithParts(value, DEEPEST, found));
        return new HiddenValues(found);
    }

    /** Adds a value and what of it may be printed alone: its lines, and what stands behind names and in addresses in it. */
    private static void addWithParts(String value, int depth, Set<String> all) {
        all.add(value);
        if (value.length() < SHORTEST || depth == 0) {
            return;
        }
        value.lines()
                .map(String::strip)
                .filter(line -> !line.equals(value))
                .forEach(line -> addWithParts(line, depth - 1, all));
        Secrets inner = new Secrets();
        inner.text(value);
        inner.found().forEach(part -> addWithParts(part, depth - 1, all));
        for (Matcher pair = INNER.matcher(value); pair.find(); ) {
            boolean alone = pair.group().equals(value);
            if (alone
                    || Secrets.isSecretName(pair.group(1))
                    || !PLAIN.matcher(pair.group(2)).matches()) {
                addWithParts(pair.group(2), depth - 1, all);
            }
        }
    }

    /** A value as it is, and as JSON, Python and shells write it between quotes. */
    private static Stream<String> spellings(String value) {
        String escaped = value.replace("\\", "\\\\")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
        String json = escaped.replace("\"", "\\\"");
        return Stream.of(value, escaped, json, escaped.replace("'", "\\'"), ascii(json));
    }

    private static String ascii(String json) {
        StringBuilder out = new StringBuilder();
        json.chars()
                .forEach(c -> out.append(c < 128 ? Character.toString(c) : String.format(Locale.ROOT, "\\u%04x", c)));
        return out.toString();
    }

    /** The text with {@value Secrets#MASK} in their places. */
    public String hide(String text) {
        String hidden = text;
        for (String value : values) {
            hidden = hidden.replace(value, Secrets.MASK);
        }
        return hidden;
    }

    /** What a stream gives, with {@value Secrets#MASK} in their places; it goes on as it comes, as far as it can be no secret. */
    public InputStream around(InputStream stream) {
        return values.isEmpty()
                ? stream
                : new HidingStream(
                        stream,
                        values.stream()
                                .map(value -> value.getBytes(StandardCharsets.UTF_8))
                                .toList());
    }
}
