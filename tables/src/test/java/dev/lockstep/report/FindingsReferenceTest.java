// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The reference of findings follows from where they are made: their codes, severities and sentences, and what each rests on. */
class FindingsReferenceTest {
    private static final Pattern SEVERITY = Pattern.compile("Severity\\.([A-Z]+)");
    private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern PLACE = Pattern.compile("%[+,.\\d]*[sdf]");

    /** Tables and columns that a finding rests on. */
    private static final Pattern BASIS = Pattern.compile("^…?[a-z_0-9]+[:,] [^.]*");

    /** What is counted, as one and as many. */
    private static final Pattern COUNTED = Pattern.compile("…(\\w+(?: \\w+)?)…\\1s…? ?");

    private static final Pattern END = Pattern.compile("(?<=\\.)[ …]");

    /** How far before its code a finding says its severity, and behind it its sentence. */
    private static final int NEAR = 160;

    private static final int LONGEST = 160;

    private static final String HEAD = """
            # Findings

            Codes of findings are stable words: `findings` of `--json`, `--json-summary` and pages have them. This page follows from the
            program and is tested; `…` stands for names and numbers. A finding is left out where the [trust](../concepts/trust.md) of a trace
            withholds something that it rests on. Codes that end in `_` go on with what they are about, as in `input_damaged`.

            | Code | Severity | Says | Rests on |
            |---|---|---|---|
            """;

    private static final class Entry {
        final Set<String> severities = new TreeSet<>(Comparator.comparing(Finding.Severity::valueOf));
        String said = "";
    }

    private static String page() throws IOException {
        Map<String, Entry> entries = new TreeMap<>();
        for (String source : RestsOnTest.sources()) {
            Matcher found = RestsOnTest.CODE.matcher(source);
            while (found.find()) {
                for (int i = 1; i <= found.groupCount(); i++) {
                    if (found.group(i) != null) {
                        Entry entry = entries.computeIfAbsent(found.group(i), code -> new Entry());
                        Matcher severity =
                                SEVERITY.matcher(source.substring(Math.max(0, found.start() - NEAR), found.start(i)));
                        while (severity.find()) {
                            entry.severities.add(severity.group(1));
                        }
                        String said = sentence(source, found.end());
                        entry.said = said.length() > entry.said.length() ? said : entry.said;
                    }
                }
            }
        }
        return HEAD
                + entries.entrySet().stream()
                        .map(entry -> "| `" + entry.getKey() + "` | "
                                + String.join(", ", entry.getValue().severities).toLowerCase(Locale.ROOT)
                                + " | " + entry.getValue().said.replace("|", "\\|") + " | "
                                + RestsOn.finding(entry.getKey()).stream()
                                        .map(Topic::word)
                                        .sorted()
                                        .collect(Collectors.joining(", "))
                                + " |\n")
                        .collect(Collectors.joining());
    }

    /** The texts of an argument, with a sign for what else stands between them; nothing where it is made elsewhere. */
    private static String sentence(String source, int from) {
        int begin = source.indexOf(',', from) + 1;
        Matcher text = TEXT.matcher(source).region(begin, argument(source, begin));
        StringBuilder said = new StringBuilder();
        int last = begin;
        int before = 0;
        while (text.find()) {
            String between = source.substring(last, text.start()).strip();
            if (between.equals(":")) { // of two ways to say it, the second
                said.setLength(before);
            }
            boolean follows = between.isEmpty() || between.equals("+") || between.equals(":");
            said.append(follows || said.toString().endsWith("…") ? "" : "…");
            before = said.length();
            said.append(text.group(1));
            last = text.end();
        }
        String all = PLACE.matcher(said)
                .replaceAll("…")
                .replace("%%", "%")
                .replace("\\\"", "\"")
                .strip();
        if (!all.contains(" ") || BASIS.matcher(all).matches()) {
            return ""; // it is made elsewhere: this is the table that it rests on
        }
        String one = END.split(COUNTED.matcher(all).replaceAll("… $1s "), 2)[0]
                .replaceAll("(?:… ?){2,}", "… ")
                .replaceAll("^…(?=[A-Z])", "")
                .strip();
        return one.length() > LONGEST ? one.substring(0, LONGEST) + " …" : one;
    }

    /** Where the argument ends that begins here. */
    private static int argument(String source, int from) {
        int depth = 0;
        boolean quoted = false;
        for (int i = from; i < source.length(); i++) {
            char c = source.charAt(i);
            if (quoted) {
                quoted = c != '"';
                i += c == '\\' ? 1 : 0;
            } else if (c == '"') {
                quoted = true;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && depth-- == 0 || c == ',' && depth == 0) {
                return i;
            }
        }
        return source.length();
    }

    @Test
    void theReferenceListsEveryFinding() throws IOException {
        String page = page();
        assertThat(page).contains("| `idle_cause` |", "| `memory_leak` |", "| `sweep_best` |");
        Path file = Path.of("../docs/reference/findings.md");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, page);
        }
        assertThat(Files.readString(file))
                .as("run with -Dgolden.update=true to accept")
                .isEqualTo(page);
    }
}
