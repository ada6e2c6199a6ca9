// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.codec.Secrets;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Secrets that are known, so that they can be hidden wherever they turn up: in messages, in what other programs print. */
public final class HiddenValues {
    /** Shorter values turn up by chance. */
    private static final int SHORTEST = 6;

    private final List<String> values;

    private HiddenValues(Collection<String> values) {
        this.values = values.stream()
                .map(String::strip)
                .filter(value -> value.length() >= SHORTEST)
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
        Set<String> found = new HashSet<>(secrets.found());
        return new HiddenValues(found);
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
