// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import org.jspecify.annotations.Nullable;

/**
 * What is known beyond the traces.
 *
 * @param gpusPerNode ranks of a node, -1 to find out
 * @param channels of every collective, -1 to take those that kernels were launched with
 * @param protocol of every collective, null to choose by size
 * @param allReduce algorithm of all-reduces, null to take what kernels are called after
 * @param sizesFromTimes whether what is not on record about a collective is taken from how long it took, where else it would be
 *     left out
 * @param connections who is connected to whom, null to make it up
 */
public record KinetoRules(
        int gpusPerNode,
        int channels,
        @Nullable NcclProtocol protocol,
        @Nullable NcclAlgorithm allReduce,
        boolean sizesFromTimes,
        @Nullable Connections connections) {
    /** Nothing. */
    public static final KinetoRules NONE = new KinetoRules(-1, -1, null, null, false, null);

    /** The same, sizes being taken from times where there are none. */
    public KinetoRules guessing() {
        return new KinetoRules(gpusPerNode, channels, protocol, allReduce, true, connections);
    }
}
