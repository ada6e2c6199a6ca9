// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.Instruction.Await;
import dev.lockstep.synth.Instruction.Batch;
import dev.lockstep.synth.Instruction.Close;
import dev.lockstep.synth.Instruction.Communicate;
import dev.lockstep.synth.Instruction.Mark;
import dev.lockstep.synth.Instruction.OnThread;
import dev.lockstep.synth.Instruction.Open;
import dev.lockstep.synth.Instruction.Passing;
import dev.lockstep.synth.Instruction.Read;
import dev.lockstep.synth.Instruction.Run;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Plays a job step by step on all ranks: hosts enqueue, streams execute in order, a collective ends for all its members
 * shortly after the last of them has arrived and the message has crossed. Ranks of one stage do the same. Holds the events of
 * one step only. Not thread-safe.
 */
final class SyntheticJob {
    private final KindTable kinds;
    private final Parallelism parallelism;
    private final List<List<Instruction>> programs = new ArrayList<>();
    private final List<RankActivity> ranks = new ArrayList<>();
    private final List<ProcessGroup> groups;
    private final CollectiveModel model;
    private final SplitMix random;
    private final boolean even;
    private final int[] place;
    /** By rank and stream, in order. */
    private final List<List<Deque<Posted>>> posted = new ArrayList<>();

    private final int[] slowLinks;
    private final int gpusPerNode;
    private int step;

    /** What a rank has issued and the others have not met yet. */
    private record Posted(Communicate communicate, RankActivity.Arrival arrival) {}

    SyntheticJob(TraceRecipe recipe) {
        kinds = new KindTable(recipe);
        parallelism = recipe.cluster().parallelism();
        int slots = 0;
        for (int stage = 0; stage < parallelism.pipeline(); stage++) {
            if (parallelism.spreads()) {
                PipelineProgram program = new PipelineProgram(recipe, kinds, stage);
                programs.add(program.build());
                slots = Math.max(slots, program.slots());
            } else {
                StepProgram program = new StepProgram(recipe, kinds);
                programs.add(program.build());
                slots = program.slots();
            }
        }
        SyncKinds syncs = recipe.recording().syncEvents() ? SyncKinds.of(kinds).defineAll() : null;
        if (recipe.disturbance().stragglers().stream().anyMatch(s -> s.kind() == Straggler.Kind.GC)) {
            kinds.python("Python GC");
        }
        groups = ProcessGroup.of(recipe.cluster());
        model = new CollectiveModel(recipe);
        even = recipe.disturbance().timing() != Regularity.VARIED;
        random = new SplitMix(recipe.seed(), 9_000_000_000L);
        int count = recipe.cluster().ranks();
        gpusPerNode = recipe.cluster().gpusPerNode();
        slowLinks = IntStream.range(0, count)
                .filter(rank -> recipe.disturbance().stragglers().stream()
                        .anyMatch(s -> s.kind() == Straggler.Kind.LINK && s.concerns(rank)))
                .toArray();
        place = new int[count];
        for (int rank = 0; rank < count; rank++) {
            ranks.add(new RankActivity(recipe, RankPlace.of(recipe, rank, groups), kinds, slots, syncs));
            posted.add(Stream.generate(() -> (Deque<Posted>) new ArrayDeque<Posted>())
                    .limit(Lane.values().length)
                    .toList());
        }
    }

    List<EventKind> kinds() {
        return kinds.kinds();
    }

    List<RankActivity> ranks() {
        return ranks;
    }

    /** The collectives that the first rank takes part in during a step, in order. */
    List<StepCollective> collectives() {
        return programs.getFirst().stream()
                .filter(Communicate.class::isInstance)
                .map(instruction -> ((Communicate) instruction).collective())
                .toList();
    }

    /** Plays the next step; what the ranks recorded replaces what they recorded before. Returns its mean duration, ns. */
    long playStep() {
        step++;
        long before = 0;
        for (int rank = 0; rank < place.length; rank++) {
            place[rank] = 0;
            ranks.get(rank).startStep(programOf(rank).size());
            before += ranks.get(rank).now();
        }
        while (playOn()) {
            meet();
        }
        long after = 0;
        for (RankActivity rank : ranks) {
            after += rank.now();
        }
        return (after - before) / ranks.size();
    }

    private List<Instruction> programOf(int rank) {
        return programs.get(parallelism.stageOf(rank, place.length));
    }

    /** Lets every rank go on as far as it can; says whether all is not done yet. */
    private boolean playOn() {
        boolean more = false;
        boolean moved = false;
        for (int rank = 0; rank < place.length; rank++) {
            int from = place[rank];
            playOn(rank);
            more |= place[rank] < programOf(rank).size();
            moved |= place[rank] > from;
        }
        for (int rank = 0; more && !moved && rank < place.length; rank++) {
            boolean enqueues = place[rank] < programOf(rank).size()
                    && ranks.get(rank).isReadyToEnqueue(programOf(rank).get(place[rank]));
            if (enqueues) {
                communicate(rank);
                moved = true;
            }
        }
        if (more && !moved) {
            throw new IllegalStateException("ranks wait for each other in a circle");
        }
        return more;
    }

    /** Transfers go on behind the rank's back, in collectives it stays until all have come. */
    private void playOn(int rank) {
        RankActivity activity = ranks.get(rank);
        List<Instruction> program = programOf(rank);
        while (place[rank] < program.size() && activity.isReady(program.get(place[rank]))) {
            Instruction instruction = program.get(place[rank]);
            if (!(instruction instanceof Communicate)) {
                activity.trouble(place[rank]++);
                play(activity, instruction);
            } else if (!communicate(rank)) {
                return;
            }
        }
    }

    /** Issues the communication at which a rank has come; says whether it is one that goes on behind its back. */
    private boolean communicate(int rank) {
        RankActivity activity = ranks.get(rank);
        Communicate communicate = (Communicate) programOf(rank).get(place[rank]);
        activity.trouble(place[rank]++);
        Lane lane = communicate.collective().lane();
        posted.get(rank).get(lane.index()).add(new Posted(communicate, activity.arrive(communicate)));
        return communicate.collective().kind().isTransfer();
    }

    private void play(RankActivity rank, Instruction instruction) {
        switch (instruction) {
            case Run run -> rank.run(run.action());
            case Read read -> rank.read(read);
            case Open open -> rank.open(open.kind(), step);
            case Close close -> rank.close();
            case OnThread thread -> rank.onThread(thread.autograd());
            case Mark mark -> rank.mark(mark.slot());
            case Await await -> rank.await(await.slot());
            case Batch batch -> rank.batch(batch.part());
            case Passing passing -> rank.passing(passing);
            case Communicate communicate -> throw new IllegalArgumentException("not the work of one rank");
        }
    }

    /** By how much the slowest card among members on several hosts stretches a collective. */
    private double link(List<Integer> members) {
        double slowest = 1;
        for (int member : slowLinks) {
            if (ProcessGroup.spansNodes(members, gpusPerNode) && members.contains(member)) {
                slowest = Math.max(slowest, ranks.get(member).link());
            }
        }
        return slowest;
    }

    /** Ends what all members have issued. */
    private void meet() {
        for (ProcessGroup group : groups) {
            if (group.lane() == Lane.FORWARD_SEND) {
                for (int member : group.ranks()) {
                    meet(group, Lane.FORWARD_SEND, member);
                    meet(group, Lane.BACKWARD_SEND, member);
                }
            } else if (group.lane() != Lane.BACKWARD_SEND) {
                meet(group, group.lane(), -1);
            }
        }
    }

    /** Ends a collective of a group, or a transfer from a sender, -1 for none, if all have come. */
    private void meet(ProcessGroup group, Lane lane, int sender) {
        List<Integer> members = group.ranks();
        int receiver = -1;
        if (sender >= 0) {
            receiver = ranks.get(sender).place().peer(lane);
            members = List.of(sender, receiver);
        }
        long last = Long.MIN_VALUE;
        for (int member : members) {
            Lane on = member == receiver ? lane.opposite() : lane;
            Posted one = posted.get(member).get(on.index()).peek();
            if (one == null) {
                return;
            }
            last = Math.max(last, ranks.get(member).start(on, one.arrival()));
        }
        double wire = 0;
        for (int member : members) {
            int on = (member == receiver ? lane.opposite() : lane).index();
            Posted one = posted.get(member).get(on).remove();
            StepCollective collective = one.communicate().collective();
            if (member == members.getFirst()) {
                wire = model.nanos(members, collective.kind(), collective.bytes())
                        * (even ? 1 : 1 + 0.02 * random.bell())
                        * link(members);
            }
            RankActivity rank = ranks.get(member);
            rank.finish(one.communicate(), one.arrival(), last, last + (long) wire + rank.endJitter());
        }
    }
}
