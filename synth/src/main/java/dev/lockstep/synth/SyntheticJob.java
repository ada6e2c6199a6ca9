// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.Instruction.Await;
import dev.lockstep.synth.Instruction.Close;
import dev.lockstep.synth.Instruction.Communicate;
import dev.lockstep.synth.Instruction.Mark;
import dev.lockstep.synth.Instruction.OnThread;
import dev.lockstep.synth.Instruction.Open;
import dev.lockstep.synth.Instruction.Run;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays a job step by step on all ranks: hosts enqueue, streams execute in order, a collective ends for all its members
 * shortly after the last of them has arrived and the message has crossed. Holds the events of one step only. Not
 * thread-safe.
 */
final class SyntheticJob {
    private final KindTable kinds;
    private final List<Instruction> program;
    private final List<RankActivity> ranks = new ArrayList<>();
    private final List<ProcessGroup> groups;
    private final CollectiveModel model;
    private final SplitMix random;
    private final RankActivity.Arrival[] arrivals;
    private int step;

    SyntheticJob(TraceRecipe recipe) {
        kinds = new KindTable(recipe);
        StepProgram steps = new StepProgram(recipe, kinds);
        program = steps.build();
        groups = ProcessGroup.of(recipe.cluster());
        model = new CollectiveModel(recipe);
        random = new SplitMix(recipe.seed(), 9_000_000_000L);
        int count = recipe.cluster().ranks();
        arrivals = new RankActivity.Arrival[count];
        for (int rank = 0; rank < count; rank++) {
            RankPlace place = RankPlace.of(recipe, rank, groups);
            ranks.add(new RankActivity(recipe, place, steps.slots(), program.size() * 4));
        }
    }

    List<EventKind> kinds() {
        return kinds.kinds();
    }

    List<RankActivity> ranks() {
        return ranks;
    }

    /** The collectives that every rank takes part in during a step, in order. */
    List<StepCollective> collectives() {
        return program.stream()
                .filter(Communicate.class::isInstance)
                .map(instruction -> ((Communicate) instruction).collective())
                .toList();
    }

    /** Plays the next step; what the ranks recorded replaces what they recorded before. Returns its mean duration, ns. */
    long playStep() {
        step++;
        long before = 0;
        for (RankActivity rank : ranks) {
            rank.startStep();
            before += rank.now();
        }
        for (Instruction instruction : program) {
            if (instruction instanceof Communicate communicate) {
                for (ProcessGroup group : groups) {
                    if (group.lane() == communicate.collective().lane()) {
                        communicate(communicate, group);
                    }
                }
            } else {
                for (int i = 0; i < ranks.size(); i++) {
                    play(ranks.get(i), instruction);
                }
            }
        }
        long after = 0;
        for (RankActivity rank : ranks) {
            after += rank.now();
        }
        return (after - before) / ranks.size();
    }

    private void play(RankActivity rank, Instruction instruction) {
        switch (instruction) {
            case Run run -> rank.run(run.action());
            case Open open -> rank.open(open.kind(), step);
            case Close close -> rank.close(kinds);
            case OnThread thread -> rank.onThread(thread.autograd());
            case Mark mark -> rank.mark(mark.slot());
            case Await await -> rank.await(await.slot());
            case Communicate communicate -> throw new IllegalArgumentException("not the work of one rank");
        }
    }

    private void communicate(Communicate communicate, ProcessGroup group) {
        StepCollective collective = communicate.collective();
        long last = Long.MIN_VALUE;
        for (int member : group.ranks()) {
            arrivals[member] = ranks.get(member).arrive(collective, communicate.after());
            last = Math.max(last, arrivals[member].start());
        }
        double wire = model.nanos(group, collective.kind(), collective.bytes()) * (1 + 0.02 * random.bell());
        for (int member : group.ranks()) {
            RankActivity rank = ranks.get(member);
            long end = last + (long) wire + rank.endJitter();
            rank.finish(collective, kinds, arrivals[member], end, communicate.done());
        }
    }
}
