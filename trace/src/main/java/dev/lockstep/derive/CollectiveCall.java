// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What was recorded about a collective apart from its time: equal for all kernels of one rank that do the same.
 *
 * @param kernel name of the kernel, or of the slice on the host
 * @param kind what it does
 * @param collective name that the framework gives it, null when not recorded
 * @param group name of the process group, null when not recorded
 * @param groupRanks members of the group as the file lists them, null when not recorded; long lists may be shortened
 * @param groupSize number of members, -1 when not recorded
 * @param dtype element type, null when not recorded
 * @param inElements elements that this rank puts in, -1 when not recorded
 * @param outElements elements that this rank gets out, -1 when not recorded
 * @param inSplit elements for each member in a variable all-to-all as the file lists them, null when not recorded
 * @param outSplit elements from each member, likewise
 * @param peer number in the run of the other side of a send or receive, -1 when not recorded
 * @param rank that the framework names with the call as its place in the group: the root, for collectives that have one; -1
 *     when not recorded
 * @param host library of the host that carries it out, such as gloo; null for a kernel
 */
public record CollectiveCall(
        String kernel,
        CollectiveKind kind,
        @Nullable String collective,
        @Nullable String group,
        @Nullable String groupRanks,
        long groupSize,
        @Nullable String dtype,
        long inElements,
        long outElements,
        @Nullable String inSplit,
        @Nullable String outSplit,
        long peer,
        long rank,
        @Nullable String host)
        implements Serializable {

    /** The recorded name of the collective, else the kernel's. */
    public String name() {
        return collective == null ? kernel : collective;
    }

    /** The same without the kernel's name, which says how and not what, where the collective's is recorded. */
    public CollectiveCall withoutKernel() {
        return collective == null
                ? this
                : new CollectiveCall(
                        "",
                        kind,
                        collective,
                        group,
                        groupRanks,
                        groupSize,
                        dtype,
                        inElements,
                        outElements,
                        inSplit,
                        outSplit,
                        peer,
                        rank,
                        host);
    }
}
