// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a column in words: {@code Kernel duration (µs)_sum} is "Kernel duration, sum", {@code overlap_pct_mean}
 * is "Overlap, mean". The unit stands apart.
 */
final class ColumnLabel {
    /** What several values of a row's group are put together by; the last part of a header. */
    private static final Map<String, String> TOGETHER = Map.ofEntries(
            Map.entry("sum", "sum"),
            Map.entry("mean", "mean"),
            Map.entry("median", "median"),
            Map.entry("std", "standard deviation"),
            Map.entry("stddev", "standard deviation"),
            Map.entry("min", "minimum"),
            Map.entry("max", "maximum"),
            Map.entry("count", "count"),
            Map.entry("first", "first"));

    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("bw", "bandwidth"),
            Map.entry("comm", "communication"),
            Map.entry("cpu", "CPU"),
            Map.entry("dur", "duration"),
            Map.entry("gpu", "GPU"),
            Map.entry("id", "ID"),
            Map.entry("msg", "message"),
            Map.entry("nelems", "elements"),
            Map.entry("num", "number of"),
            Map.entry("op", "operator"),
            Map.entry("pct", "percent"));

    /** How headers spell the units that pages show. */
    private static final Map<String, Set<String>> SPELLINGS = Map.of(
            "µs", Set.of("us", "µs"),
            "%", Set.of("pct", "percent", "%"),
            "B", Set.of("b", "bytes"),
            "MiB", Set.of("mib", "mb"));

    private static final Pattern IN_PARENTHESES = Pattern.compile("\\s?\\(([^()]+)\\)");

    private ColumnLabel() {}

    /** {@return the words of a header without its unit; the header itself where it names parameters or is no words} */
    static String of(String header, Unit unit) {
        if (header.isEmpty()
                || !Character.isLetter(header.charAt(0))
                || header.contains(":")
                || header.contains("__")) {
            return header;
        }
        Set<String> spellings =
                SPELLINGS.getOrDefault(unit.symbol(), Set.of(unit.symbol().toLowerCase(Locale.ROOT)));
        Matcher inside = IN_PARENTHESES.matcher(header);
        String plain = inside.find() && spellings.contains(inside.group(1).toLowerCase(Locale.ROOT))
                ? header.substring(0, inside.start()) + header.substring(inside.end())
                : header;
        List<String> parts = new ArrayList<>(Arrays.asList(plain.split("[ _]+")));
        String together = parts.size() > 1 ? TOGETHER.get(parts.getLast()) : null;
        if (together != null) {
            parts.removeLast();
        }
        if (parts.size() > 1 && spellings.contains(parts.getLast().toLowerCase(Locale.ROOT))) {
            parts.removeLast();
        }
        parts.replaceAll(part -> WORDS.getOrDefault(part, part));
        String words = String.join(" ", parts) + (together == null ? "" : ", " + together);
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
