// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetPlaces;
import dev.lockstep.session.RankSelection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Fleet} is asked for.
 *
 * @param inputs paths and URIs of traces
 * @param output folder for the report, a path or a URI; null for none
 * @param facts file for what was found, to be read by the program itself; null for none
 * @param selection which traces are meant where a rank has several
 * @param places where ranks run
 */
record FleetOptions(
        List<String> inputs,
        @Nullable String output,
        @Nullable Path facts,
        RankSelection selection,
        FleetPlaces places) {
    static final String FACTS = "--facts";
    static final String USAGE =
            "usage: spark-submit --class dev.lockstep.spark.Fleet … lockstep-spark.jar RANKS... -o DIR"
                    + " [--hosts FILE] [--gpus-per-node N] [--step N] [--trace-name NAME] [--latest]";

    private static final Set<String> WITH_VALUE =
            Set.of("-o", "--output", FACTS, "--hosts", "--gpus-per-node", "--step", "--trace-name");
    private static final String LATEST = "--latest";

    static FleetOptions of(String... arguments) {
        List<String> inputs = new ArrayList<>();
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String word = arguments[i];
            if (word.equals(LATEST)) {
                given.put(LATEST, "");
            } else if (WITH_VALUE.contains(word)) {
                if (++i == arguments.length) {
                    throw wrong(word + " wants a value");
                }
                given.put(word.equals("--output") ? "-o" : word, arguments[i]);
            } else if (word.startsWith("-")) {
                throw wrong("there is no option " + word);
            } else {
                inputs.add(word);
            }
        }
        if (inputs.isEmpty()) {
            throw wrong("no traces are named");
        }
        if (!given.containsKey("-o") && !given.containsKey(FACTS)) {
            throw wrong("nothing says where the report goes: -o DIR");
        }
        String facts = given.get(FACTS);
        String hosts = given.get("--hosts");
        return new FleetOptions(
                List.copyOf(inputs),
                given.get("-o"),
                facts == null ? null : Path.of(facts),
                new RankSelection(number(given, "--step", -1), given.get("--trace-name"), given.containsKey(LATEST)),
                new FleetPlaces(hosts == null ? null : Path.of(hosts), number(given, "--gpus-per-node", 0)));
    }

    private static int number(Map<String, String> given, String option, int none) {
        String text = given.get(option);
        if (text == null) {
            return none;
        }
        if (!text.matches("\\d{1,9}")) {
            throw wrong(option + " wants a number: " + text);
        }
        return Integer.parseInt(text);
    }

    private static UserException wrong(String problem) {
        return new UserException(ErrorCode.OPTION_INVALID, problem, USAGE);
    }
}
