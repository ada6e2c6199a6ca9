// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.List;

/**
 * How long collectives take, and what they cost the kernels beside them.
 *
 * <p>Bus bandwidth grows with channels and threads and saturates; towards 130 channels they get into each other's way.
 * Channels occupy compute units, which slows compute kernels in proportion. Hence a sweep has a best setting, where it lies
 * depending on how much of the communication is exposed. The shape is plausible, the constants are not measurements.
 */
final class CollectiveModel {
    private static final double LATENCY_NANOS = 9_000;
    private static final double HOP_NANOS = 550;

    /** Share of the bus bandwidth that crosses to another host. */
    private static final double BETWEEN_NODES = 0.13;

    private final TraceRecipe recipe;
    private final double efficiency;

    CollectiveModel(TraceRecipe recipe) {
        this.recipe = recipe;
        double channels = recipe.communication().channels();
        double threads = recipe.communication().threads();
        double crowding = 1 + (channels / 130) * (channels / 130);
        efficiency = 1.7 * channels / (channels + 45) * (threads / (threads + 80)) / crowding;
    }

    /**
     * Duration from the last arrival to the end, nanoseconds.
     *
     * @param members the ranks that take part
     * @param bytes of the full message: the gathered, the reduced, or the unscattered one
     */
    long nanos(List<Integer> members, CollectiveSpelling kind, long bytes) {
        if (recipe.disturbance().timing() == Regularity.IDEAL) {
            return 0;
        }
        int size = members.size();
        double peak = recipe.vendor().busBandwidth();
        double bandwidth =
                ProcessGroup.spansNodes(members, recipe.cluster().gpusPerNode()) ? peak * BETWEEN_NODES : peak;
        double wire = bytes * kind.busFactor(size) / (bandwidth * efficiency) * 1e9;
        return (long) (LATENCY_NANOS + HOP_NANOS * (size - 1) + wire);
    }

    /** Share of the device that a running collective takes from compute kernels. */
    double contention() {
        double channels = recipe.communication().channels();
        double weight = 0.7 + 0.3 * recipe.communication().threads() / 512;
        return 0.5 * Math.min(1, channels / 132) * weight;
    }
}
