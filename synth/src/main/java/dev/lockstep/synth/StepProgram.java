// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HostAction.Call;
import dev.lockstep.synth.Instruction.Await;
import dev.lockstep.synth.Instruction.Communicate;
import dev.lockstep.synth.Instruction.Mark;
import dev.lockstep.synth.Instruction.OnThread;
import java.util.List;

/**
 * What a rank does in a training step with sharded parameters: gather a block's parameters one block ahead, run the
 * block, gather again for the backward pass, scatter the gradients, agree on their norm, update the shard, report the loss.
 */
final class StepProgram extends JobProgram {
    private final int layers;
    private final Units units;

    StepProgram(TraceRecipe recipe, KindTable kinds) {
        super(recipe, kinds);
        layers = recipe.model().layers();
        units = new Units();
    }

    @Override
    int slots() {
        return 3 * (layers + 1) + 2;
    }

    @Override
    List<Instruction> build() {
        begin();
        loadBatch();
        forward();
        backward();
        update(mark(layers), reduced(layers));
        report(mark(layers), reduced(layers));
        return end();
    }

    private void forward() {
        frame("nn.Module: Transformer_0");
        frame("model.py(142): forward");
        units.gather(layers, Instruction.NOTHING);
        units.gather(0, Instruction.NOTHING);
        units.use(layers);
        run(inModule("Embedding_0", "torch/nn/modules/sparse.py(190): forward", edge.embeddingForward()));
        List<BlockOps.Part> parts = blocks.forward();
        for (int layer = 0; layer < layers; layer++) {
            if (layer + 1 < layers) {
                units.gather(layer + 1, layer == 0 ? Instruction.NOTHING : mark(layer - 1));
            }
            units.use(layer);
            forwardBlock(layer, parts);
            program.add(new Mark(mark(layer)));
        }
        for (HostAction action : edge.headForward()) {
            run(action);
        }
        close(recipe.recording().pythonStacks());
        close(recipe.recording().pythonStacks());
    }

    private void forwardBlock(int layer, List<BlockOps.Part> parts) {
        frame("nn.Module: TransformerBlock_" + layer);
        frame("torch/nn/modules/module.py(1751): _wrapped_call_impl");
        frame("model.py(88): forward");
        if (recipe.model().graphs()) {
            run(blocks.forwardGraph(
                    2 * layer + 1, parts.stream().map(BlockOps.Part::action).toList()));
        }
        for (int i = 0; i < parts.size() && !recipe.model().graphs(); i++) {
            BlockOps.Part part = parts.get(i);
            run(inModule(part.module() + '_' + (layer * parts.size() + i), part.source(), part.action()));
        }
        readBehind(layer);
        for (int i = 0; i < 3; i++) {
            close(recipe.recording().pythonStacks());
        }
    }

    private void backward() {
        frame("torch/_tensor.py(581): backward");
        frame("torch/autograd/__init__.py(243): backward");
        frame("<built-in method run_backward of torch._C._EngineBase object at 0x7f3c5c0d1d70>");
        program.add(new OnThread(true));
        units.gather(layers - 1, mark(layers - 1));
        for (HostAction action : edge.headBackward()) {
            run(action);
        }
        List<HostAction> block = blocks.backward();
        for (int layer = layers - 1; layer >= 0; layer--) {
            if (layer > 0) {
                units.gather(layer - 1, layer + 1 < layers ? mark(layer + 1) : Instruction.NOTHING);
            }
            units.use(layer);
            if (recipe.model().graphs()) {
                run(blocks.backwardGraph(2 * layer + 2, block, false));
            } else {
                block.forEach(this::run);
            }
            units.reduce(layer, mark(layer));
        }
        run(edge.embeddingBackward());
        units.reduce(layers, mark(0));
        program.add(new Await(reduced(layers)));
        program.add(new OnThread(false));
        for (int i = 0; i < 3; i++) {
            close(recipe.recording().pythonStacks());
        }
    }

    /** Gathers, uses and reduces the sharded units of parameters; unit {@code layers} is what lies outside the blocks. */
    private final class Units {
        private final Call copyIn = ops.op(
                "fsdp::all_gather_copy_in",
                ops.in().tensors(),
                ops.streaming(
                        ops.names().copy(),
                        4.0 * unitElements(0) / recipe.cluster().shardRanks()));
        private final Call copyOut = ops.op(
                "fsdp::split_with_sizes_copy",
                ops.in().tensors(),
                ops.streaming(ops.names().splitCopy(), 4.0 * unitElements(0)));
        private final Call chunk = ops.op(
                "fsdp::chunk_cat", ops.in().tensors(), ops.streaming(ops.names().copy(), 4.0 * unitElements(0)));
        private final HostAction record = ops.runtime("cudaEventRecord", 135, "hipEventRecord", 73);
        private final HostAction await = ops.runtime("cudaStreamWaitEvent", 147, "hipStreamWaitEvent", 474);

        /** Where waiting is recorded, calls of events stand where events are. */
        private void call(HostAction event) {
            if (!recipe.recording().syncEvents()) {
                run(event);
            }
        }

        private void gather(int unit, int after) {
            annotated("FSDP::all_gather (" + unitName(unit) + ')', () -> {
                run(copyIn);
                call(record);
                communicate(CollectiveSpelling.ALL_GATHER, Lane.SHARD, unit, after, gathered(unit));
            });
        }

        private void use(int unit) {
            program.add(new Await(gathered(unit)));
            annotated("FSDP::all_gather_copy_out (" + unitName(unit) + ')', () -> {
                call(await);
                run(copyOut);
            });
        }

        private void reduce(int unit, int after) {
            annotated("FSDP::post_backward_reduce (" + unitName(unit) + ')', () -> {
                run(chunk);
                call(record);
                program.add(new Mark(after));
                communicate(CollectiveSpelling.REDUCE_SCATTER, Lane.SHARD, unit, after, reduced(unit));
                if (recipe.cluster().shardRanks() < recipe.cluster().ranks()) {
                    communicate(CollectiveSpelling.ALL_REDUCE, Lane.REPLICATE, unit, reduced(unit), reduced(unit));
                }
            });
        }

        private void communicate(CollectiveSpelling kind, Lane lane, int unit, int after, int done) {
            int shard = recipe.cluster().shardRanks();
            long elements = Math.ceilDiv(unitElements(unit), shard) * (lane == Lane.SHARD ? shard : 1);
            CollectiveMessage message = new CollectiveMessage(kind, lane, elements, 2);
            program.add(new Communicate(StepCollective.define(recipe, kinds, message), after, done));
        }

        private long unitElements(int unit) {
            return unit == layers
                    ? edge.parameters()
                    : BlockOps.parameters(recipe.model().hidden());
        }

        private String unitName(int unit) {
            return unit == layers ? "root" : "layers." + unit;
        }
    }

    private int gathered(int unit) {
        return 1 + unit;
    }

    private int reduced(int unit) {
        return 1 + (layers + 1) + unit;
    }

    private int mark(int unit) {
        return 1 + 2 * (layers + 1) + unit;
    }
}
