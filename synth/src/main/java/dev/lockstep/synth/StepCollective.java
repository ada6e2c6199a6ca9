// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.EventKind.Flow;
import dev.lockstep.synth.HostAction.Numbering;

/**
 * A collective of a step, as every member issues it.
 *
 * @param lane names the group, by the stream it uses
 * @param elements of the full message
 * @param elementBytes 2 or 4
 * @param op the framework's call
 * @param record the description inside it
 * @param annotation the library's marker inside that
 * @param runtime the launch
 * @param kernel the work
 */
record StepCollective(
        CollectiveSpelling kind,
        Lane lane,
        long elements,
        int elementBytes,
        EventKind op,
        EventKind record,
        EventKind annotation,
        EventKind runtime,
        EventKind kernel) {

    long bytes() {
        return elements * elementBytes;
    }

    static StepCollective define(
            TraceRecipe recipe, KindTable kinds, CollectiveSpelling kind, Lane lane, long elements, int elementBytes) {
        return define(recipe, kinds, kind, lane, elements, elementBytes, kind.annotation());
    }

    /** The end of a transfer that a stage of a pipeline has. */
    static StepCollective transfer(TraceRecipe recipe, KindTable kinds, Lane lane, int stage, long elements) {
        boolean sends = lane == Lane.FORWARD_SEND || lane == Lane.BACKWARD_SEND;
        CollectiveSpelling kind = sends ? CollectiveSpelling.SEND : CollectiveSpelling.RECEIVE;
        int stages = recipe.cluster().parallelism().pipeline();
        int peer = Math.floorMod(stage + lane.towards(), stages);
        String annotation = kind.annotation() + ' ' + stage + (sends ? "->" : "<-") + peer;
        return define(recipe, kinds, kind, lane, elements, 2, annotation);
    }

    private static StepCollective define(
            TraceRecipe recipe,
            KindTable kinds,
            CollectiveSpelling kind,
            Lane lane,
            long elements,
            int elementBytes,
            String annotation) {
        boolean cuda = recipe.vendor() == Vendor.CUDA;
        String name = new VendorKernelNames(recipe.vendor()).collective(kind.stem(elementBytes == 4));
        int size = groupSize(recipe.cluster(), lane);
        TensorArguments inputs = new TensorArguments()
                .tensors(kind.inputElements(elements, size))
                .none()
                .none()
                .scalar("-1");
        KernelShape shape = new KernelShape(
                recipe.communication().channels(), recipe.communication().threads(), 96, cuda ? 82_240 : 33_824);
        boolean described = !recipe.recording().omits(Omission.COLLECTIVE_METADATA);
        return new StepCollective(
                kind,
                lane,
                elements,
                elementBytes,
                kinds.op(kind.op(), Numbering.NONE, Flow.NONE, inputs),
                kinds.collectiveOp(
                        inputs,
                        place -> described ? description(recipe, kind, lane, place, elements, elementBytes, true) : ""),
                kinds.annotation(annotation),
                kinds.runtime(
                        Category.CUDA_RUNTIME,
                        cuda ? "cudaLaunchKernelExC" : "hipExtLaunchKernel",
                        cuda ? 430 : 81,
                        true,
                        cuda ? "" : ", \"kernel\": \"" + name + "\", " + shape.grid()),
                kinds.kernel(
                        name,
                        shape,
                        lane,
                        place -> described
                                ? description(recipe, kind, lane, place, elements, elementBytes, false)
                                : ""));
    }

    private static int groupSize(TraceRecipe.Cluster cluster, Lane lane) {
        return switch (lane) {
            case SHARD ->
                cluster.parallelism().spreads()
                        ? cluster.parallelism().dataRanks(cluster.ranks())
                        : cluster.shardRanks();
            case REPLICATE -> cluster.ranks() / cluster.shardRanks();
            case TENSOR -> cluster.parallelism().tensor();
            case FORWARD_SEND, FORWARD_RECEIVE, BACKWARD_SEND, BACKWARD_RECEIVE ->
                cluster.parallelism().pipeline();
            default -> cluster.ranks();
        };
    }

    private static String description(
            TraceRecipe recipe,
            CollectiveSpelling kind,
            Lane lane,
            RankPlace place,
            long elements,
            int elementBytes,
            boolean host) {
        ProcessGroup group = place.group(lane);
        String peer = kind.isTransfer()
                ? ", \"" + (kind == CollectiveSpelling.SEND ? "Dst" : "Src") + " Rank\": " + place.peer(lane)
                : "";
        String placed = host
                ? ", \"Global rank start\": " + group.ranks().get(0) + ", \"Global rank stride\": " + group.stride()
                : "";
        return ", \"Collective name\": \"" + kind.recorded() + "\", \"In msg nelems\": "
                + kind.inputElements(elements, group.size()) + ", \"Out msg nelems\": "
                + kind.outputElements(elements, group.size()) + ", \"Group size\": " + group.size() + ", \"dtype\": \""
                + (elementBytes == 2 ? "BFloat16" : "Float")
                + "\", \"In split size\": \"[]\", \"Out split size\": \"[]\", \"Process Group Name\": \"" + group.name()
                + "\", \"Process Group Description\": \"" + group.described(recipe.recording())
                + "\", \"Process Group Ranks\": \""
                + group.listed() + "\", \"Rank\": " + group.ranks().indexOf(place.rank()) + placed + peer
                + ", \"Seq\": "
                + Slot.THIRD.mark();
    }
}
