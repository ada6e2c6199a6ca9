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
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code lockstep config compare}: configurations side by side, the first as the baseline. */
public final class ConfigCompareCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path output;

    private final ConfigChoice choice = new ConfigChoice();
    private final ConfigStages stages = new ConfigStages();
    private final ScreenOption screen = new ScreenOption();
    private final ReportArguments reports = new ReportArguments();
    private boolean geometric;
    private double threshold = Options.USUAL_THRESHOLD;
    private @Nullable Double gate;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        choice.declare(arguments);
        arguments.required("-o,--output", "DIR", Path.class, "Where the comparison goes.", given -> output = given);
        arguments.writes("-o");
        stages.declare(arguments);
        screen.declare(arguments);
        arguments.flag("--geo-mean", "Summarise ranks by the geometric mean.", () -> geometric = true);
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
    public Map<String, String> formerOptions() {
        return Map.of("--skip-tracelens", "--skip-reports", "--compare-all-runs", "--all");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ConfigurationDialect dialect = reports.compat().part(ConfigurationDialect.class);
        List<Configuration> configurations = choice.configurations(reports.names());
        List<String> labels = choice.labels(configurations, dialect != null);
        if (choice.makesReports()) {
            reports.make(configurations, geometric, global);
        }
        if (dialect != null) {
            if (gate != null) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID, "--fail-on-regression does not work with --compat", null);
            }
            return compare(
                    dialect,
                    new ConfigurationDialect.Request(configurations, labels, stages.named(), geometric, output),
                    out,
                    err);
        }
        ConfigInputs inputs = new ConfigInputs(configurations, labels);
        Options options = new Options(geometric ? Averaging.GEOMETRIC : Averaging.MEAN, threshold);
        return new ConfigOutput(global, inputs, stages, output, screen).write(options, gate, out, err);
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

    private static double notNegative(String option, double given) {
        if (!(given >= 0)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, option + " takes a percentage of 0 or more, not " + given, null);
        }
        return given;
    }
}
