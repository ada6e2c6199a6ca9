// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.Instruction.Await;
import dev.lockstep.synth.Instruction.Batch;
import dev.lockstep.synth.Instruction.Communicate;
import dev.lockstep.synth.Instruction.Mark;
import dev.lockstep.synth.Instruction.OnThread;
import dev.lockstep.synth.Instruction.Passing;
import dev.lockstep.synth.PipelineOrder.Pass;
import dev.lockstep.synth.PipelineOrder.Work;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What a rank of one stage does in a training step with a model that is spread over ranks: take a micro-batch from the stage
 * before, run the stage's blocks, give the result to the next, and the same backward; then sum gradients over the ranks that
 * hold the same part, and update. A receive is issued when the pass before in its direction is done.
 */
final class PipelineProgram extends JobProgram {
    /** Products of a block whose results a tensor-parallel group sums up: by place among the parts, forward and backward. */
    private static final List<Integer> FORWARD_SUMS = List.of(3, 8);

    private static final List<Integer> BACKWARD_SUMS = List.of(4, 12);

    /** Where the gradients of weights are divided into as many pieces as the other passes have. */
    private static final List<Integer> WEIGHT_CUTS = List.of(0, 1);

    private static final int PIECES = 3;

    private final Parallelism parallelism;
    private final int stage;
    private final boolean plain;
    private final boolean putOff;
    private final List<HostAction> forwardParts;
    private final List<HostAction> backwardParts;
    private final List<HostAction> weightParts;
    private final long messageElements;
    private final Map<String, StepCollective> known = new HashMap<>();
    private int lastForward = Instruction.NOTHING;
    private int lastBackward = Instruction.NOTHING;

    PipelineProgram(TraceRecipe recipe, KindTable kinds, int stage) {
        super(recipe, kinds);
        parallelism = recipe.cluster().parallelism();
        this.stage = stage;
        plain = recipe.disturbance().timing() == Regularity.IDEAL;
        putOff = parallelism.schedule() == Parallelism.Schedule.ZERO_BUBBLE;
        List<BlockOps.Part> forward = blocks.forward();
        forwardParts = IntStream.range(0, forward.size())
                .mapToObj(i -> inModule(
                        forward.get(i).module() + '_' + i,
                        forward.get(i).source(),
                        forward.get(i).action()))
                .toList();
        backwardParts = putOff ? blocks.inputGradients() : blocks.backward();
        weightParts = blocks.weightGradients();
        TraceRecipe.Model model = recipe.model();
        messageElements = (long) model.batch() * model.sequenceLength() * model.hidden();
    }

    @Override
    int slots() {
        return spare(4);
    }

    /** Slots that no pass uses. */
    private int spare(int i) {
        return 1 + Pass.values().length * parallelism.chunks() * parallelism.microBatches() * 3 + i;
    }

    private int slot(Work work, int of) {
        int place = (work.pass().ordinal() * parallelism.chunks() + work.chunk()) * parallelism.microBatches()
                + work.microBatch();
        return 1 + 3 * place + of;
    }

    @Override
    List<Instruction> build() {
        begin();
        if (stage == 0 || stage == parallelism.pipeline() - 1) {
            loadBatch();
        }
        for (Work work : PipelineOrder.of(parallelism, stage)) {
            switch (work.pass()) {
                case FORWARD -> forward(work);
                case BACKWARD -> backward(work);
                case WEIGHTS -> weights(work);
            }
        }
        if (parallelism.dataRanks(recipe.cluster().ranks()) > 1) {
            data(CollectiveSpelling.REDUCE_SCATTER);
        }
        update(spare(0), spare(1));
        if (parallelism.dataRanks(recipe.cluster().ranks()) > 1) {
            data(CollectiveSpelling.ALL_GATHER);
        }
        report(spare(0), spare(1));
        return end();
    }

    private int virtualStage(Work work) {
        return work.chunk() * parallelism.pipeline() + stage;
    }

    private boolean isFirst(Work work) {
        return virtualStage(work) == 0;
    }

    private boolean isLast(Work work) {
        return virtualStage(work) == parallelism.virtualStages() - 1;
    }

    private void forward(Work work) {
        if (!isFirst(work)) {
            transfer(Lane.FORWARD_RECEIVE, lastForward, slot(work, 0));
            program.add(new Await(slot(work, 0)));
        }
        program.add(new Batch(work.chunk() * parallelism.microBatches() + work.microBatch()));
        program.add(new Passing(work, true));
        if (isFirst(work) && !plain) {
            run(edge.embeddingForward());
        }
        for (int layer = 0; layer < layers(work); layer++) {
            block(work, layer, forwardParts, FORWARD_SUMS);
        }
        if (isLast(work) && !plain) {
            edge.headForward().forEach(this::run);
        }
        program.add(new Passing(work, false));
        lastForward = slot(work, 1);
        program.add(new Mark(lastForward));
        if (!isLast(work)) {
            transfer(Lane.FORWARD_SEND, lastForward, slot(work, 2));
        }
    }

    private void backward(Work work) {
        if (!isLast(work)) {
            transfer(Lane.BACKWARD_RECEIVE, lastBackward, slot(work, 0));
            program.add(new Await(slot(work, 0)));
        }
        program.add(new Batch(work.chunk() * parallelism.microBatches() + work.microBatch()));
        program.add(new Passing(work, true));
        program.add(new OnThread(true));
        if (isLast(work) && !plain) {
            edge.headBackward().forEach(this::run);
        }
        for (int layer = 0; layer < layers(work); layer++) {
            block(work, layer, backwardParts, BACKWARD_SUMS);
        }
        if (isFirst(work) && !plain) {
            run(edge.embeddingBackward());
        }
        program.add(new OnThread(false));
        program.add(new Passing(work, false));
        lastBackward = slot(work, 1);
        program.add(new Mark(lastBackward));
        if (!isFirst(work)) {
            transfer(Lane.BACKWARD_SEND, lastBackward, slot(work, 2));
        }
    }

    private void weights(Work work) {
        program.add(new Batch(work.chunk() * parallelism.microBatches() + work.microBatch()));
        program.add(new Passing(work, true));
        program.add(new OnThread(true));
        for (int layer = 0; layer < layers(work); layer++) {
            block(work, layer, weightParts, WEIGHT_CUTS);
        }
        program.add(new OnThread(false));
        program.add(new Passing(work, false));
    }

    private int layers(Work work) {
        return parallelism.layersOf(virtualStage(work), recipe.model().layers());
    }

    /** Runs a block in pieces, behind each of which but the last a tensor-parallel group sums up. */
    private void block(Work work, int layer, List<HostAction> parts, List<Integer> cuts) {
        int pieces = parallelism.tensor() > 1 ? cuts.size() + 1 : 1;
        int from = 0;
        for (int piece = 0; piece < pieces; piece++) {
            boolean last = piece == pieces - 1;
            int to = last ? parts.size() : cuts.get(piece) + 1;
            List<HostAction> some = parts.subList(from, to);
            if (recipe.model().graphs()) {
                run(graph(work, layer * PIECES + piece, some));
            } else {
                some.forEach(this::run);
            }
            if (!last && work.pass() != Pass.WEIGHTS) {
                communicate(CollectiveSpelling.ALL_REDUCE, Lane.TENSOR, messageElements);
            }
            from = to;
        }
        if (work.pass() == Pass.FORWARD) {
            readBehind(layer);
        }
    }

    /** The same graph for all micro-batches. */
    private HostAction graph(Work work, int place, List<HostAction> some) {
        int chunk = work.pass().ordinal() * parallelism.chunks() + work.chunk();
        int number = 1 + chunk * recipe.model().layers() * PIECES + place;
        return switch (work.pass()) {
            case FORWARD ->
                inModule("TransformerBlock_" + place, "model.py(88): forward", blocks.forwardGraph(number, some));
            case BACKWARD -> blocks.backwardGraph(number, some, putOff);
            case WEIGHTS -> blocks.weightGraph(number, some);
        };
    }

    /** The compute stream waits until the group is through. */
    private void communicate(CollectiveSpelling kind, Lane lane, long elements) {
        program.add(new Mark(spare(2)));
        StepCollective collective = known.computeIfAbsent(
                kind + " " + lane + elements,
                key -> StepCollective.define(recipe, kinds, new CollectiveMessage(kind, lane, elements, 2)));
        program.add(new Communicate(collective, spare(2), spare(3)));
        program.add(new Await(spare(3)));
    }

    private void transfer(Lane lane, int after, int done) {
        StepCollective transfer = known.computeIfAbsent(
                lane.name(), key -> StepCollective.transfer(recipe, kinds, lane, stage, messageElements));
        program.add(new Communicate(transfer, after, done));
    }

    /** Gradients are summed up, or new weights shared, among the ranks that hold the same part of the model. */
    private void data(CollectiveSpelling kind) {
        int ranks = parallelism.dataRanks(recipe.cluster().ranks());
        for (int chunk = 0; chunk < parallelism.chunks(); chunk++) {
            int layers = parallelism.layersOf(
                    chunk * parallelism.pipeline() + stage, recipe.model().layers());
            long elements = layers * BlockOps.parameters(recipe.model().hidden()) / parallelism.tensor();
            communicate(kind, Lane.SHARD, Math.ceilDiv(elements, ranks) * (long) ranks);
        }
    }
}
