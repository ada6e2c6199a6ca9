// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.error.FileNames;
import dev.lockstep.goal.Goal;
import dev.lockstep.goal.model.ModelledAlgorithm;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code lockstep goal algorithms}: how collectives can be carried out. */
public final class GoalAlgorithmsCommand implements Command {
    private final List<Path> files = new ArrayList<>();
    private @Nullable String example;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep goal algorithms", "lockstep goal algorithms --example ring-all-reduce");
        arguments.global();
        arguments.repeated(
                "--algorithm",
                "FILE",
                "Check and list an algorithm from a file. Repeatable.",
                given -> given.stream().map(FileNames::path).forEach(files::add));
        arguments.option(
                "--example",
                "NAME",
                String.class,
                "Print a file to start from: ring-all-reduce, tree-all-reduce or halving-all-reduce.",
                given -> example = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (example != null) {
            out.print(Goal.algorithmExample(example));
            return ExitStatus.COMPLETE;
        }
        out.println(row("collective", "algorithm", "instead of NCCL's", "stated by"));
        for (ModelledAlgorithm algorithm : Goal.algorithms(files)) {
            out.println(row(
                    algorithm.collective(),
                    algorithm.name(),
                    algorithm.insteadOf(),
                    algorithm.file().isEmpty() ? "the program" : Unicode.line(algorithm.file())));
        }
        return ExitStatus.COMPLETE;
    }

    private static String row(String collective, String name, String insteadOf, String file) {
        return String.format(Locale.ROOT, "%-14s %-22s %-22s %s", collective, name, insteadOf, file);
    }
}
