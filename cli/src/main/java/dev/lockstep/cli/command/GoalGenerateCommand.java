// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.OptionHints;
import dev.lockstep.goal.GeneratedSchedule;
import dev.lockstep.goal.Goal;
import dev.lockstep.goal.GoalInput;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.ranks.RankCount;
import dev.lockstep.words.Words;
import java.io.IOException;
import java.io.PrintWriter;

/** {@code lockstep goal}: schedules of the collectives that traces recorded. */
public final class GoalGenerateCommand implements Command {
    private final GoalArguments arguments = new GoalArguments();
    private GlobalOptions global = new GlobalOptions();

    @Override
    public void declare(Arguments declared) {
        declared.examples(
                "lockstep goal generate -i traces/ -o schedule",
                "lockstep goal generate --from kineto -i run/ -o schedule");
        global = declared.global();
        arguments.declare(declared);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        arguments.check();
        GeneratedSchedule schedule = generate();
        schedule.notes().stream()
                .filter(note -> note.loss() || !global.quiet())
                .forEach(note -> err.println(text(note)));
        if (global.strict()) {
            schedule.demandWhole();
        }
        schedule.writeTo(arguments.output(), arguments.files());
        if (!global.quiet()) {
            out.println("wrote the schedule of " + schedule.ranks() + " ranks" + RankCount.besides(schedule.besides())
                    + " into " + arguments.output());
            begins(schedule, out);
        }
        return global.status(schedule.isWhole());
    }

    private static void begins(GeneratedSchedule schedule, PrintWriter out) {
        long apart = schedule.recorded().stream()
                .mapToLong(RecordedSpan::beginNs)
                .max()
                .orElse(0);
        if (apart > 0) {
            out.println("ranks begin up to " + Words.time(apart)
                    + " apart, as they were recorded; with --start-together all begin at 0");
        }
    }

    private GeneratedSchedule generate() throws IOException {
        GoalInput input = input();
        try (Progress progress = Progress.of(global)) {
            return Goal.generate(input, arguments.options(global, progress.reading(input.files())), arguments.rules());
        }
    }

    private GoalInput input() throws IOException {
        return arguments.isPyTorch()
                ? GoalInput.pyTorch(arguments.input().toString())
                : GoalInput.nsys(arguments.input());
    }

    private String text(ScheduleNote note) {
        return arguments.isPyTorch() ? note.text(OptionHints.ofAssumption(note.code(), note.first())) : note.text();
    }
}
