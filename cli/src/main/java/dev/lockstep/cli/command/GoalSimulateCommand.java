// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.goal.Goal;
import dev.lockstep.goal.GoalSchedule;
import dev.lockstep.goal.model.MakespanRange;
import dev.lockstep.goal.model.NetworkShares;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulationRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code lockstep goal simulate FILE}: how long a schedule takes on a network, and on another one. */
public final class GoalSimulateCommand implements Command {
    /** A share of the makespan of one in so many is told. */
    private static final long TELLS = 2000;

    /** Other numberings of the ranks that are tried of schedules with no more operations than {@link #SMALL}. */
    private static final int ORDERS = 3;

    private static final long SMALL = 2_000_000;

    private GlobalOptions global = new GlobalOptions();

    private final NetworkArguments network = new NetworkArguments();
    private final CompatOption compat = new CompatOption();
    private Path file = Path.of("");
    private int orders = -1;
    private boolean json;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep goal simulate schedule/output.goal",
                "lockstep goal simulate schedule/output.goal --scale-network 2");
        global = arguments.global();
        arguments.argument("FILE", Path.class, "A schedule in GOAL: text or binary.", given -> file = given);
        network.declare(arguments);
        arguments.number(
                "--orders",
                "N",
                0,
                "Try N other numberings of the ranks, to say how far the makespan depends on them (default: " + ORDERS
                        + "; 0 from two million operations on).",
                given -> orders = given);
        compat.declare(arguments, "reference, the times of LogGOPSim");
        arguments.flag("--json", "Print times as one JSON document.", () -> json = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        SimulationRules rules = compat.or(SimulationRules.OWN, SimulationRules.class);
        GoalSchedule schedule = Goal.read(file);
        SimulatedTimes times = schedule.simulate(network.network(), network.machine(), rules);
        SimulatedTimes other =
                network.asksWhatIf() ? schedule.simulate(network.otherNetwork(), network.otherMachine(), rules) : null;
        Optional<NetworkShares> shares = schedule.shares(network.network(), network.machine(), rules, times);
        Optional<MakespanRange> renumbered = renumbered(schedule, times, rules);
        if (json) {
            SimulationText.json(
                    out, network, schedule.recorded(), new SimulationText.Found(times, other, shares, renumbered));
        } else {
            print(schedule, times, other, out);
            renumbered.ifPresent(range -> SimulationText.renumbered(out, times, range));
            shares.ifPresent(known -> SimulationText.shares(out, known));
            if (other != null && network.asksForMoreOnly()) {
                SimulationText.longer(out, times, other);
            }
            if (other != null && network.asksAboutMessagesOnly() && alike(times, other)) {
                SimulationText.unchanged(out, schedule.counts(), shares.isPresent());
            }
            if (network.asksAboutMessages() && !schedule.recorded().isEmpty()) {
                SimulationText.leftOut(out, network);
            }
        }
        if (times.stuck() > 0) {
            SimulationText.stuck(err, file, schedule, times, rules);
            return ExitStatus.GATE_FAILED;
        }
        return ExitStatus.COMPLETE;
    }

    private Optional<MakespanRange> renumbered(GoalSchedule schedule, SimulatedTimes times, SimulationRules rules)
            throws IOException {
        int wanted = orders >= 0 ? orders : schedule.operations() < SMALL ? ORDERS : 0;
        boolean tells = wanted > 0 && times.finishNs().length > 1 && times.stuck() == 0;
        return tells
                ? Optional.of(schedule.renumbered(network.network(), network.machine(), rules, wanted))
                : Optional.empty();
    }

    /** Whether a difference is too small to be seen in what is printed. */
    private static boolean alike(SimulatedTimes times, SimulatedTimes other) {
        return Math.abs(times.makespanNs() - other.makespanNs()) < times.makespanNs() / (double) TELLS;
    }

    private void print(GoalSchedule schedule, SimulatedTimes times, @Nullable SimulatedTimes other, PrintWriter out)
            throws IOException {
        List<RecordedSpan> recorded = schedule.recorded();
        if (!global.quiet()) {
            SimulationText.ranks(out, recorded, times, other);
        }
        SimulationText.recorded(out, recorded, times);
        SimulationText.makespan(out, network, times, other);
    }
}
