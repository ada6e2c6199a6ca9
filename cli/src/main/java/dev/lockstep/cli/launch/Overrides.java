// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Values that replace those of the trainer's configuration. They are handed over as one list behind one flag, since the
 * trainer's parser keeps only the last of several.
 */
final class Overrides {
    private static final String OUTPUT = "training.output_dir";

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Each text is {@code key=value}; a later one replaces an earlier one, and an empty value takes it away. */
    Overrides(List<String> defaults, List<String> given, Problems problems) {
        defaults.forEach(text -> add(text, problems));
        for (String text : given) {
            add(text, problems);
            if (text.startsWith(OUTPUT + "=")) {
                problems.add("--override " + OUTPUT + " is set for each run; --output says where runs go");
            }
        }
    }

    private void add(String text, Problems problems) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            problems.add("--override: '" + text + "' is no KEY=VALUE");
        } else if (equals == text.length() - 1) {
            values.remove(text.substring(0, equals));
        } else {
            values.put(text.substring(0, equals), text.substring(equals + 1));
        }
    }

    Optional<String> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** All of them, and last where the run's files go. */
    List<String> list(String outputDirectory) {
        return Stream.concat(
                        values.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()),
                        Stream.of(OUTPUT + "=" + outputDirectory))
                .toList();
    }
}
