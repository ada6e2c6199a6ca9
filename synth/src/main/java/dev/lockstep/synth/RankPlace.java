// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.List;

/**
 * Who a rank is, in its trace.
 *
 * @param rank in the job
 * @param device index on its host
 * @param processId of its Python process, also the id of the main thread
 * @param groups the groups it is a member of
 */
record RankPlace(int rank, Vendor vendor, int device, int processId, List<ProcessGroup> groups) {

    static RankPlace of(TraceRecipe recipe, int rank, List<ProcessGroup> all) {
        int device = rank % recipe.cluster().gpusPerNode();
        List<ProcessGroup> mine =
                all.stream().filter(group -> group.ranks().contains(rank)).toList();
        return new RankPlace(rank, recipe.vendor(), device, 23_100 + device * 71, mine);
    }

    ProcessGroup group(Lane lane) {
        for (Lane of : List.of(lane.ofOwnGroup(), lane.ofGroup())) {
            for (ProcessGroup group : groups) {
                if (group.lane() == of) {
                    return group;
                }
            }
        }
        throw new IllegalArgumentException("rank " + rank + " has no group on " + lane);
    }

    /** The rank at the other end of the transfers of a lane. */
    int peer(Lane lane) {
        ProcessGroup group = group(lane);
        int stage = group.ranks().indexOf(rank);
        return group.ranks().get(Math.floorMod(stage + lane.towards(), group.size()));
    }

    /** Whether it has a group that uses the lane. */
    boolean uses(Lane lane) {
        return groups.stream().anyMatch(group -> group.lane() == lane.ofGroup());
    }

    int processOf(Lane lane) {
        return lane.isThread() ? processId : device;
    }

    int threadOf(Lane lane) {
        return lane.isThread() ? processId + lane.number(vendor) : lane.number(vendor);
    }
}
