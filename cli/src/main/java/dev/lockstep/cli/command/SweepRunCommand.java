// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.launch.Pipeline;
import dev.lockstep.cli.launch.ThreadsAndChannels;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;

/** {@code lockstep sweep run}: training once for each number of threads and of channels. */
public final class SweepRunCommand implements Command {
    private final RunArguments runs = new RunArguments(Pipeline.SWEEP);
    private String threads = ThreadsAndChannels.DEFAULT_THREADS;
    private String channels = ThreadsAndChannels.DEFAULT_CHANNELS;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep sweep run -t 256,512 -c 28,42 -o sweep -- python train.py",
                "lockstep sweep run -t 256 -c 28 --dry-run -- python train.py");
        runs.declare(arguments, "-f,--config", "-p,--nproc");
        arguments.option(
                "-c,--channels",
                "LIST",
                String.class,
                "Channels of the collective library (default: " + channels + ").",
                given -> channels = given);
        arguments.option(
                "-t,--threads",
                "LIST",
                String.class,
                "Threads of a block (default: " + threads + ").",
                given -> threads = given);
    }

    @Override
    public Map<String, String> formerOptions() {
        return Map.of("--no-aggregate", "--no-summary", "--output-dir", "--output");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        return runs.run(ThreadsAndChannels.parse(threads, channels, runs.problems()), out, err);
    }
}
