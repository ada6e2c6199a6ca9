// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.goal.check.ScheduleCounts;
import dev.lockstep.goal.check.Verification;
import dev.lockstep.goal.stored.Flaws.Flaw;
import dev.lockstep.goal.stored.GoalFile;
import dev.lockstep.goal.stored.Places;
import dev.lockstep.goal.stored.StoredSchedule;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep goal verify FILE}: whether a schedule can run to its end, and what it holds. */
public final class GoalVerifyCommand implements Command {
    private static final int FLAWS = 20;

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private Path file = Path.of("");
    private int limit = FLAWS;
    private boolean json;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argument("FILE", Path.class, "A schedule in GOAL: text or binary.", given -> file = given);
        arguments.option(
                "--max-errors",
                "N",
                Integer.class,
                "How many flaws to describe (default: " + FLAWS + "); all are counted.",
                given -> limit = Math.max(1, given));
        arguments.flag("--json", "Print result and statistics as one JSON document.", () -> json = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        GoalFile goal = new GoalFile(file);
        StoredSchedule schedule = goal.read(limit);
        Verification.check(schedule);
        List<Flaw> flaws = schedule.flaws().first();
        Places places = Places.of(goal, flaws);
        List<String> said = flaws.stream().map(flaw -> flaw.in(places)).toList();
        boolean correct = schedule.flaws().count() == 0;
        if (json) {
            ScheduleJson.verification(out, said, schedule.flaws().count(), ScheduleCounts.of(schedule));
        } else {
            print(schedule, said, out, err);
        }
        return correct ? ExitStatus.COMPLETE : ExitStatus.GATE_FAILED;
    }

    private void print(StoredSchedule schedule, List<String> said, PrintWriter out, PrintWriter err) {
        said.forEach(flaw -> err.println(file + ": " + flaw));
        long flaws = schedule.flaws().count();
        if (flaws > said.size()) {
            err.println(file + ": and " + (flaws - said.size()) + " more");
        }
        if (!global.quiet()) {
            ScheduleText.counts(out, ScheduleCounts.of(schedule));
        }
        String result = flaws == 0 ? "correct" : "NOT correct, " + flaws + (flaws == 1 ? " flaw" : " flaws");
        out.println(file + ": " + result + ": " + ScheduleText.summary(schedule));
    }
}
