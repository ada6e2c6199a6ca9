// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a run beside its steps. Times are ns.
 *
 * @param ranks the ranks of the run, those that are missing included, and files that belong to none
 * @param places where ranks run; empty where nobody knows
 * @param kernels of slow ranks, those that take longer than on other ranks, the costliest of a rank first
 * @param groups process groups whose transfers take longer than those of like groups
 * @param starts ranks that came late to their first collective
 */
public record FleetRun(
        List<Member> ranks, Map<Integer, Place> places, List<Kernel> kernels, List<Group> groups, List<Start> starts)
        implements Serializable {
    /**
     * A rank, or a file.
     *
     * @param rank its number, -1 for a file that belongs to none
     * @param status read, partial, unreadable, missing, set_aside or doubled
     * @param file the trace, null for none
     * @param note what is wrong, null for nothing
     * @param clock how far its clock is apart, null when unknown
     */
    public record Member(
            int rank,
            String status,
            @Nullable String file,
            @Nullable String note,
            @Nullable Clock clock) implements Serializable {}

    /**
     * The clock of a rank, against that of the reference.
     *
     * @param offsetNs how far it is ahead in the middle of what ties it to others
     * @param errorNs the offset is right to within this over the whole recording
     * @param driftPpm by how much the offset grows
     */
    public record Clock(long offsetNs, long errorNs, double driftPpm) implements Serializable {}

    /**
     * Where a rank runs.
     *
     * @param node its host
     * @param rack of the host, null when not known
     */
    public record Place(String node, @Nullable String rack) implements Serializable {}

    /**
     * A kernel of a slow rank.
     *
     * @param rank the rank
     * @param name of the kernel
     * @param dims shapes of the inputs of its operator, null when not recorded
     * @param count how often it ran
     * @param usualCount the same on the median rank
     * @param ratio its time, by that of the median rank
     * @param excessNs its time, less that of the median rank
     */
    public record Kernel(
            int rank, String name, @Nullable String dims, long count, long usualCount, double ratio, double excessNs)
            implements Serializable {}

    /**
     * A process group whose transfers take long.
     *
     * @param group its name
     * @param kind of collective
     * @param bytes of the message, -1 when unknown
     * @param ranks its members that were found
     * @param ratio its median transfer, by the median of groups of equal size with equal messages
     * @param others how many such groups there are beside it
     * @param excessNs of all instances, what its transfers take longer
     */
    public record Group(
            String group, String kind, long bytes, List<Integer> ranks, double ratio, int others, double excessNs)
            implements Serializable {
        /** Copies the list. */
        public Group {
            ranks = List.copyOf(ranks);
        }
    }

    /**
     * A rank that came late to its first collective.
     *
     * @param rank the rank
     * @param lateNs behind the median of the members
     */
    public record Start(int rank, double lateNs) implements Serializable {}

    /** Copies the lists. */
    public FleetRun {
        ranks = List.copyOf(ranks);
        places = Map.copyOf(places);
        kernels = List.copyOf(kernels);
        groups = List.copyOf(groups);
        starts = List.copyOf(starts);
    }
}
