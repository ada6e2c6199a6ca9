// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.algorithm.StepStatement.Assignment;
import dev.lockstep.goal.algorithm.StepStatement.Block;
import dev.lockstep.goal.algorithm.StepStatement.Choice;
import dev.lockstep.goal.algorithm.StepStatement.Loop;
import dev.lockstep.goal.algorithm.StepStatement.Move;
import dev.lockstep.goal.algorithm.StepStatement.Warps;
import dev.lockstep.goal.recording.Communicator.Ring;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out a {@link StatedAlgorithm} for one rank on one channel. Confined to one thread. */
final class StepMachine implements WholeFormula.Values {
    /** Statements of one rank in one round. */
    static final int MOST_STEPS = 200_000;

    private static final int MOST_PARTS = 1 << 16;

    /** What becomes of the statements. */
    interface Actions {
        /**
         * Data moves.
         *
         * @param part the first part
         * @param count how many parts from there on, counted modulo the number of parts
         * @param from -1 if it comes from nobody
         * @param to -1 if it goes to nobody
         */
        void move(Move move, int part, int count, int from, int to) throws IOException;

        /** A block begins. */
        void open(boolean sequence) throws IOException;

        /** The innermost block ends. */
        void close() throws IOException;

        /** The group of warps for what follows. */
        void worker(int group);
    }

    private final StatedAlgorithm program;
    private final ChannelJob job;
    private final Actions actions;
    private final StepBudget budget;
    private final long[] slots;
    private final int parts;
    private @Nullable NodeGroups nodes;
    private int @Nullable [] rankAt;
    private int left;

    /**
     * @param budget pays for what is done
     * @throws TraceFormatException when the number of parts cannot be calculated
     */
    StepMachine(StatedAlgorithm program, ChannelJob job, Actions actions, StepBudget budget) throws IOException {
        this.program = program;
        this.job = job;
        this.actions = actions;
        this.budget = budget;
        slots = new long[program.slots()];
        int rank = job.rank();
        slots[StatedAlgorithm.RANK] = rank;
        slots[StatedAlgorithm.RANKS] = job.ranks();
        slots[StatedAlgorithm.CHANNEL] = job.channel();
        slots[StatedAlgorithm.CHANNELS] = job.plan().channels().size();
        slots[StatedAlgorithm.ROOT] = job.plan().root();
        Ring ring = job.ring();
        int[] places = ring.positions();
        rankAt = places == null ? null : inverse(places);
        slots[StatedAlgorithm.PLACE] = places == null ? -1 : places[rank];
        slots[StatedAlgorithm.NEXT] = ring.next()[rank];
        slots[StatedAlgorithm.PREVIOUS] = ring.previous()[rank];
        slots[StatedAlgorithm.PARENT] = job.tree().parent()[rank];
        slots[StatedAlgorithm.CHILDREN] = job.tree().children()[rank].length;
        slots[StatedAlgorithm.IN_PLACE] = job.work().inPlace() ? 1 : 0;
        if (program.needsNodes()) {
            NodeGroups groups = job.nodes();
            nodes = groups;
            slots[StatedAlgorithm.NODE] = groups.nodeOf()[rank];
            slots[StatedAlgorithm.NODES] = groups.count();
            slots[StatedAlgorithm.LOCAL] = Arrays.binarySearch(groups.around(rank), rank);
            slots[StatedAlgorithm.LOCALS] = groups.around(rank).length;
        }
        parts = parts();
        slots[StatedAlgorithm.PARTS] = parts;
    }

    private static int[] inverse(int[] places) {
        int[] rankAt = new int[places.length];
        for (int rank = 0; rank < places.length; rank++) {
            rankAt[places[rank]] = rank;
        }
        return rankAt;
    }

    private int parts() throws IOException {
        if (program.parts() == null) {
            return program.partForEachRank() ? job.ranks() : 1;
        }
        return (int) within(1, program.parts(), "the number of parts", 1, MOST_PARTS);
    }

    /** How many parts a round has. */
    int count() {
        return parts;
    }

    /** Whether the program takes the communicator. */
    boolean fits() throws IOException {
        return program.onlyIf() == null || value(1, program.onlyIf()) != 0;
    }

    /** Carries out a round. */
    void round(long number) throws IOException {
        slots[StatedAlgorithm.CHUNK] = number;
        left = MOST_STEPS;
        run(program.statements());
    }

    @Override
    public long get(int slot) {
        return slots[slot];
    }

    @Override
    public long call(int function, long first, long second) {
        return switch (function) {
            case StatedAlgorithm.AT -> at(first);
            case StatedAlgorithm.CHILD -> child(first);
            default -> member(first, second);
        };
    }

    private long at(long place) {
        if (rankAt == null) {
            throw new ArithmeticException("at(" + place + ") where ranks form no ring");
        }
        return rankAt[(int) Math.floorMod(place, (long) rankAt.length)];
    }

    private long child(long number) {
        int[] children = job.tree().children()[job.rank()];
        if (number < 0 || number >= children.length) {
            throw new ArithmeticException("child(" + number + ") of " + children.length);
        }
        return children[(int) number];
    }

    private long member(long node, long local) {
        if (nodes == null || node < 0 || node >= nodes.count()) {
            throw new ArithmeticException("member of node " + node + " of " + (nodes == null ? 0 : nodes.count()));
        }
        int[] members = nodes.members()[(int) node];
        if (local < 0 || local >= members.length) {
            throw new ArithmeticException("member " + local + " of node " + node + ", which has " + members.length);
        }
        return members[(int) local];
    }

    private void run(List<StepStatement> statements) throws IOException {
        for (StepStatement statement : statements) {
            step(statement.line());
            switch (statement) {
                case Move move -> move(move);
                case Assignment a -> slots[a.slot()] = value(a.line(), a.value());
                case Loop loop -> loop(loop);
                case Choice choice ->
                    run(value(choice.line(), choice.condition()) != 0 ? choice.then() : choice.otherwise());
                case Block block -> {
                    actions.open(block.sequence());
                    run(block.body());
                    actions.close();
                }
                case Warps warps ->
                    actions.worker((int) within(warps.line(), warps.group(), "the worker", 0, program.workers() - 1));
            }
        }
    }

    private void step(int line) throws IOException {
        budget.spend(1);
        left--;
        if (left < 0) {
            throw program.wrong(
                    line,
                    "a rank does more than " + MOST_STEPS + " things in one round (" + where() + ")",
                    "Does the loop end where it should?");
        }
    }

    private void loop(Loop loop) throws IOException {
        long to = value(loop.line(), loop.to());
        long by = value(loop.line(), loop.by());
        if (by == 0) {
            throw program.wrong(loop.line(), "a loop that goes on by 0 (" + where() + ")", null);
        }
        long last = value(loop.line(), loop.from());
        while (by > 0 ? last <= to : last >= to) {
            step(loop.line());
            slots[loop.slot()] = last;
            run(loop.body());
            long next = last + by;
            if (((last ^ next) & (by ^ next)) < 0) {
                return;
            }
            last = next;
        }
    }

    private void move(Move move) throws IOException {
        int part = (int) Math.floorMod(value(move.line(), move.part()), (long) parts);
        int count = move.count() == null ? 1 : (int) within(move.line(), move.count(), "the number of parts", 0, parts);
        int from = move.from() == null ? -1 : peer(move.line(), move.from(), "receives from");
        int to = move.to() == null ? -1 : peer(move.line(), move.to(), "sends to");
        if (count > 0) {
            actions.move(move, part, count, from, to);
        }
    }

    private int peer(int line, WholeFormula formula, String what) throws IOException {
        long rank = value(line, formula);
        if (rank < 0 || rank >= job.ranks() || rank == job.rank()) {
            throw program.wrong(
                    line,
                    where() + " " + what + " rank " + rank
                            + (rank == job.rank() ? ", itself" : " of ranks 0 to " + (job.ranks() - 1)),
                    "Ranks do not wrap by themselves: (rank + 1) % ranks; next, previous and at(place) do.");
        }
        return (int) rank;
    }

    private long within(int line, WholeFormula formula, String what, long least, long most) throws IOException {
        long value = value(line, formula);
        if (value < least || value > most) {
            throw program.wrong(
                    line, what + " is " + value + ", not " + least + " to " + most + " (" + where() + ")", null);
        }
        return value;
    }

    private long value(int line, WholeFormula formula) throws IOException {
        budget.spend(formula.cost());
        try {
            return formula.of(this);
        } catch (ArithmeticException e) {
            throw program.wrong(line, e.getMessage() + " (" + where() + ")", null);
        }
    }

    private String where() {
        return "rank " + job.rank() + " of " + job.ranks() + ", channel " + job.channel() + " of "
                + job.plan().channels().size();
    }
}
