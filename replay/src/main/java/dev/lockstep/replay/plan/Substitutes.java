// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.replay.plan.PlannedOperator.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Operators that compute the same as those of one vendor, from {@code substitutes.txt}. */
final class Substitutes {
    private record Rule(String target, List<String> sources) {}

    private final Map<String, Rule> rules = new HashMap<>();

    Substitutes() {
        for (String line : OperatorNames.lines("substitutes.txt")) {
            String[] words = line.split(" +");
            rules.put(words[0], new Rule(words[1], List.of(words).subList(2, words.length)));
        }
    }

    /** What can stand in for a call; null when nothing can. */
    @Nullable
    Call of(Call call) {
        Rule rule = rules.get(call.name());
        if (rule == null) {
            return null;
        }
        List<Argument> arguments = new ArrayList<>();
        for (String source : rule.sources) {
            arguments.add(argument(source, call.arguments()));
        }
        return new Call(rule.target, null, arguments);
    }

    private static Argument argument(String source, List<Argument> original) {
        return switch (source) {
            case "none" -> Argument.NONE;
            case "true" -> new Argument.Truth(true);
            case "false" -> new Argument.Truth(false);
            default -> {
                int open = source.indexOf('(');
                int number = Integer.parseInt(open < 0 ? source : source.substring(open + 1, source.length() - 1));
                if (source.startsWith("all")) {
                    yield list(new Argument.Truth(true), number);
                }
                Argument taken = number < original.size() ? original.get(number) : Argument.NONE;
                yield open < 0
                        ? taken
                        : list(
                                new Argument.Whole(0),
                                taken instanceof Argument.Values(List<Argument> values) ? values.size() : 1);
            }
        };
    }

    private static Argument list(Argument value, int times) {
        return new Argument.Values(Collections.nCopies(times, value));
    }
}
