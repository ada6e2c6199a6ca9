// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads names of kernels that multiply matrices, by rules kept as data. The format is described at the top of
 * {@code kernel-names.txt}. Two tables of the same text are equal.
 */
public final class KernelNames {
    /** What stands behind so many characters of a name tells nothing more. */
    private static final int LONGEST_NAME = 8_192;

    private static final int LONGEST_SIZE = 9;

    private record Rule(String fact, String value, Pattern pattern) {}

    private final String text;
    private final Map<String, List<Rule>> libraries = new LinkedHashMap<>();

    /** What was found before: traces repeat few names very often. */
    private final Map<String, Optional<KernelName>> known = new ConcurrentHashMap<>();

    private KernelNames(String text) {
        this.text = text;
        for (String line : text.split("\n")) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.strip().split("\\s+", 3);
            String[] fact = parts[1].split("=", 2);
            libraries
                    .computeIfAbsent(parts[0], name -> new ArrayList<>())
                    .add(new Rule(fact[0], fact.length > 1 ? fact[1] : "", Pattern.compile(parts[2])));
        }
    }

    /** The rules that ship with the program. */
    public static KernelNames standard() {
        return new KernelNames(ElementTypes.resource(KernelNames.class, "kernel-names.txt"));
    }

    /** Rules from a text in the same format. */
    public static KernelNames parse(String text) {
        return new KernelNames(text);
    }

    /** What the first of the names that is known tells; null if none is known. */
    public @Nullable KernelName first(List<String> names) {
        for (String name : names) {
            KernelName known = of(name);
            if (known != null) {
                return known;
            }
        }
        return null;
    }

    /** What the name tells, null when it is no known name of such a kernel. */
    public @Nullable KernelName of(String name) {
        Optional<KernelName> before = known.get(name);
        if (before == null) {
            before = Optional.ofNullable(judge(name.substring(0, Math.min(name.length(), LONGEST_NAME))));
            known.put(name, before);
        }
        return before.orElse(null);
    }

    private @Nullable KernelName judge(String name) {
        for (Map.Entry<String, List<Rule>> library : libraries.entrySet()) {
            if (find(library.getValue(), "when", name) != null) {
                return read(library.getKey(), library.getValue(), name);
            }
        }
        return null;
    }

    private static KernelName read(String library, List<Rule> rules, String name) {
        Rule a = find(rules, "a", name);
        Rule b = find(rules, "b", name);
        Rule precision = find(rules, "precision", name);
        return new KernelName(
                library,
                a == null ? null : a.value.equals("T"),
                b == null ? null : b.value.equals("T"),
                tile(find(rules, "tile", name), name),
                precision == null ? "" : precision.value);
    }

    private static @Nullable Shape tile(@Nullable Rule rule, String name) {
        if (rule == null) {
            return null;
        }
        Matcher matcher = rule.pattern.matcher(name);
        if (!matcher.find()) {
            return null;
        }
        long[] sizes = new long[matcher.groupCount()];
        for (int i = 0; i < sizes.length; i++) {
            String digits = matcher.group(i + 1);
            if (digits.length() > LONGEST_SIZE) {
                return null;
            }
            sizes[i] = Long.parseLong(digits);
        }
        return Shape.of(sizes);
    }

    private static @Nullable Rule find(List<Rule> rules, String fact, String name) {
        for (Rule rule : rules) {
            if (rule.fact.equals(fact) && rule.pattern.matcher(name).find()) {
                return rule;
            }
        }
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KernelNames names && names.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
