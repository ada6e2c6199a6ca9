// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.configurations.Options;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.reporting.ConfigurationDialect;
import dev.lockstep.runs.Configuration;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.RunReports;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep config compare}: configurations side by side, the first as the baseline. */
public final class ConfigCompareCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path baseline;

    @SuppressWarnings("NullAway.Init") // required
    private Path output;

    private final List<String> tests = new ArrayList<>();
    private final ConfigStages stages = new ConfigStages();
    private final ReportArguments reports = new ReportArguments();
    private List<String> names = List.of();
    private boolean skipReports;
    private boolean geometric;
    private double threshold = Options.USUAL_THRESHOLD;
    private @Nullable Double gate;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.required(
                "--baseline", "DIR", Path.class, "The configuration that the others are compared with.", given -> {
                    baseline = given;
                });
        arguments.several(
                "--test", "DIR", true, "One configuration or more to compare with the baseline.", tests::addAll);
        arguments.required("-o,--output", "DIR", Path.class, "Where the comparison goes.", given -> output = given);
        stages.declare(arguments);
        arguments.flag(
                "--skip-reports",
                "Compare the reports that lie in the configurations' folders; without it they are made first.",
                () -> skipReports = true);
        arguments.flag("--geo-mean", "Summarise ranks by the geometric mean.", () -> geometric = true);
        arguments.option(
                "--names",
                "A,B,..",
                String.class,
                "What to call the configurations, the baseline first (default: names of their folders).",
                given -> names =
                        Arrays.stream(given.split(",")).map(String::strip).toList());
        arguments.option(
                "--threshold",
                "PCT",
                Double.class,
                "Changes up to PCT percent of the baseline count as none (default 1).",
                given -> threshold = notNegative("--threshold", given));
        arguments.option(
                "--fail-on-regression",
                "PCT",
                Double.class,
                "Exit with 1 when a configuration's total time is more than PCT percent above the baseline's.",
                given -> gate = notNegative("--fail-on-regression", given));
        reports.declare(arguments);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ConfigurationDialect dialect = reports.compat().part(ConfigurationDialect.class);
        List<Configuration> configurations = new ArrayList<>();
        configurations.add(configuration(baseline));
        for (String test : tests) {
            configurations.add(configuration(Path.of(test)));
        }
        List<String> labels = ConfigLabels.of(configurations, names, dialect != null);
        if (!skipReports) {
            report(configurations);
        }
        if (dialect != null) {
            demandNoGate();
            return compare(
                    dialect,
                    new ConfigurationDialect.Request(configurations, labels, stages.named(), geometric, output),
                    out,
                    err);
        }
        ConfigInputs inputs = new ConfigInputs(configurations, labels);
        Options options = new Options(geometric ? Averaging.GEOMETRIC : Averaging.MEAN, threshold);
        return new ConfigOutput(global, inputs, stages, output).write(options, gate, out, err);
    }

    private void demandNoGate() {
        if (gate != null) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--fail-on-regression does not work with --compat", null);
        }
    }

    private int compare(
            ConfigurationDialect dialect, ConfigurationDialect.Request request, PrintWriter out, PrintWriter err)
            throws IOException {
        ConfigurationDialect.Compared compared;
        try (Session session = new Session(1)) {
            compared = dialect.compare(session, request);
        }
        compared.leftOut().forEach(left -> err.println("left out: " + left));
        if (!global.quiet()) {
            compared.written().forEach(file -> out.println("wrote " + file));
        }
        if (!compared.coverage().isComplete()) {
            CoverageText.print(compared.coverage(), err);
        }
        return ConfigInputs.status(
                global, compared.coverage(), compared.leftOut().isEmpty());
    }

    /** The pass over the traces; its coverage lies beside the reports and is read back with them. */
    private void report(List<Configuration> configurations) throws IOException {
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            PassOptions options = reports.options(configurations, global, progress);
            for (Configuration configuration : configurations) {
                RunReports.of(session, configuration, options, reports.style(), geometric);
            }
        }
    }

    private static double notNegative(String option, double given) {
        if (!(given >= 0)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, option + " takes a percentage of 0 or more, not " + given, null);
        }
        return given;
    }

    private Configuration configuration(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    "there is no folder " + folder,
                    "Give the folder of a configuration: the one that holds torch_profiler or lockstep_reports.");
        }
        return skipReports
                ? Configuration.finished(folder, reports.names())
                : Configuration.at(folder, reports.names());
    }
}
