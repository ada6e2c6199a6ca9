// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code lockstep demo}: a small synthetic sweep, and everything the program can do with it. */
public final class DemoCommand implements Command {
    private static final String RANK_0 = "512thread/nccl_42channels/torch_profiler/rank0/trace.json";

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private Path directory = Path.of("lockstep-demo");
    private boolean open;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Where everything goes (default: lockstep-demo).",
                given -> directory = given);
        arguments.flag("--open", "Open the report in the browser.", () -> open = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        Path sweep = directory.resolve("sweep");
        Path report = directory.resolve("report");
        Path page = report.resolve("report.html");
        int status = stage(
                out,
                err,
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
                        "256,512x28,42"));
        status = status != 0
                ? status
                : stage(
                        out,
                        err,
                        "What these files are",
                        List.of("info", sweep.resolve(RANK_0).toString()));
        status = status != 0
                ? status
                : stage(
                        out,
                        err,
                        "Where the time of rank 0 goes",
                        List.of("report", sweep.resolve(RANK_0).toString(), "-o", report.toString()));
        if (status != 0) {
            return status;
        }
        out.println();
        out.println("Look at the page:     " + page.toAbsolutePath().normalize().toUri());
        out.println("At the workbook:      " + report.resolve("report.xlsx"));
        out.println("At the truth:         " + sweep.resolve("truth.json"));
        out.println("Report on your trace: lockstep report TRACE");
        if (open) {
            Browsers.open(page);
        }
        return ExitStatus.COMPLETE;
    }

    /** Runs a command line of the program as a user would type it. */
    private int stage(PrintWriter out, PrintWriter err, String title, List<String> line) {
        List<String> arguments = new ArrayList<>(line);
        arguments.add("--jobs");
        arguments.add(Integer.toString(global.jobs()));
        if (!global.quiet()) {
            out.println();
            out.println("## " + title);
            out.println("$ lockstep " + String.join(" ", line));
            out.flush();
        } else {
            arguments.add("--quiet");
        }
        return Main.run(out, err, arguments.toArray(String[]::new));
    }
}
