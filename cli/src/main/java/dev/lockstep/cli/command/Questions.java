// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.derive.KernelRules;
import dev.lockstep.publish.metrics.NamedRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The questions of {@code lockstep ask}, by topic: {@code questions.txt} says which cells answer them. */
public final class Questions {
    private static final Pattern PLACE =
            Pattern.compile("(?<rows>.+?) (first (?<first>\\d+)|top (?<top>\\d+) by (?<by>[^:]+)): (?<heads>.+)");

    private static final class Known {
        static final List<Question> ALL = read();
    }

    private Questions() {}

    static List<Question> all() {
        return Known.ALL;
    }

    /** The names of all questions. */
    public static List<String> names() {
        return all().stream().map(Question::name).toList();
    }

    private static List<Question> read() {
        return KernelRules.resource(Questions.class.getResourceAsStream("questions.txt"))
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Questions::question)
                .toList();
    }

    private static Question question(String line) {
        String[] parts = line.split(" \\| ");
        List<Question.Place> places = new ArrayList<>();
        for (String part : Arrays.asList(parts).subList(2, parts.length)) {
            Matcher place = PLACE.matcher(part);
            if (!place.matches()) {
                throw new IllegalStateException("no place: " + part);
            }
            boolean first = place.group("first") != null;
            places.add(new Question.Place(
                    NamedRows.of(place.group("rows")),
                    List.of(place.group("heads").split(", ")),
                    place.group("by"),
                    Integer.parseInt(place.group(first ? "first" : "top"))));
        }
        return new Question(parts[0], parts[1], places);
    }
}
