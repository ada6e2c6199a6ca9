// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.StopSignal;
import dev.lockstep.cli.power.PowerRecorder;
import dev.lockstep.cli.power.PowerSources;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.power.PowerSource;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** {@code lockstep replay power -o LOG -- COMMAND}: samples power while a command runs, or for some time. */
public final class ReplayPowerCommand implements Command {
    /** After this the program ends when the user stops it, whatever is left. */
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path target;

    private String source = "auto";
    private double periodMs = 20;
    private double seconds;
    private double before = 2;
    private List<String> command = List.of();

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep replay power -o power.csv -- lockstep replay run plan.json -o r.json",
                "lockstep replay power -o power.csv --duration 10");
        global = arguments.global();
        arguments.required("-o,--output", "FILE", Path.class, "The log, a CSV file.", given -> target = given);
        arguments.writes("-o");
        arguments.option(
                "--source",
                "NAME",
                String.class,
                "Where power comes from: auto (default), nvml, nvidia-smi, amd-smi, hwmon, rapl.",
                given -> source = given);
        arguments.option(
                "--period", "MS", Double.class, "Time between samples in ms (default 20).", given -> periodMs = given);
        arguments.option(
                "--duration",
                "S",
                Double.class,
                "Sample so many seconds, without a command.",
                given -> seconds = given);
        arguments.option(
                "--idle-before",
                "S",
                Double.class,
                "Sample so many seconds before the command starts (default 2), for the idle power.",
                given -> before = given);
        arguments.words("COMMAND", "What to run meanwhile, behind --.", given -> command = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (command.isEmpty() == !(seconds > 0) || !(periodMs > 0) || !(before >= 0)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "either a command behind --, or --duration, and a --period above 0",
                    "lockstep replay power -o power.csv -- lockstep replay run plan.json -o r.json");
        }
        List<String> absent = new ArrayList<>();
        try (StopSignal stop = StopSignal.listen(LONGEST_END, ExitStatus.INTERRUPTED);
                PowerSource power = PowerSources.open(source, absent);
                Output output = new Output()) {
            PowerRecorder recorder = new PowerRecorder(power, Math.round(periodMs * 1e6));
            MeteredCommand run = new MeteredCommand(command, before, seconds, stop::isRequested);
            try (Writer log = NamedFiles.writer(output.file(target))) {
                recorder.record(log, Clock.systemUTC(), run);
            } finally {
                run.end();
            }
            if (stop.isRequested()) {
                return ExitStatus.INTERRUPTED;
            }
            output.commit();
            if (!global.quiet()) {
                String devices = power.domains().stream()
                        .map(d -> d.domain() + " (" + d.label() + ")")
                        .collect(Collectors.joining(", "));
                out.println(recorder.samples() + " samples of " + power.name() + ", " + devices);
                out.println("wrote " + target);
            }
            return run.failed() ? ExitStatus.GATE_FAILED : ExitStatus.COMPLETE;
        }
    }
}
