// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulatedTimes.Waiting;
import dev.lockstep.goal.model.SimulationRules;
import dev.lockstep.goal.stored.Dependents;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a schedule on a network without congestion and says when everything happens. The model is LogGOPSim's,
 * peculiarities included: a message is charged to the processor of its receive, and a receive that finds its message waits
 * for the outgoing side of the card, and for its processor only where that is busy for longer than the message takes.
 * {@link SimulationRules} say where times differ from that program's.
 *
 * <p>What finds its processor or card busy is looked at again when that is free, as LogGOPSim does it; which of several is
 * first then depends on how its heap moves them. Where very many wait for the same, that would take time by the square of
 * their number, so that from some number of such looks on they stand in {@link WaitingLines}.
 */
public final class Simulation {
    private static final long MESSAGE = Long.MIN_VALUE;
    private static final int RANK_SHIFT = 32;
    private static final int STUCK_NAMED = 10;

    /** So many times waiting events are looked at again, or so many times the number of operations, before they stand in lines. */
    private static final long LOOKS = 1 << 24;

    private static final long LOOKS_PER_OPERATION = 8;

    private final Operations[] ranks;
    private final Network network;
    private final SimulationRules rules;
    private final Activity activity;
    private final Queues queues;
    private final EventHeap heap = new EventHeap();
    private final WaitingLines lines;
    private long looksLeft;
    private long current = WaitingLines.NONE;
    private final long[][] cpu;
    private final long[][] outgoing;
    private final long[][] incoming;
    private final int[][] waits;
    private final long[][] readyAt;
    private final IntList[] free;
    private final LongList[] freeAt;
    private final Idleness idleness;
    private final boolean[][] ended;
    private long endedOperations;
    private long events;
    private long awaited;

    private Simulation(StoredSchedule schedule, Network network, SimulationRules rules, Activity activity, long looks) {
        this.network = network;
        this.rules = rules;
        this.activity = activity;
        ranks = schedule.ranks().toArray(Operations[]::new);
        queues = Queues.of(schedule);
        looksLeft = looks;
        int[] cpusOf = new int[ranks.length];
        int[] nicsOf = new int[ranks.length];
        count(ranks, cpusOf, nicsOf);
        lines = new WaitingLines(ranks, cpusOf, nicsOf);
        cpu = new long[ranks.length][];
        outgoing = new long[ranks.length][];
        incoming = new long[ranks.length][];
        waits = new int[ranks.length][];
        readyAt = new long[ranks.length][];
        ended = new boolean[ranks.length][];
        free = new IntList[ranks.length];
        freeAt = new LongList[ranks.length];
        idleness = new Idleness(ranks.length);
        for (int rank = 0; rank < ranks.length; rank++) {
            cpu[rank] = new long[cpusOf[rank]];
            outgoing[rank] = new long[nicsOf[rank]];
            incoming[rank] = new long[nicsOf[rank]];
            waits[rank] = ranks[rank].waitsFor();
            readyAt[rank] = new long[ranks[rank].size()];
            ended[rank] = new boolean[ranks[rank].size()];
            free[rank] = new IntList(2);
            freeAt[rank] = new LongList(2);
        }
    }

    /** How many processors and cards each rank has: those of its operations, and of messages at their other ends. */
    private static void count(Operations[] ranks, int[] cpus, int[] nics) {
        Arrays.fill(cpus, 1);
        Arrays.fill(nics, 1);
        for (int rank = 0; rank < ranks.length; rank++) {
            Operations operations = ranks[rank];
            for (int i = 0; i < operations.size(); i++) {
                int peer = operations.kind(i) == Operations.CALC ? rank : operations.peer(i);
                int cpu = operations.cpu(i) + 1;
                int nic = operations.nic(i) + 1;
                cpus[rank] = Math.max(cpus[rank], cpu);
                cpus[peer] = Math.max(cpus[peer], cpu);
                nics[rank] = Math.max(nics[rank], nic);
                nics[peer] = Math.max(nics[peer], nic);
            }
        }
    }

    /**
     * Runs a schedule.
     *
     * @throws ArithmeticException when a time is beyond what 64 bits can count
     */
    public static SimulatedTimes run(
            StoredSchedule schedule, Network network, SimulationRules rules, Activity activity) {
        return run(schedule, network, rules, activity, inOrder(schedule));
    }

    /**
     * Runs a schedule as if its ranks had other numbers. Of what happens at the same time, the number of a rank decides what
     * comes first, and nothing else does.
     *
     * @param order the ranks in the order of the other numbers
     * @throws ArithmeticException when a time is beyond what 64 bits can count
     */
    public static SimulatedTimes run(
            StoredSchedule schedule, Network network, SimulationRules rules, Activity activity, int[] order) {
        long looks = Math.max(LOOKS, LOOKS_PER_OPERATION * schedule.operations());
        return new Simulation(schedule, network, rules, activity, looks)
                .run(order)
                .times();
    }

    /** @param looks how often waiting events are looked at again before they stand in lines */
    static SimulatedTimes run(StoredSchedule schedule, Network network, Activity activity, long looks) {
        return new Simulation(schedule, network, SimulationRules.OWN, activity, looks)
                .run(inOrder(schedule))
                .times();
    }

    /** How often events are looked at, those that find busy what they need among them. */
    static long looks(StoredSchedule schedule, Network network, long looks) {
        Simulation simulation =
                new Simulation(schedule, network, SimulationRules.OWN, Activity.IGNORED, looks).run(inOrder(schedule));
        return simulation.events + simulation.awaited;
    }

    private static int[] inOrder(StoredSchedule schedule) {
        int[] order = new int[schedule.ranks().size()];
        Arrays.setAll(order, rank -> rank);
        return order;
    }

    private Simulation run(int[] order) {
        begin(order);
        drain();
        return this;
    }

    private void begin(int[] order) {
        for (int rank : order) {
            for (int i = 0; i < waits[rank].length; i++) {
                if (waits[rank][i] == 0) {
                    heap.push(0, (long) rank << RANK_SHIFT | i);
                }
            }
        }
    }

    private void drain() {
        while (!heap.isEmpty()) {
            long time = heap.time();
            long event = heap.pop();
            int rank = rankOf(event);
            int operation = (int) event;
            events++;
            current = lines.lineOf(rank, operation);
            if (current == WaitingLines.NONE) {
                handle(time, event, rank, operation);
            } else {
                serve(time, event, rank, operation);
            }
        }
    }

    /** Handles the first event of a line, and lets the one behind it come if it does not wait on. */
    private void serve(long time, long event, int rank, int operation) {
        long line = current;
        long behind = lines.behind(rank, operation);
        lines.stepOut(rank, operation);
        handle(time, event, rank, operation);
        if (lines.lineOf(rank, operation) == line) {
            return;
        }
        if (behind == WaitingLines.NONE) {
            lines.close(line);
        } else {
            heap.push(Math.max(time, freeAt(line)), behind);
        }
    }

    private long freeAt(long line) {
        int rank = lines.rankOf(line);
        long free = cpu[rank][lines.cpuOf(line)];
        int nic = lines.nicOf(line);
        return switch (lines.sideOf(line)) {
            case WaitingLines.CPU_ALONE -> free;
            case WaitingLines.OUTGOING -> Math.max(free, outgoing[rank][nic]);
            default -> Math.max(free, incoming[rank][nic]);
        };
    }

    /** Has an event wait until a processor of a rank is free and, where it needs one, a side of a card. */
    private void await(long at, long event, long line) {
        events--;
        awaited++;
        if (looksLeft > 0) {
            looksLeft--;
            heap.push(at, event);
            return;
        }
        int rank = rankOf(event);
        int operation = (int) event;
        if (line == current) {
            lines.stepBack(line, rank, operation);
            heap.push(at, event);
        } else if (lines.join(line, event, rank, operation)) {
            heap.push(at, event);
        }
    }

    private void handle(long time, long event, int rank, int operation) {
        if (event < 0) {
            arrive(time, event, rank, operation);
            return;
        }
        switch (ranks[rank].kind(operation)) {
            case Operations.CALC -> calc(time, event, rank, operation);
            case Operations.SEND -> send(time, event, rank, operation);
            default -> receive(time, rank, operation);
        }
    }

    /** The rank of an event. */
    static int rankOf(long event) {
        return (int) ((event & ~MESSAGE) >> RANK_SHIFT);
    }

    private void calc(long time, long event, int rank, int operation) {
        long[] freeAt = cpu[rank];
        int c = ranks[rank].cpu(operation);
        if (freeAt[c] > time) {
            await(freeAt[c], event, lines.of(rank, c, WaitingLines.CPU_ALONE, 0));
            return;
        }
        long end = Math.addExact(time, ranks[rank].amount(operation));
        freeAt[c] = end;
        busy(rank, Operations.CALC, time, end);
        started(rank, operation);
        end(rank, operation, end);
        schedule(rank);
    }

    private void send(long time, long event, int rank, int operation) {
        Operations operations = ranks[rank];
        int c = operations.cpu(operation);
        int n = operations.nic(operation);
        long at = Math.max(cpu[rank][c], outgoing[rank][n]);
        if (at > time) {
            await(at, event, lines.of(rank, c, WaitingLines.OUTGOING, n));
            return;
        }
        started(rank, operation);
        long size = Math.max(1, operations.amount(operation));
        long wire = (long) ((size - 1) * network.gapPerByte());
        long done = Math.addExact(time, overhead(size));
        cpu[rank][c] = done;
        outgoing[rank][n] = Math.addExact(Math.addExact(time, network.gap()), wire);
        busy(rank, Operations.SEND, time, done);
        heap.push(Math.addExact(Math.addExact(done, network.latency()), wire), event | MESSAGE);
        if (size <= network.eager()) {
            end(rank, operation, done);
        }
        schedule(rank);
    }

    private void receive(long time, int rank, int operation) {
        started(rank, operation);
        Operations operations = ranks[rank];
        int sender = operations.peer(operation);
        int send = queues.takeArrived(rank, operation, sender);
        if (send < 0) {
            queues.post(rank, operation);
            schedule(rank);
            return;
        }
        int n = operations.nic(operation);
        int c = operations.cpu(operation);
        long size = Math.max(1, rules.isLogGopSim() ? operations.amount(operation) : ranks[sender].amount(send));
        long carried = Math.addExact(Math.max(outgoing[rank][n], time), network.gap());
        long done = Math.addExact(carried, overhead(size));
        if (cpu[rank][c] > done && !rules.isLogGopSim()) {
            queues.post(rank, operation);
            long line = lines.of(rank, c, WaitingLines.INCOMING, ranks[sender].nic(send));
            await(cpu[rank][c], MESSAGE | (long) sender << RANK_SHIFT | send, line);
            schedule(rank);
            return;
        }
        cpu[rank][c] = done;
        incoming[rank][n] = rules.isLogGopSim() ? carried : Math.max(incoming[rank][n], carried);
        busy(rank, Operations.RECV, time, done);
        if (size > network.eager()) {
            end(sender, send, done);
            cpu[sender][c] = Math.max(cpu[sender][c], done);
            outgoing[sender][n] = Math.max(outgoing[sender][n], carried);
            schedule(sender);
        }
        end(rank, operation, done);
        schedule(rank);
    }

    private void arrive(long time, long event, int sender, int send) {
        Operations sending = ranks[sender];
        int rank = sending.peer(send);
        int receive = queues.takePosted(sender, send, rank);
        if (receive < 0) {
            queues.arrive(sender, send);
            return;
        }
        int c = ranks[rank].cpu(receive);
        int n = sending.nic(send);
        long at = Math.max(cpu[rank][c], incoming[rank][n]);
        if (at > time) {
            await(at, event, lines.of(rank, c, WaitingLines.INCOMING, n));
            queues.post(rank, receive);
            return;
        }
        long size = Math.max(1, sending.amount(send));
        long carried = Math.addExact(Math.max(incoming[rank][n], time), network.gap());
        long done = Math.addExact(carried, overhead(size));
        cpu[rank][c] = done;
        incoming[rank][n] = carried;
        busy(rank, Operations.RECV, time, done);
        boolean rendezvous = size > network.eager();
        if (rendezvous) {
            end(sender, send, done);
            int sendingCpu = sending.cpu(send);
            cpu[sender][sendingCpu] = Math.max(cpu[sender][sendingCpu], done);
            outgoing[sender][n] = Math.max(outgoing[sender][n], carried);
        }
        end(rank, receive, done);
        schedule(rank);
        if (rendezvous) {
            schedule(sender);
        }
    }

    /** What a processor spends on a message. */
    private long overhead(long size) {
        return Math.addExact(network.overhead(), Math.multiplyExact(size - 1, network.overheadPerByte()));
    }

    private void busy(int rank, byte kind, long start, long end) {
        idleness.busy(rank, start, end);
        activity.busy(rank, kind, start, end);
    }

    private void started(int rank, int operation) {
        Dependents dependents = ranks[rank].afterStart();
        int to = dependents.to(operation);
        for (int i = dependents.from(operation); i < to; i++) {
            int waiting = dependents.target(i);
            if (--waits[rank][waiting] == 0) {
                free[rank].add(waiting);
                freeAt[rank].add(rules.isLogGopSim() ? 0 : readyAt[rank][waiting]);
            }
        }
    }

    private void end(int rank, int operation, long time) {
        ended[rank][operation] = true;
        endedOperations++;
        Dependents dependents = ranks[rank].afterEnd();
        int to = dependents.to(operation);
        for (int i = dependents.from(operation); i < to; i++) {
            int waiting = dependents.target(i);
            readyAt[rank][waiting] = Math.max(readyAt[rank][waiting], time);
            if (--waits[rank][waiting] == 0) {
                free[rank].add(waiting);
                freeAt[rank].add(readyAt[rank][waiting]);
            }
        }
    }

    /** Puts what has become ready on a rank among the events. */
    private void schedule(int rank) {
        IntList ready = free[rank];
        int n = ready.size();
        if (n == 0) {
            return;
        }
        Operations operations = ranks[rank];
        for (int i = 0; i < n; i++) {
            int operation = ready.get(i);
            long start = freeAt[rank].get(i);
            switch (operations.kind(operation)) {
                case Operations.CALC -> start = Math.max(start, cpu[rank][operations.cpu(operation)]);
                case Operations.SEND -> start = Math.max(start, outgoing[rank][operations.nic(operation)]);
                default -> {
                    // a receive is posted when it is ready
                }
            }
            heap.push(start, (long) rank << RANK_SHIFT | operation);
        }
        ready.clear();
        freeAt[rank].clear();
    }

    private SimulatedTimes times() {
        long[] finish = new long[ranks.length];
        for (int rank = 0; rank < finish.length; rank++) {
            for (long last : cpu[rank]) {
                finish[rank] = Math.max(finish[rank], last);
            }
        }
        long all = 0;
        for (Operations rank : ranks) {
            all += rank.size();
        }
        long makespan = Arrays.stream(finish).max().orElse(0);
        if (makespan == Long.MAX_VALUE) {
            throw new ArithmeticException("makespan");
        }
        return new SimulatedTimes(makespan, finish, idleness.busy(), events, all - endedOperations, stuck());
    }

    /** Operations that could start but never end: nobody answers them. */
    private List<Waiting> stuck() {
        List<Waiting> stuck = new ArrayList<>();
        for (int rank = 0; rank < ranks.length; rank++) {
            for (int i = 0; i < ended[rank].length && stuck.size() < STUCK_NAMED; i++) {
                if (!ended[rank][i] && waits[rank][i] == 0) {
                    stuck.add(new Waiting(rank, i));
                }
            }
        }
        return stuck;
    }
}
