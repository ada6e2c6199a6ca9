// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.gate;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.NearestName;
import dev.lockstep.cli.SettingsFile;
import dev.lockstep.cli.command.ExplainedInputs;
import dev.lockstep.cli.gate.Judgement.Outcome;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.publish.metrics.MetricFigure;
import dev.lockstep.publish.metrics.MetricRegistry;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code lockstep gate}: whether runs are worse than others by more than a budget allows, and not by chance. */
public final class GateCommand implements Command {
    /** What is looked at where no budget says it. */
    private static final Map<String, Double> USUAL = Map.of("step_time", 5.0, "peak_memory", 5.0);

    private static final int USUAL_LAST = 20;

    /** A run and its figures. */
    private record Measured(String name, List<MetricFigure> figures) {}

    private List<String> baseline = List.of();
    private List<String> candidate = List.of();
    private @Nullable Path budget;
    private @Nullable Path history;
    private final Map<String, Path> files = new LinkedHashMap<>();
    private int last = USUAL_LAST;
    private boolean demanding;
    private int status = ExitStatus.COMPLETE;

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep gate --baseline history --candidate run1 run2 --markdown gate.md",
                "lockstep gate --baseline main/run --candidate branch/run --junit gate.xml");
        global = arguments.global();
        List<String> from = new ArrayList<>();
        List<String> own = new ArrayList<>();
        arguments.several(
                "--baseline",
                "PATH",
                true,
                "Runs to compare with: each a trace, the folder of a run, or a history.",
                given -> baseline = added(from, given));
        arguments.several(
                "--candidate", "PATH", true, "Runs to judge, likewise.", given -> candidate = added(own, given));
        arguments.option(
                "--budget",
                "FILE",
                Path.class,
                "By how many percent figures may be worse, as lines 'step_time: 5' (default: step_time and peak_memory, 5).",
                given -> budget = given);
        arguments.number("--last", "N", 1, "Take the last N runs of a history (default 20).", given -> last = given);
        arguments.flag(
                "--demand-conclusive", "Exit with 1 where a figure is inconclusive, too.", () -> demanding = true);
        arguments.option(
                "--history",
                "DIR",
                Path.class,
                "Add the candidate's figures to the history DIR unless a figure is worse.",
                given -> history = given);
        for (String form : List.of("junit", "sarif", "markdown")) {
            String name = Map.of("junit", "JUnit's XML", "sarif", "SARIF", "markdown", "Markdown")
                    .get(form);
            arguments.option(
                    "--" + form,
                    "FILE",
                    Path.class,
                    "Write the result as " + name + ".",
                    given -> files.put(form, given));
        }
        arguments.writes("--junit", "--sarif", "--markdown", "--history");
    }

    private static List<String> added(List<String> all, List<String> given) {
        all.addAll(given);
        return List.copyOf(all);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        Map<String, Double> limits = limits();
        List<Judgement> judged = new ArrayList<>();
        List<Measured> own;
        try (Lockstep lockstep = Lockstep.open(Lockstep.Options.standard().withThreads(global.jobs()))) {
            List<Measured> from = measured(lockstep, baseline, err);
            own = measured(lockstep, candidate, err);
            List<String> known = limits.keySet().stream()
                    .filter(name -> !figures(from, name).isEmpty()
                            && !figures(own, name).isEmpty())
                    .toList();
            for (String name : known) {
                double limit = Objects.requireNonNull(limits.get(name));
                judged.add(Judgement.of(figures(from, name), figures(own, name), limit, known.size()));
            }
        }
        if (judged.isEmpty()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    "baseline and candidate share none of the figures: " + String.join(", ", limits.keySet()),
                    "lockstep report PATH --otel - shows which a run has.");
        }
        boolean worse = judged.stream().anyMatch(one -> one.outcome() == Outcome.REGRESSION);
        boolean unclear = judged.stream().anyMatch(one -> one.outcome() == Outcome.INCONCLUSIVE);
        write(judged);
        GateFiles.print(judged, out);
        Path grown = history;
        if (grown != null && !worse) {
            for (Measured run : own) {
                Path file = GateHistory.add(grown, run.name, run.figures);
                if (!global.quiet()) {
                    out.println("wrote " + file);
                }
            }
        }
        return worse || demanding && unclear ? ExitStatus.GATE_FAILED : status;
    }

    private static List<MetricFigure> figures(List<Measured> runs, String name) {
        return runs.stream()
                .flatMap(run -> run.figures.stream()
                        .filter(figure -> figure.name().equals(name) && figure.kind() != MetricFigure.Kind.RANKS))
                .toList();
    }

    private void write(List<Judgement> judged) throws IOException {
        try (Output output = new Output()) {
            for (Map.Entry<String, Path> file : files.entrySet()) {
                GateFiles.write(file.getKey(), judged, candidate.getFirst(), output.file(file.getValue()));
            }
            output.commit();
        }
    }

    // ---- inputs ----

    private List<Measured> measured(Lockstep lockstep, List<String> names, PrintWriter err) throws IOException {
        List<Measured> runs = new ArrayList<>();
        for (String name : names) {
            Path path = FileNames.path(name);
            List<Path> stored = GateHistory.isFile(path) ? List.of(path) : GateHistory.files(path);
            for (Path file : stored.subList(Math.max(0, stored.size() - last), stored.size())) {
                runs.add(new Measured(file.toString(), GateHistory.read(file)));
            }
            if (stored.isEmpty()) {
                ExplainedInputs explained = ExplainedInputs.of(lockstep, List.of(name), global, err);
                status = Math.max(status, explained.status());
                runs.add(new Measured(
                        String.valueOf(path.toAbsolutePath().normalize().getFileName()),
                        MetricRegistry.of(explained.report())));
            }
        }
        return runs;
    }

    private Map<String, Double> limits() {
        Path named = budget;
        if (named == null) {
            return new TreeMap<>(USUAL).descendingMap();
        }
        String file = named.toString();
        byte[] bytes = SettingsFile.bytes(named, null);
        String hint = "Write lines such as 'step_time: 5'. Known: " + String.join(", ", MetricRegistry.names()) + ".";
        Object document = SettingsFile.yaml(file, SettingsFile.text(named, bytes), ErrorCode.OPTION_INVALID, hint);
        if (!(document instanceof Map<?, ?> lines) || lines.isEmpty()) {
            throw new UserException(ErrorCode.OPTION_INVALID, file + ": no figures with limits", hint);
        }
        Map<String, Double> limits = new LinkedHashMap<>();
        lines.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (!MetricRegistry.names().contains(name)) {
                Optional<String> near = NearestName.nearest(name, MetricRegistry.names());
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        file + ": unknown figure '" + name + "'"
                                + near.map(one -> "; did you mean '" + one + "'?")
                                        .orElse(""),
                        hint);
            }
            if (!(value instanceof Number percent)
                    || !(percent.doubleValue() >= 0)
                    || !Double.isFinite(percent.doubleValue())) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID, file + ": " + name + " wants a percentage of 0 or more", hint);
            }
            limits.put(name, percent.doubleValue());
        });
        return limits;
    }
}
