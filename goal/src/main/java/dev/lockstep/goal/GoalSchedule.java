// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.check.ScheduleCounting;
import dev.lockstep.goal.check.ScheduleVerification;
import dev.lockstep.goal.generate.CollectiveTable;
import dev.lockstep.goal.generate.RecordedSpans;
import dev.lockstep.goal.model.Machine;
import dev.lockstep.goal.model.MakespanRange;
import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.NetworkShares;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleProof;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulationRules;
import dev.lockstep.goal.report.ScheduleReport;
import dev.lockstep.goal.simulate.Activity;
import dev.lockstep.goal.simulate.Simulation;
import dev.lockstep.goal.stored.Flaws;
import dev.lockstep.goal.stored.Flaws.Flaw;
import dev.lockstep.goal.stored.Flaws.Place;
import dev.lockstep.goal.stored.GoalFile;
import dev.lockstep.goal.stored.NodeTransfers;
import dev.lockstep.goal.stored.Places;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** A schedule that was read from a file. Immutable; made by {@link Goal#read(Path)}. */
public final class GoalSchedule {
    static final int FLAWS_IN_WORDS = 20;

    private final GoalFile file;
    private final StoredSchedule stored;

    private GoalSchedule(GoalFile file, StoredSchedule stored) {
        this.file = file;
        this.stored = stored;
    }

    static GoalSchedule read(Path path, int flawsInWords) throws IOException {
        GoalFile file = new GoalFile(path);
        return new GoalSchedule(file, file.read(flawsInWords));
    }

    /**
     * What the schedule holds.
     *
     * @return operations, bytes and nanoseconds of each rank, and what each pair of ranks exchanges
     * @throws TraceFormatException when a sum is beyond what 64 bits can count
     */
    public ScheduleCounts counts() throws TraceFormatException {
        try {
            return ScheduleCounting.of(stored);
        } catch (ArithmeticException beyond) {
            throw beyond("the sizes of its operations add up to more than 64 bits can count", beyond);
        }
    }

    /**
     * Proves that the schedule runs to its end on any network: no line says what no schedule may say, no operation waits
     * for itself, every message has a receive of its size, and nobody waits for ever, with rendezvous or without, in whatever
     * order messages of one tag meet.
     *
     * @return what speaks against it, or what could not be proven
     * @throws IOException when the file is gone, in which the places of flaws are looked up
     */
    public ScheduleProof verify() throws IOException {
        Flaws flaws = ScheduleVerification.check(stored);
        Flaw open = flaws.open();
        List<Flaw> told = new ArrayList<>(flaws.first());
        if (open != null) {
            told.add(open);
        }
        Places places = Places.of(file, told);
        return new ScheduleProof(
                flaws.first().stream().map(flaw -> flaw.in(places)).toList(),
                flaws.count(),
                open == null ? null : open.in(places));
    }

    /**
     * Says how long the schedule takes on a network without congestion, by LogGOPSim's model; where times differ from that
     * program's, {@link SimulationRules} says.
     *
     * @param network what messages take
     * @return when each rank is done; where the schedule is a deadlock, the times reached until then
     * @throws TraceFormatException when a line of the schedule says what no schedule may say
     * @throws IOException when the file is gone, in which the places of flaws are looked up
     */
    public SimulatedTimes simulate(Network network) throws IOException {
        return simulate(network, 1);
    }

    /**
     * Says how long the schedule takes on a network without congestion and with other processors.
     *
     * @param network what messages take
     * @param computeFaster by what the durations of calculations are divided, more than 0
     * @return when each rank is done; where the schedule is a deadlock, the times reached until then
     * @throws TraceFormatException when a line of the schedule says what no schedule may say
     * @throws IOException when the file is gone, in which the places of flaws are looked up
     */
    public SimulatedTimes simulate(Network network, double computeFaster) throws IOException {
        return simulate(network, new Machine(computeFaster, 1, 0));
    }

    /**
     * Says how long the schedule takes on a network without congestion and on other nodes.
     *
     * @param network what messages take
     * @param machine what calculations take, and transfers within nodes
     * @return when each rank is done; where the schedule is a deadlock, the times reached until then
     * @throws TraceFormatException when a line of the schedule, or of the table of transfers, is not as it must be
     * @throws UserException when transfers are to take other times, and no table says which they are
     * @throws IOException when the file is gone, in which the places of flaws are looked up
     */
    public SimulatedTimes simulate(Network network, Machine machine) throws IOException {
        return simulate(network, machine, SimulationRules.OWN);
    }

    /**
     * Says how long the schedule takes on a network without congestion and on other nodes.
     *
     * @param network what messages take
     * @param machine what calculations take, and transfers within nodes
     * @param rules how it is counted
     * @return when each rank is done; where the schedule is a deadlock, the times reached until then
     * @throws TraceFormatException when a line of the schedule, or of the table of transfers, is not as it must be
     * @throws UserException when transfers are to take other times, and no table says which they are
     * @throws IOException when the file is gone, in which the places of flaws are looked up
     */
    public SimulatedTimes simulate(Network network, Machine machine, SimulationRules rules) throws IOException {
        return simulate(network, machine, rules, inOrder());
    }

    private SimulatedTimes simulate(Network network, Machine machine, SimulationRules rules, int[] order)
            throws IOException {
        demandSound();
        try {
            StoredSchedule schedule = machine.changes() ? on(machine) : stored;
            return Simulation.run(schedule, network, rules, Activity.IGNORED, order);
        } catch (ArithmeticException beyond) {
            throw beyond("it takes more nanoseconds than 64 bits can count, on this network and machine", beyond);
        }
    }

    private int[] inOrder() {
        return IntStream.range(0, stored.ranks().size()).toArray();
    }

    /**
     * Says how far the makespan depends on the numbers of the ranks.
     *
     * @param network what messages take
     * @param machine what calculations take, and transfers within nodes
     * @param rules how it is counted
     * @param orders how many other numberings are tried, 1 or more: the reverse, then others that are always the same; each
     *     takes as long as a simulation
     * @return the makespans with these numberings
     * @throws TraceFormatException when a line of the schedule, or of the table of transfers, is not as it must be
     * @throws UserException when transfers are to take other times, and no table says which they are
     * @throws IOException when the file is gone, in which the places of flaws are looked up
     */
    public MakespanRange renumbered(Network network, Machine machine, SimulationRules rules, int orders)
            throws IOException {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < orders; i++) {
            long makespan = simulate(network, machine, rules, otherOrder(i)).makespanNs();
            least = Math.min(least, makespan);
            most = Math.max(most, makespan);
        }
        return new MakespanRange(orders, least, most);
    }

    private int[] otherOrder(int number) {
        List<Integer> ranks = new ArrayList<>();
        for (int rank : inOrder()) {
            ranks.add(rank);
        }
        if (number == 0) {
            Collections.reverse(ranks);
        } else {
            Collections.shuffle(ranks, new Random(number));
        }
        return ranks.stream().mapToInt(rank -> rank).toArray();
    }

    /**
     * How large the schedule is.
     *
     * @return number of its operations
     */
    public long operations() {
        return stored.operations();
    }

    private TraceFormatException beyond(String what, ArithmeticException cause) {
        TraceFormatException beyond = new TraceFormatException(
                ErrorCode.TOO_LARGE,
                file.path().toString(),
                -1,
                what,
                "Durations are nanoseconds, sizes are bytes; look for the largest, also among the options.");
        beyond.initCause(cause);
        return beyond;
    }

    /**
     * Says what of the makespan each network takes.
     *
     * @param network what messages take
     * @param machine what calculations take, and transfers within nodes
     * @param rules how it is counted
     * @param times of the simulation with all three
     * @return nothing where no table beside the schedule says which calculations are transfers
     * @throws TraceFormatException when a line of the schedule, or of the table of transfers, is not as it must be
     * @throws IOException when reading fails
     */
    public Optional<NetworkShares> shares(Network network, Machine machine, SimulationRules rules, SimulatedTimes times)
            throws IOException {
        if (!NodeTransfers.exist(transfers())) {
            return Optional.empty();
        }
        Machine instant = new Machine(machine.computeFaster(), Double.POSITIVE_INFINITY, machine.bytesPerMicrosecond());
        return Optional.of(new NetworkShares(
                times.makespanNs(),
                simulate(network, instant, rules).makespanNs(),
                simulate(network.faster(Double.POSITIVE_INFINITY), machine, rules)
                        .makespanNs()));
    }

    private StoredSchedule on(Machine machine) throws IOException {
        if (NodeTransfers.exist(transfers())) {
            return NodeTransfers.read(transfers(), stored).on(machine, stored);
        }
        if (machine.changesTransfers()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    file.path() + ": there is no " + NodeTransfers.NAME
                            + " beside it, so that transfers within nodes cannot be told from calculations",
                    "lockstep goal writes that table with the schedule. Keep them in one directory.");
        }
        return NodeTransfers.unknown(machine, stored);
    }

    /**
     * Names the operations that never ended in a simulation.
     *
     * @param times of a simulation of this schedule
     * @return where each of {@link SimulatedTimes#waiting()} stands and what it is
     * @throws IOException when the file is gone, in which they are looked up
     */
    public List<String> waiting(SimulatedTimes times) throws IOException {
        List<Place> waiting = times.waiting().stream()
                .map(one -> new Place(one.rank(), one.operation()))
                .toList();
        Places places = Places.find(file, waiting);
        return waiting.stream()
                .map(place -> places.of(place) + ": " + ScheduleVerification.describe(stored, place))
                .toList();
    }

    /**
     * Shows what the schedule moves, and how it runs on a network without congestion.
     *
     * @param network what messages take
     * @return the report: charts and sheets; collectives and recorded times are those of {@code collectives.tsv}
     *     and {@code recorded.tsv} beside the schedule
     * @throws TraceFormatException when a line of the schedule, or the table beside it, is not as it must be
     * @throws IOException when reading fails
     */
    public Report report(Network network) throws IOException {
        demandSound();
        ScheduleReport.Beside beside = new ScheduleReport.Beside(CollectiveTable.read(collectives()), recorded());
        try {
            return ScheduleReport.of(stored, file.path().toString(), beside, network);
        } catch (ArithmeticException beyond) {
            throw beyond("its times, or the sizes of its operations, add up to more than 64 bits can count", beyond);
        }
    }

    /**
     * The files that {@link #report} reads.
     *
     * @return the schedule and the tables beside it, whether or not there are any
     */
    public List<Path> sources() {
        return List.of(file.path(), collectives(), spans());
    }

    /**
     * When ranks worked in the recording that the schedule was made of.
     *
     * @return one for each rank, from {@code recorded.tsv} beside the schedule; nothing when there is none, or it is about
     *     another number of ranks
     * @throws TraceFormatException when the table is not as it must be
     * @throws IOException when reading fails
     */
    public List<RecordedSpan> recorded() throws IOException {
        return RecordedSpans.read(spans(), stored.ranks().size());
    }

    private Path spans() {
        return file.path().resolveSibling(RecordedSpans.NAME);
    }

    private Path transfers() {
        return file.path().resolveSibling(NodeTransfers.NAME);
    }

    private Path collectives() {
        return file.path().resolveSibling(CollectiveTable.NAME);
    }

    private void demandSound() throws IOException {
        long flaws = stored.flaws().count();
        if (flaws > 0) {
            List<Flaw> first = stored.flaws().first();
            Flaw named = first.getFirst();
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    file.path().toString(),
                    -1,
                    named.in(Places.of(file, List.of(named))) + (flaws > 1 ? ", and " + (flaws - 1) + " more" : ""),
                    "lockstep goal verify names everything that is wrong.");
        }
    }
}
