// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.goal.Goal;
import dev.lockstep.goal.GoalSchedule;
import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep goal report FILE}: what a schedule moves and how it would run, as a page and sheets. */
public final class GoalReportCommand implements Command {
    private GlobalOptions global = new GlobalOptions();

    private final NetworkArguments network = new NetworkArguments();
    private final ReportTargets targets = new ReportTargets();
    private Path file = Path.of("");

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep goal report schedule/output.goal -o schedule/report",
                "lockstep goal report schedule/output.goal --html schedule.html");
        global = arguments.global();
        arguments.argument("FILE", Path.class, "A schedule in GOAL: text or binary.", given -> file = given);
        targets.declare(arguments, "the schedule's name with _report");
        network.declareNetwork(arguments, "--overhead");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        GoalSchedule schedule = Goal.read(file);
        Report report = schedule.report(network.network());
        try (Session session = new Session(global.jobs())) {
            List<Path> written = targets.write(session, report, schedule.sources(), fallback(), CellStyle.PLAIN);
            if (!global.quiet()) {
                Summary.print(report, written, out);
            }
        }
        return ExitStatus.COMPLETE;
    }

    private Path fallback() {
        String name = String.valueOf(file.getFileName()).replaceFirst("(?:\\.(?:goal|bin|gz))+$", "");
        return file.resolveSibling(name + "_report");
    }
}
