// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.GoalInput;
import dev.lockstep.goal.GoalOptions.PyTorch;
import dev.lockstep.goal.GoalOptions.Reading;
import dev.lockstep.goal.chakra.ChakraRun;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.ranks.RankCount;
import dev.lockstep.words.Words;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** {@code lockstep goal export --chakra}: what ranks did as execution traces for another simulator. */
public final class GoalExportCommand implements Command {
    private final RankArguments ranks = new RankArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required option
    private Path target;

    private boolean chakra;
    private boolean json;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep goal export --chakra run/ -o et");
        global = arguments.global();
        ranks.declare(arguments);
        arguments.required(
                "-o,--output", "DIR", Path.class, "Where the files go. Created if absent.", given -> target = given);
        arguments.writes("-o");
        arguments.flag("--chakra", "Write execution traces of Chakra, which ASTRA-sim reads.", () -> chakra = true);
        arguments.option(
                "--format",
                "FORMAT",
                String.class,
                "et, protocol buffers, or json (default: et).",
                given -> json = isJson(given));
    }

    private static boolean isJson(String given) {
        return switch (given) {
            case "json" -> true;
            case "et" -> false;
            default ->
                throw new UserException(
                        ErrorCode.OPTION_INVALID, "--format does not know '" + given + "'", "known: et, json");
        };
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (!chakra) {
            throw new UserException(ErrorCode.OPTION_INVALID, "the format is missing", "Add --chakra.");
        }
        ChakraRun run = read();
        for (ScheduleNote note : run.notes()) {
            if (note.loss() || !global.quiet()) {
                err.println(note.text());
            }
        }
        ChakraRun.Written written = run.writeTo(target, json);
        if (!global.quiet()) {
            out.println("wrote the execution traces of " + run.ranks() + " ranks" + RankCount.besides(run.besides())
                    + " into " + target + ": " + written.nodes() + " nodes, of which " + written.communications()
                    + " communicate");
            out.println("without latencies, which the format has no place for, and waiting for no other rank, "
                    + "the slowest takes " + Words.time(written.shortestNs()) + "; recorded: "
                    + Words.time(written.recordedNs()));
        }
        return global.status(run.isWhole());
    }

    private ChakraRun read() throws IOException {
        GoalInput input = new GoalInput.PyTorch(String.join(" ", ranks.inputs()), ranks.files());
        PyTorch known = PyTorch.AS_RECORDED;
        PyTorch chosen = new PyTorch(ranks.selection(), known.gpusPerNode(), known.channels(), null, null, null);
        try (Progress progress = Progress.of(global)) {
            return ChakraRun.read(
                    input, new Reading(global.jobs(), global.strict(), progress.reading(input.files()), null, chosen));
        }
    }
}
