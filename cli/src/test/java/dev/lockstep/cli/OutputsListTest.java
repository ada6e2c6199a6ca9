// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The command lines that {@code config/outputs} runs, by its list: each is one, and no command is left out. */
class OutputsListTest {
    private static final Pattern LINE = Pattern.compile("(?m)^\\+?[a-z0-9-]+(?:=\\d+)?: (?!copy |--|help )(.*)$");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    /** What these write depends on the machine, or they write nothing. */
    private static final Set<String> NOT_THERE = Set.of("mcp", "record", "replay power", "replay run", "view");

    @Test
    void theProgramTakesEveryLine() {
        for (List<String> words : lines()) {
            CommandEntry entry = entry(words);
            int named = words.size() > 1 && entry.name().equals(words.get(0) + " " + words.get(1)) ? 2 : 1;
            String[] arguments = words.subList(named, words.size()).toArray(String[]::new);
            Commands.line(entry, entry.create().get()).parseArgs(arguments);
        }
    }

    @Test
    void everyCommandHasALine() {
        Set<String> listed = lines().stream()
                .map(OutputsListTest::entry)
                .map(CommandEntry::name)
                .collect(Collectors.toSet());
        Set<String> every =
                new TreeSet<>(Commands.runnable().map(CommandEntry::name).collect(Collectors.toSet()));
        every.removeAll(NOT_THERE);

        assertThat(listed).isEqualTo(every);
    }

    private static List<List<String>> lines() {
        return LINE.matcher(Documents.read("config/outputs.txt"))
                .results()
                .map(line -> words(line.group(1)))
                .toList();
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(line); word.find(); ) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2));
        }
        return words;
    }

    /** The command of a line: its first word or its first two; that of {@code goal} alone makes schedules. */
    private static CommandEntry entry(List<String> words) {
        String two = words.get(0) + " " + (words.size() > 1 ? words.get(1) : "");
        return Commands.runnable()
                .filter(entry ->
                        entry.name().equals(words.get(0)) || entry.name().equals(two))
                .findFirst()
                .or(() -> Commands.runnable()
                        .filter(entry -> entry.name().equals(words.get(0) + " generate"))
                        .findFirst())
                .orElseThrow(() -> new AssertionError("no command: " + words));
    }
}
