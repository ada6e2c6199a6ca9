// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.error.UserException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The options by which the settings of the library are given, whose messages know no options. */
public final class OptionHints {
    private record Option(String name, String value) {}

    /** By setting, as in {@link UserException#about}. */
    private static final Map<String, Option> OPTIONS = Map.ofEntries(
            Map.entry("captures", new Option("--capture", "DIR")),
            Map.entry("device", new Option("--arch", "NAME")),
            Map.entry("event filter", new Option("--event_filter", "KEY:REGEX,...")),
            Map.entry("format of the result", new Option("--format", "NAME")),
            Map.entry("formats of merged files", new Option("--format", "NAME,..")),
            Map.entry("label", new Option("--label", "EXPRESSION")),
            Map.entry("memory limit", new Option("--memory-limit", "MB")),
            Map.entry("names of reports", new Option("--names", "A,B")),
            Map.entry("operations of a schedule", new Option("--max-operations", "N")),
            Map.entry("profile", new Option("--profile", "NAME")),
            Map.entry("run of a dataset", new Option("--run", "NAME")),
            Map.entry("step annotation", new Option("--step-annotation", "NAME")),
            Map.entry("step time", new Option("--step-time", "TIME")),
            Map.entry("tables to ask", new Option("--list", "")),
            Map.entry("tag width", new Option("--tag-width", "N,L")));

    /** By code of what is assumed of traces of PyTorch where nothing is said: the option that says it. */
    private static final Map<String, String> ASSUMPTIONS = Map.of(
            "algorithm_assumed", "--all-reduce",
            "channels_assumed", "--channels",
            "nodes_assumed", "--gpus-per-node",
            "protocol_assumed", "--protocol",
            "topology_assumed", "--topology");

    private OptionHints() {}

    /** What is assumed of traces of PyTorch, and the option that says it otherwise. */
    public static String ofAssumption(String code, String assumption) {
        String option = ASSUMPTIONS.get(code);
        return option == null ? assumption : assumption + "; " + option + " says it otherwise";
    }

    static boolean knows(String setting) {
        return OPTIONS.containsKey(setting);
    }

    /** The hint of a failure, and the option by which it is followed. */
    static @Nullable String of(UserException failure) {
        Option option = failure.setting() == null ? null : OPTIONS.get(failure.setting());
        if (option == null) {
            return failure.hint();
        }
        String spelt = (option.name + " " + Objects.requireNonNullElse(failure.value(), option.value)).strip();
        return failure.hint() == null ? spelt : failure.hint() + " (" + spelt + ")";
    }
}
