// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.ReportNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The options that say which configurations are compared, and what they are called. */
final class ConfigChoice {
    @SuppressWarnings("NullAway.Init") // required
    private Path baseline;

    private final List<String> tests = new ArrayList<>();
    private List<String> names = List.of();
    private boolean skipReports;

    void declare(Arguments arguments) {
        arguments.examples(
                "lockstep config compare --baseline old/ --test new/ newer/ -o compared --all",
                "lockstep config compare --baseline old/ --test new/ --output o --threshold 5");
        arguments.required(
                "--baseline", "DIR", Path.class, "The configuration that the others are compared with.", given -> {
                    baseline = given;
                });
        arguments.several(
                "--test", "DIR", true, "One configuration or more to compare with the baseline.", tests::addAll);
        arguments.flag(
                "--skip-reports",
                "Compare the reports in the configurations' folders. Without this option they are made " + "first.",
                () -> skipReports = true);
        arguments.option(
                "--names",
                "A,B,..",
                String.class,
                "What to call the configurations, the baseline first (default: names of their folders).",
                given -> names =
                        Arrays.stream(given.split(",")).map(String::strip).toList());
    }

    /** Whether their reports are made first. */
    boolean makesReports() {
        return !skipReports;
    }

    /** The baseline, then the others. */
    List<Configuration> configurations(ReportNames reports) {
        List<Configuration> configurations = new ArrayList<>();
        configurations.add(configuration(baseline, reports));
        for (String test : tests) {
            configurations.add(configuration(FileNames.path(test), reports));
        }
        return configurations;
    }

    /** What each of them is called. */
    List<String> labels(List<Configuration> configurations, boolean compat) {
        return ConfigLabels.of(configurations, names, compat);
    }

    private Configuration configuration(Path folder, ReportNames reports) {
        if (!Files.isDirectory(folder)) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    folder + (Files.exists(folder) ? ": expected a folder, found a file" : ": there is no such folder"),
                    "Give the folder of a configuration: the one that holds torch_profiler or lockstep_reports.");
        }
        return skipReports ? Configuration.finished(folder, reports) : Configuration.at(folder, reports);
    }
}
