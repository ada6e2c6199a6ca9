// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sizes and precisions of element types by the names that frameworks write: {@code c10::BFloat16} has 2 bytes and
 * precision {@code bf16}. Capitals do not matter. The format is described at the top of {@code element-types.txt}. Two
 * tables of the same text are equal.
 */
public final class ElementTypes {
    private record Element(double bytes, String precision) {}

    private static final Element UNKNOWN = new Element(Double.NaN, "");

    private final String text;
    private final Map<String, Element> byName = new HashMap<>();

    private ElementTypes(String text) {
        this.text = text;
        for (String line : text.split("\n")) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.strip().split("\\s+", 3);
            double bytes = parts[0].equals("?") ? Double.NaN : Double.parseDouble(parts[0]);
            Element element = new Element(bytes, parts[1].equals("-") ? "" : parts[1]);
            for (String name : parts[2].split(",")) {
                byName.put(name.strip().toLowerCase(Locale.ROOT), element);
            }
        }
    }

    /** The types that the program knows. */
    public static ElementTypes standard() {
        return new ElementTypes(resource(ElementTypes.class, "element-types.txt"));
    }

    /** Types from a text in the same format. */
    public static ElementTypes parse(String text) {
        return new ElementTypes(text);
    }

    /** Bytes of one element, which may be a fraction; NaN for unknown types. */
    public double bytes(@Nullable String type) {
        return element(type).bytes;
    }

    /** The precision that devices' peaks are listed by: {@code bf16}; empty for unknown types. */
    public String precision(@Nullable String type) {
        return element(type).precision;
    }

    private Element element(@Nullable String type) {
        if (type == null) {
            return UNKNOWN;
        }
        Element exact = byName.get(type);
        return exact != null ? exact : byName.getOrDefault(type.toLowerCase(Locale.ROOT), UNKNOWN);
    }

    /** The text of a resource beside a class. */
    static String resource(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ElementTypes types && types.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
