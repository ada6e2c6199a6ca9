// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.cli.HiddenValues;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts the runs of a plan, one after the other, and writes down what came of them. */
public final class SweepRunner {
    private final SweepPlan plan;
    private final Again again;
    private final Limits limits;
    private final boolean showOutput;
    private final boolean writeSummary;
    private final LaunchConsole console;
    private final StopSignal stop;

    /**
     * @param again what to do with runs whose folders are there
     * @param showOutput whether the console shows what trainers print
     * @param writeSummary whether the summary becomes a file
     */
    public SweepRunner(
            SweepPlan plan,
            Again again,
            Limits limits,
            boolean showOutput,
            boolean writeSummary,
            LaunchConsole console,
            StopSignal stop) {
        this.plan = plan;
        this.again = again;
        this.limits = limits;
        this.showOutput = showOutput;
        this.writeSummary = writeSummary;
        this.console = console;
        this.stop = stop;
    }

    /**
     * Runs what is to be run.
     *
     * @throws UserException if nothing can be started, folders hold other runs than those asked for, or another launch is at work there
     */
    public LaunchResult run() throws IOException {
        Preflight preflight = new Preflight(plan, again);
        preflight.demandPrograms();
        LaunchPlaces.makeFolder(plan.base());
        try (FolderLock lock = FolderLock.of(plan.base(), plan.recipe().nodes())) {
            preflight.demandFolders();
            return launch();
        }
    }

    private LaunchResult launch() throws IOException {
        Pipeline pipeline = plan.recipe().pipeline();
        HiddenValues secrets = plan.runs().getFirst().secrets();
        try (LaunchLog log = new LaunchLog(own(pipeline.logName(plan.stamp())), console, secrets)) {
            introduce(log);
            List<Outcome> outcomes = outcomes(log);
            console.close();
            summarise(outcomes, log);
            return LaunchResult.of(outcomes, stop.isRequested());
        }
    }

    private List<Outcome> outcomes(LaunchLog log) throws IOException {
        List<Outcome> outcomes = new ArrayList<>();
        try {
            EnvironmentCapture capture = EnvironmentCapture.of(plan.recipe());
            Forecast forecast = new Forecast(plan.runs().size());
            for (RunPlan run : plan.runs()) {
                if (!stop.isRequested()) {
                    outcomes.add(run(run, capture, forecast, log));
                }
            }
        } catch (IOException | UserException e) {
            if (!isStopping()) {
                throw e;
            } // else a consequence: no file can be staged while the program ends
        }
        plan.runs().stream()
                .skip(outcomes.size())
                .forEach(run -> outcomes.add(new Outcome(run, RunStatus.UNKNOWN, null)));
        return outcomes;
    }

    private void introduce(LaunchLog log) {
        Recipe recipe = plan.recipe();
        log.banner("=== " + recipe.pipeline().title() + " ===");
        log.say("Config file: " + recipe.config().file());
        log.say("Results directory: " + plan.base());
        log.say("Runs: " + plan.runs().size() + ", " + recipe.processes()
                + (recipe.processes() == 1 ? " process each" : " processes each")
                + (recipe.nodes().isAlone()
                        ? ""
                        : " on this node, " + recipe.nodes().rank() + " of "
                                + recipe.nodes().count()));
        if (recipe.serializeKernels()) {
            log.problem("kernels run one after the other (AMD_SERIALIZE_KERNEL=3, HIP_LAUNCH_BLOCKING=1):"
                    + " nothing can be said about overlap");
        }
        if (!recipe.config().profiles()) {
            log.problem(recipe.config().file() + " switches recording off; there will be no traces");
        }
    }

    private Outcome run(RunPlan run, EnvironmentCapture capture, Forecast forecast, LaunchLog log) throws IOException {
        forecast.begin();
        String number =
                forecast.current() + "/" + forecast.runs() + " " + run.setting().title();
        RunDirectory directory = RunDirectory.of(run);
        if (directory.exists() && again == Again.SKIP) {
            log.say(number + ": skipped, its folder is there");
            return new Outcome(run, RunStatus.SKIPPED, null);
        }
        Optional<RunManifest> before = again == Again.RESUME ? RunManifest.finished(run) : Optional.empty();
        if (before.isPresent()) {
            log.say(number + ": finished before");
            return new Outcome(run, RunStatus.SUCCESS, before.get().duration());
        }
        log.say(number + ": started");
        run.setting()
                .environment()
                .keySet()
                .forEach(key -> log.say("  " + key + "=" + run.environment().get(key)));
        log.say("  Output directory: " + run.directory());
        RunProgress progress = new RunProgress(run, forecast, number, console, log);
        RunEnd end = start(run, capture, progress, log);
        if (end.status() == RunStatus.SUCCESS) {
            forecast.ended(end.duration());
        }
        tell(run, directory, end, number, log);
        boolean last = forecast.current() == forecast.runs();
        if (!last && !stop.isRequested()) {
            stop.await(limits.pause());
        }
        return new Outcome(run, end.status(), end.duration());
    }

    private RunEnd start(RunPlan run, EnvironmentCapture capture, RunProgress progress, LaunchLog log)
            throws IOException {
        RunDirectory directory = RunDirectory.of(run);
        directory.prepare(plan.base());
        RunManifest.Begin begin = RunManifest.Begin.of(run);
        try {
            RunManifest.write(run, capture, begin, null);
        } catch (IOException | UserException e) {
            directory.removeEmpty(plan.base()); // nothing has been started
            throw e;
        }
        try (RunLog output = new RunLog(directory.log(), showOutput ? console.output() : null, run.secrets())) {
            RunEnd end = new RunProcesses(limits, stop, progress::tick).run(run.processes(freePort()), output);
            if (output.failure() != null) {
                log.problem("the log of this run is not complete: "
                        + output.failure().getMessage());
            }
            return written(run, capture, begin, end, log);
        }
    }

    /** The end of a run as its manifest has it: a run whose log or manifest is lost is no success, and no other run's concern. */
    private RunEnd written(
            RunPlan run, EnvironmentCapture capture, RunManifest.Begin begin, RunEnd end, LaunchLog log) {
        boolean lost = !Files.isRegularFile(RunDirectory.of(run).log());
        RunEnd known = lost ? end.failed("the trainer removed or replaced the folder of its run, and the log") : end;
        try {
            RunManifest.write(run, capture, begin, known);
            return known;
        } catch (IOException | UserException e) {
            log.problem("the manifest of this run is not complete: " + e.getMessage());
            return known.failed("its manifest could not be written");
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void tell(RunPlan run, RunDirectory directory, RunEnd end, String number, LaunchLog log)
            throws IOException {
        if (end.status() == RunStatus.SUCCESS) {
            int ranks = directory.tracedRanks();
            log.say(number + ": done in " + Clock.text(end.duration()) + ", traces of " + ranks
                    + (ranks == 1 ? " rank" : " ranks"));
            if (ranks < run.recipe().processes() && run.recipe().config().profiles()) {
                log.problem(run.directory() + ": traces of " + ranks + " of "
                        + run.recipe().processes() + " ranks");
            }
            return;
        }
        log.problem(number + ": " + end.reason() + " after " + Clock.text(end.duration()));
        if (end.status() == RunStatus.FAILED) {
            if (!end.lastLines().isEmpty()) {
                log.problem("the last lines of " + directory.log() + ":");
            }
            end.lastLines().forEach(log::quote);
        }
    }

    private void summarise(List<Outcome> outcomes, LaunchLog log) throws IOException {
        List<String> lines = LaunchSummary.lines(plan, outcomes, ZonedDateTime.now(ZoneId.systemDefault()));
        console.line("");
        lines.forEach(console::line);
        console.line("");
        if (writeSummary) {
            Path file = own(plan.recipe().pipeline().summaryName(plan.stamp()));
            write(file, String.join("\n", lines) + "\n");
            log.say("Summary saved to: " + file);
        }
        log.say(stop.isRequested() ? "Stopped. --resume goes on from here" : "All runs done");
    }

    /** A file of this launch and node, beside the runs. */
    private Path own(String name) {
        return LaunchPlaces.file(plan.base().resolve(plan.recipe().nodes().own(name)));
    }

    private void write(Path file, String text) throws IOException {
        try (Output output = new Output()) {
            NamedFiles.write(output.file(file), text);
            output.commit();
        } catch (IOException | UserException e) {
            if (!isStopping()) {
                throw e;
            }
            NamedFiles.write(file, text);
        }
    }

    /** The end may be felt a moment before it is told. */
    private boolean isStopping() {
        return stop.await(Duration.ofSeconds(1));
    }
}
