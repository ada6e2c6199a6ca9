// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.goal.Goal;
import dev.lockstep.goal.GoalSchedule;
import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleProof;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** {@code lockstep goal verify FILE}: whether a schedule can run to its end, and what it holds. */
public final class GoalVerifyCommand implements Command {
    private static final int FLAWS = 20;

    private GlobalOptions global = new GlobalOptions();

    private Path file = Path.of("");
    private int limit = FLAWS;
    private boolean json;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep goal verify schedule/output.goal", "lockstep goal verify schedule/output.goal --json");
        global = arguments.global();
        arguments.argument("FILE", Path.class, "A schedule in GOAL: text or binary.", given -> file = given);
        arguments.number(
                "--max-errors",
                "N",
                1,
                "How many flaws to describe (default: " + FLAWS + "); all are counted.",
                given -> limit = given);
        arguments.flag("--json", "Print result and statistics as one JSON document.", () -> json = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        GoalSchedule schedule = Goal.read(file, limit);
        ScheduleProof proof = schedule.verify();
        if (json) {
            ScheduleJson.verification(out, proof, schedule.counts());
        } else {
            print(schedule, proof, out, err);
        }
        return proof.correct() ? ExitStatus.COMPLETE : ExitStatus.GATE_FAILED;
    }

    private void print(GoalSchedule schedule, ScheduleProof proof, PrintWriter out, PrintWriter err)
            throws IOException {
        proof.flaws().forEach(flaw -> err.println(file + ": " + flaw));
        long flaws = proof.flawCount();
        if (flaws > proof.flaws().size()) {
            err.println(file + ": and " + (flaws - proof.flaws().size()) + " more");
        }
        if (proof.open() != null) {
            err.println(file + ": " + proof.open());
        }
        ScheduleCounts counts = schedule.counts();
        if (!global.quiet()) {
            ScheduleText.counts(out, counts);
        }
        String result = proof.correct()
                ? "correct"
                : flaws == 0
                        ? "NOT proven for every order of messages"
                        : "NOT correct, " + flaws + (flaws == 1 ? " flaw" : " flaws");
        out.println(file + ": " + result + ": " + ScheduleText.summary(counts));
    }
}
