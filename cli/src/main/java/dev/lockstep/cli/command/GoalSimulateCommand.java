// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.goal.Goal;
import dev.lockstep.goal.GoalSchedule;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.SimulatedTimes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep goal simulate FILE}: how long a schedule takes on a network, and on another one. */
public final class GoalSimulateCommand implements Command {
    private GlobalOptions global = new GlobalOptions();

    private final NetworkArguments network = new NetworkArguments();
    private Path file = Path.of("");
    private boolean json;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argument("FILE", Path.class, "A schedule in GOAL: text or binary.", given -> file = given);
        network.declare(arguments);
        arguments.flag("--json", "Print times as one JSON document.", () -> json = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        GoalSchedule schedule = Goal.read(file);
        SimulatedTimes times = schedule.simulate(network.network());
        SimulatedTimes other =
                network.asksWhatIf() ? schedule.simulate(network.otherNetwork(), network.otherCompute()) : null;
        if (json) {
            SimulationText.json(out, network, schedule.recorded(), times, other);
        } else {
            print(schedule.recorded(), times, other, out);
        }
        if (times.stuck() > 0) {
            SimulationText.stuck(err, file, schedule, times);
            return ExitStatus.GATE_FAILED;
        }
        return ExitStatus.COMPLETE;
    }

    private void print(
            List<RecordedSpan> recorded, SimulatedTimes times, @Nullable SimulatedTimes other, PrintWriter out) {
        if (!global.quiet()) {
            SimulationText.ranks(out, recorded, times, other);
        }
        SimulationText.recorded(out, recorded, times);
        SimulationText.makespan(out, network, times, other);
    }
}
