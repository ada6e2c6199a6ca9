// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.launch.Pipeline;
import dev.lockstep.cli.launch.WarpSpeed;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** {@code lockstep config run}: training once for each pair of compute units and threads. */
public final class ConfigRunCommand implements Command {
    private final RunArguments runs = new RunArguments(Pipeline.CONFIG);
    private final List<String> pairs = new ArrayList<>();

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep config run -c config.yaml -p '56,256 37,384' -- python train.py",
                "lockstep config run -c config.yaml --dry-run -- python train.py");
        runs.declare(arguments, "-c,--config", "--nproc");
        arguments.list(
                "-p,--pairs",
                "CU,THREADS",
                "Compute units and threads of each run (default: \"" + WarpSpeed.DEFAULT + "\").",
                pairs::addAll);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        List<String> wanted = pairs.isEmpty() ? List.of(WarpSpeed.DEFAULT) : pairs;
        return runs.run(WarpSpeed.parse(wanted, runs.problems()), out, err);
    }
}
