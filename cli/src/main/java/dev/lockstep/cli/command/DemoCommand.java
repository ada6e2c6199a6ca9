// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep demo}: a small synthetic sweep, and everything the program can do with it. */
@Command
public final class DemoCommand implements Callable<Integer> {
    private static final String RANK_0 = "512thread/nccl_42channels/torch_profiler/rank0/trace.json";

    @Spec
    private CommandSpec command;

    @Mixin
    private GlobalOptions global;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            defaultValue = "lockstep-demo",
            description = "Where everything goes (default: lockstep-demo).")
    private Path directory;

    @Option(names = "--open", description = "Open the report in the browser.")
    private boolean open;

    @Override
    public Integer call() throws IOException {
        Path sweep = directory.resolve("sweep");
        Path report = directory.resolve("report");
        Path page = report.resolve("report.html");
        int status = stage(
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
                        "What these files are",
                        List.of("info", sweep.resolve(RANK_0).toString()));
        status = status != 0
                ? status
                : stage(
                        "Where the time of rank 0 goes",
                        List.of("report", sweep.resolve(RANK_0).toString(), "-o", report.toString()));
        if (status != 0) {
            return status;
        }
        PrintWriter out = command.commandLine().getOut();
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
    private int stage(String title, List<String> line) {
        PrintWriter out = command.commandLine().getOut();
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
        return Main.run(out, command.commandLine().getErr(), arguments.toArray(String[]::new));
    }
}
