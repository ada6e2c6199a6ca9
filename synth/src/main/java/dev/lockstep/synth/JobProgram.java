// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HostAction.Call;
import dev.lockstep.synth.HostAction.Numbering;
import dev.lockstep.synth.Instruction.Await;
import dev.lockstep.synth.Instruction.Close;
import dev.lockstep.synth.Instruction.Communicate;
import dev.lockstep.synth.Instruction.Mark;
import dev.lockstep.synth.Instruction.Open;
import dev.lockstep.synth.Instruction.Read;
import dev.lockstep.synth.Instruction.Run;
import java.util.ArrayList;
import java.util.List;

/** What programs of a training step have in common: how they begin and end, load a batch, update weights and report. */
abstract class JobProgram {
    final TraceRecipe recipe;
    final KindTable kinds;
    final Ops ops;
    final EdgeOps edge;
    final BlockOps blocks;
    final List<Instruction> program = new ArrayList<>();

    JobProgram(TraceRecipe recipe, KindTable kinds) {
        this.recipe = recipe;
        this.kinds = kinds;
        ops = new Ops(recipe, kinds);
        blocks =
                new BlockOps(ops, recipe.model(), recipe.cluster().parallelism().tensor());
        edge = new EdgeOps(ops, blocks, recipe);
    }

    /** Number of slots that the instructions use. */
    abstract int slots();

    /** The instructions of a step. */
    abstract List<Instruction> build();

    final void begin() {
        open(
                kinds.annotation("ProfilerStep#" + Slot.THIRD.mark()),
                !recipe.recording().omits(Omission.STEPS));
        frame("train.py(212): <module>");
        frame("train.py(148): train_step");
    }

    final List<Instruction> end() {
        close(recipe.recording().pythonStacks());
        close(recipe.recording().pythonStacks());
        close(!recipe.recording().omits(Omission.STEPS));
        return List.copyOf(program);
    }

    final void loadBatch() {
        annotated("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", () -> {
            run(ops.op("aten::stack", ops.in().tensors().scalar("0")));
            run(ops.op("aten::stack", ops.in().tensors().scalar("0")));
        });
        Call copy = edge.toDevice();
        run(copy);
        run(copy);
        annotated("Optimizer.zero_grad#AdamW.zero_grad", () -> {});
    }

    final void update(int mark, int agreed) {
        run(edge.gradientNorm());
        agree(Lane.NORM, mark, agreed);
        run(edge.clip());
        annotated("Optimizer.step#AdamW.step", () -> run(edge.optimizer()));
    }

    final void report(int mark, int agreed) {
        agree(Lane.WORLD, mark, agreed);
        run(edge.readBack());
        run(ops.synchronize(true));
    }

    /** What ranks do that read values behind layers; programs of runs without such ranks do not know of it. */
    final void readBehind(int layer) {
        if (recipe.disturbance().stragglers().stream().anyMatch(s -> s.kind() == Straggler.Kind.ITEM)) {
            program.add(new Read(edge.readBack(), layer));
        }
    }

    /** All ranks of the group sum one number, and the compute stream waits for the result. */
    private void agree(Lane lane, int mark, int agreed) {
        program.add(new Mark(mark));
        CollectiveMessage number = new CollectiveMessage(CollectiveSpelling.ALL_REDUCE, lane, 1, 4);
        program.add(new Communicate(StepCollective.define(recipe, kinds, number), mark, agreed));
        program.add(new Await(agreed));
    }

    final void run(HostAction action) {
        program.add(new Run(action));
    }

    final void annotated(String name, Runnable body) {
        program.add(new Open(kinds.annotation(name)));
        body.run();
        program.add(new Close());
    }

    private void open(EventKind kind, boolean wanted) {
        if (wanted) {
            program.add(new Open(kind));
        }
    }

    final void close(boolean wanted) {
        if (wanted) {
            program.add(new Close());
        }
    }

    final void frame(String name) {
        if (recipe.recording().pythonStacks()) {
            program.add(new Open(kinds.python(name)));
        }
    }

    /** The Python frames around an op that a module calls, where stacks are recorded. */
    final HostAction inModule(String module, String source, HostAction action) {
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
