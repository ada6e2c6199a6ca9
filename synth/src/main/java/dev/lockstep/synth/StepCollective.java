// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.EventKind.Flow;
import dev.lockstep.synth.HostAction.Numbering;

/**
 * A collective of a step, as every member issues it.
 *
 * @param op the framework's call
 * @param record the description inside it
 * @param annotation the library's marker inside that
 * @param runtime the launch
 * @param kernel the work
 */
record StepCollective(
        CollectiveMessage message,
        EventKind op,
        EventKind record,
        EventKind annotation,
        EventKind runtime,
        EventKind kernel) {

    CollectiveSpelling kind() {
        return message.kind();
    }

    Lane lane() {
        return message.lane();
    }

    long bytes() {
        return message.bytes();
    }

    static StepCollective define(TraceRecipe recipe, KindTable kinds, CollectiveMessage message) {
        return define(recipe, kinds, message, message.kind().annotation());
    }

    /** The end of a transfer that a stage of a pipeline has. */
    static StepCollective transfer(TraceRecipe recipe, KindTable kinds, Lane lane, int stage, long elements) {
        boolean sends = lane == Lane.FORWARD_SEND || lane == Lane.BACKWARD_SEND;
        CollectiveSpelling kind = sends ? CollectiveSpelling.SEND : CollectiveSpelling.RECEIVE;
        int stages = recipe.cluster().parallelism().pipeline();
        int peer = Math.floorMod(stage + lane.towards(), stages);
        String annotation = kind.annotation() + ' ' + stage + (sends ? "->" : "<-") + peer;
        return define(recipe, kinds, new CollectiveMessage(kind, lane, elements, 2), annotation);
    }

    private static StepCollective define(
            TraceRecipe recipe, KindTable kinds, CollectiveMessage message, String annotation) {
        boolean cuda = recipe.vendor() == Vendor.CUDA;
        String name =
                new VendorKernelNames(recipe.vendor()).collective(message.kind().stem(message.isWide()));
        TensorArguments inputs = new TensorArguments()
                .tensors(message.inputElements(recipe.cluster()))
                .none()
                .none()
                .scalar("-1");
        KernelShape shape = new KernelShape(
                recipe.communication().channels(), recipe.communication().threads(), 96, cuda ? 82_240 : 33_824);
        return new StepCollective(
                message,
                kinds.op(message.kind().op(), Numbering.NONE, Flow.NONE, inputs),
                kinds.collectiveOp(inputs, place -> message.described(recipe.recording(), place, true)),
                kinds.annotation(annotation),
                kinds.runtime(
                        Category.CUDA_RUNTIME,
                        cuda ? "cudaLaunchKernelExC" : "hipExtLaunchKernel",
                        cuda ? 430 : 81,
                        true,
                        cuda ? "" : ", \"kernel\": \"" + name + "\", " + shape.grid()),
                kinds.kernel(
                        name, shape, message.lane(), place -> message.described(recipe.recording(), place, false)));
    }
}
