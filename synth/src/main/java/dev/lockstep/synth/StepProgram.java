// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HostAction.Call;
import dev.lockstep.synth.HostAction.Numbering;
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
 * What a rank does in a training step with sharded parameters: gather a block's parameters one block ahead, run the
 * block, gather again for the backward pass, scatter the gradients, agree on their norm, update the shard, report the loss.
 */
final class StepProgram {
    private final TraceRecipe recipe;
    private final KindTable kinds;
    private final Ops ops;
    private final EdgeOps edge;
    private final BlockOps blocks;
    private final int layers;
    private final Units units;
    private final List<Instruction> program = new ArrayList<>();

    StepProgram(TraceRecipe recipe, KindTable kinds) {
        this.recipe = recipe;
        this.kinds = kinds;
        ops = new Ops(recipe, kinds);
        blocks = new BlockOps(ops, recipe.model());
        edge = new EdgeOps(ops, blocks, recipe);
        layers = recipe.model().layers();
        units = new Units();
    }

    /** Number of slots that the instructions use. */
    int slots() {
        return 3 * (layers + 1) + 2;
    }

    List<Instruction> build() {
        open(
                kinds.annotation("ProfilerStep#" + Slot.THIRD.mark()),
                !recipe.recording().omits(Omission.STEPS));
        frame("train.py(212): <module>");
        frame("train.py(148): train_step");
        loadBatch();
        forward();
        backward();
        update();
        report();
        close(recipe.recording().pythonStacks());
        close(recipe.recording().pythonStacks());
        close(!recipe.recording().omits(Omission.STEPS));
        return List.copyOf(program);
    }

    private void loadBatch() {
        annotated("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", () -> {
            run(ops.op("aten::stack", ops.in().tensors().scalar("0")));
            run(ops.op("aten::stack", ops.in().tensors().scalar("0")));
        });
        Call copy = edge.toDevice();
        run(copy);
        run(copy);
        annotated("Optimizer.zero_grad#AdamW.zero_grad", () -> {});
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
        for (int i = 0; i < parts.size(); i++) {
            BlockOps.Part part = parts.get(i);
            run(inModule(part.module() + '_' + (layer * parts.size() + i), part.source(), part.action()));
        }
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
            block.forEach(this::run);
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

    private void update() {
        run(edge.gradientNorm());
        agree(Lane.NORM);
        run(edge.clip());
        annotated("Optimizer.step#AdamW.step", () -> run(edge.optimizer()));
    }

    private void report() {
        agree(Lane.WORLD);
        run(edge.readBack());
        run(ops.synchronize(true));
    }

    /** All ranks of the group sum one number, and the compute stream waits for the result. */
    private void agree(Lane lane) {
        int now = mark(layers);
        program.add(new Mark(now));
        program.add(new Communicate(
                StepCollective.define(recipe, kinds, CollectiveSpelling.ALL_REDUCE, lane, 1, 4), now, reduced(layers)));
        program.add(new Await(reduced(layers)));
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

        private void gather(int unit, int after) {
            annotated("FSDP::all_gather (" + unitName(unit) + ')', () -> {
                run(copyIn);
                run(record);
                communicate(CollectiveSpelling.ALL_GATHER, Lane.SHARD, unit, after, gathered(unit));
            });
        }

        private void use(int unit) {
            program.add(new Await(gathered(unit)));
            annotated("FSDP::all_gather_copy_out (" + unitName(unit) + ')', () -> {
                run(await);
                run(copyOut);
            });
        }

        private void reduce(int unit, int after) {
            annotated("FSDP::post_backward_reduce (" + unitName(unit) + ')', () -> {
                run(chunk);
                run(record);
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
            program.add(new Communicate(StepCollective.define(recipe, kinds, kind, lane, elements, 2), after, done));
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

    private void run(HostAction action) {
        program.add(new Run(action));
    }

    private void annotated(String name, Runnable body) {
        program.add(new Open(kinds.annotation(name)));
        body.run();
        program.add(new Close());
    }

    private void open(EventKind kind, boolean wanted) {
        if (wanted) {
            program.add(new Open(kind));
        }
    }

    private void close(boolean wanted) {
        if (wanted) {
            program.add(new Close());
        }
    }

    private void frame(String name) {
        if (recipe.recording().pythonStacks()) {
            program.add(new Open(kinds.python(name)));
        }
    }

    /** The Python frames around an op that a module calls, where stacks are recorded. */
    private HostAction inModule(String module, String source, HostAction action) {
        if (!recipe.recording().pythonStacks()) {
            return action;
        }
        HostAction inside = action;
        for (String name : List.of(
                "<built-in function " + source.substring(source.lastIndexOf('/') + 1, source.indexOf(".py")) + '>',
                source,
                "torch/nn/modules/module.py(1762): _call_impl",
                "torch/nn/modules/module.py(1751): _wrapped_call_impl",
                "nn.Module: " + module)) {
            inside = new Call(kinds.python(name), 600, 400, Numbering.NONE, List.of(inside));
        }
        return inside;
    }
}
