// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.ShellText;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.replay.Replay;
import dev.lockstep.replay.Replay.Language;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep replay export PLAN}: a plan as a program of its own. */
public final class ReplayExportCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path plan;

    @SuppressWarnings("NullAway.Init") // a required option
    private String language;

    private @Nullable Path output;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep replay export plan.json --to python -o replay.py",
                "lockstep replay export plan.json --to cpp -o replay_cpp");
        global = arguments.global();
        arguments.argument("PLAN", Path.class, "A plan, from lockstep replay plan.", given -> plan = given);
        arguments.required(
                "--to",
                "LANGUAGE",
                String.class,
                "python: a script for the PyTorch of any machine. cpp: a program for libtorch, with its"
                        + " CMakeLists.txt.",
                given -> language = given);
        arguments.option(
                "-o,--output",
                "PATH",
                Path.class,
                "The script, or the folder of the program (default: PLAN's name with .py, or with _cpp).",
                given -> output = given);
        arguments.writes("-o");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        boolean python = language.equals("python");
        if (!python && !language.equals("cpp")) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--to is python or cpp, not " + language, null);
        }
        String stem = Inputs.stem(plan);
        Path target = output != null ? output : plan.resolveSibling(stem + (python ? ".py" : "_cpp"));
        Output.demandNoInput(target, List.of(plan));
        ReplayPlan read = Replay.read(plan);
        try (Output files = new Output()) {
            if (python) {
                Replay.export(read, Language.PYTHON, files.file(target));
            } else {
                Replay.export(read, Language.CPP, files.directory(target));
            }
            files.commit();
        }
        if (!global.quiet()) {
            String word = ShellText.word(target.toString());
            out.println("wrote " + target);
            out.println(
                    python
                            ? "run it with: python3 " + word + " -o RESULT.json"
                            : "build it with: cmake -S " + word + " -B build -DCMAKE_PREFIX_PATH=LIBTORCH && cmake"
                                    + " --build build");
        }
        return ExitStatus.COMPLETE;
    }
}
