// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.Main;
import dev.lockstep.cli.launch.ShellText;
import dev.lockstep.runs.ReportNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code lockstep demo}: a small synthetic sweep, and everything the program can do with it. */
public final class DemoCommand implements Command {
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
                                "--straggler",
                                "2",
                                "--steps",
                                "3",
                                "--sweep",
                                "256,512x28,42")),
                new Stage("Which setting is best, and why", List.of("sweep", "all", sweep.toString())),
                new Stage("Waiting caused by each rank", List.of("collectives", fastest, "-o", collectives.toString())),
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
     */
    private record Stage(String title, List<String> line) {}

    /** Runs a command line of the program as a user would type it. */
    private int run(Stage stage, PrintWriter out, PrintWriter err) {
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
        return Main.run(out, err, arguments.toArray(String[]::new));
    }
}
