// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.Main;
import dev.lockstep.cli.launch.ShellText;
import dev.lockstep.codec.Json;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.words.Words;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code lockstep demo}: a small synthetic sweep, and everything the program can do with it. */
public final class DemoCommand implements Command {
    private static final int SLOW = 2;
    private static final double PERCENT = 100;
    private static final String TRUTH = "truth.json";
    private static final String FASTEST = "512thread/nccl_42channels";

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private Path directory = Path.of("lockstep-demo");
    private boolean open;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep demo", "lockstep demo -o somewhere --open");
        global = arguments.global();
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Where everything goes (default: lockstep-demo).",
                given -> directory = given);
        arguments.writes("-o");
        arguments.flag("--open", "Open the page of the sweep in the browser.", () -> open = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        Path sweep = directory.resolve("sweep");
        Path analysis = ReportNames.OWN.in(sweep);
        Path page = analysis.resolve("sweep.html");
        Path report = directory.resolve("report");
        Path collectives = directory.resolve("collectives");
        String fastest = sweep.resolve(FASTEST).toString();
        String trace =
                sweep.resolve(FASTEST + "/torch_profiler/rank0/trace.json").toString();
        List<Stage> stages = List.of(
                new Stage(
                        "A training run on 4 ranks, recorded under 4 settings of the collective library",
                        List.of(
                                "synth",
                                "-o",
                                sweep.toString(),
                                "--ranks",
                                "4",
                                "--gpus-per-node",
                                "2",
                                "--sequence",
                                "4096",
                                "--straggler",
                                Integer.toString(SLOW),
                                "--steps",
                                "3",
                                "--sweep",
                                "256,512x28,42")),
                new Stage(
                        "Which setting is best, and why",
                        List.of("sweep", "all", sweep.toString()),
                        () -> ofSettings(sweep.resolve(TRUTH))),
                new Stage(
                        "Which rank is slow",
                        List.of("collectives", fastest, "-o", collectives.toString()),
                        () -> ofRank(sweep.resolve(FASTEST).resolve(TRUTH))),
                new Stage("Where the time of one rank goes", List.of("report", trace, "-o", report.toString())));
        for (Stage stage : stages) {
            int status = run(stage, out, err);
            if (status != ExitStatus.COMPLETE) {
                return status;
            }
        }
        out.println();
        out.println("Look at the sweep:    " + address(page));
        out.println("At its collectives:   " + address(collectives.resolve("report.html")));
        out.println("At one of its ranks:  " + address(report.resolve("report.html")));
        Path timeline = sweep.resolve("merged_traces/512thread_42ch_merged.pftrace");
        out.println("At merged timelines:  lockstep view " + ShellText.word(timeline.toString()));
        out.println("At the truth:         " + sweep.resolve("truth.json"));
        out.println("Your own sweep:       lockstep sweep all DIR");
        out.println("Your own trace:       lockstep report TRACE");
        if (open) {
            Browsers.open(page);
        }
        return ExitStatus.COMPLETE;
    }

    private static String address(Path page) {
        return page.toAbsolutePath().normalize().toUri().toString();
    }

    /**
     * A step of the demonstration.
     *
     * @param title what it shows
     * @param line the command line, without the program's name
     * @param truth what the answer has to be, in a sentence, from what was built in
     */
    private record Stage(
            String title, List<String> line, @Nullable Truth truth) {
        private Stage(String title, List<String> line) {
            this(title, line, null);
        }
    }

    /** What was built into the traces, as their makers wrote it down. */
    private interface Truth {
        String text() throws IOException;
    }

    private static Json.Members read(Path file) throws IOException {
        return (Json.Members) Json.parse(NamedFiles.bytes(file));
    }

    private static String ofSettings(Path file) throws IOException {
        List<Json.Members> settings = read(file).items("configurations").stream()
                .map(Json.Members.class::cast)
                .sorted(Comparator.comparingDouble(one -> one.number("mean_step_ns")))
                .toList();
        Json.Members best = settings.getFirst();
        Json.Members worst = settings.getLast();
        return String.format(
                Locale.ROOT,
                "%s was made the fastest. A step takes %s there, and %s with %s.",
                best.text("directory"),
                Words.time(Math.round(best.number("mean_step_ns"))),
                Words.time(Math.round(worst.number("mean_step_ns"))),
                worst.text("directory"));
    }

    private static String ofRank(Path file) throws IOException {
        Json.Members slow = read(file).object("straggler");
        return String.format(
                Locale.ROOT,
                "the kernels of rank %d were made %.0f %% slower, %s a step.",
                slow.whole("rank", -1),
                PERCENT * (slow.number("slowdown") - 1),
                Words.time(Math.round(slow.number("excess_ns_per_step"))));
    }

    /** Runs a command line of the program as a user would type it. */
    private int run(Stage stage, PrintWriter out, PrintWriter err) throws IOException {
        List<String> arguments = new ArrayList<>(stage.line);
        arguments.add("--jobs");
        arguments.add(Integer.toString(global.jobs()));
        if (!global.quiet()) {
            out.println();
            out.println("## " + stage.title);
            out.println("$ lockstep " + ShellText.line(stage.line));
            out.flush();
        } else {
            arguments.add("--quiet");
        }
        int status = Main.run(out, err, arguments.toArray(String[]::new));
        if (status == ExitStatus.COMPLETE && stage.truth != null && !global.quiet()) {
            out.println("Truth: " + stage.truth.text());
        }
        return status;
    }
}
