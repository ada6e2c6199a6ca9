// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * What the members of a group move together.
 *
 * @param lane names the group, by the stream it uses
 * @param elements of the full message
 * @param elementBytes 2 or 4
 */
record CollectiveMessage(CollectiveSpelling kind, Lane lane, long elements, int elementBytes) {

    long bytes() {
        return elements * elementBytes;
    }

    /** Whether an element has four bytes. */
    boolean isWide() {
        return elementBytes == 4;
    }

    /** Elements that each of the group's members gives. */
    long inputElements(TraceRecipe.Cluster cluster) {
        return kind.inputElements(elements, groupSize(cluster));
    }

    private int groupSize(TraceRecipe.Cluster cluster) {
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

    /**
     * The arguments that describe it in the trace of a member.
     *
     * @param host whether on the host's side, which also says where the group's ranks lie
     */
    String described(TraceRecipe.Recording recording, RankPlace place, boolean host) {
        if (recording.omits(Omission.COLLECTIVE_METADATA)) {
            return "";
        }
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
                + "\", \"Process Group Description\": \"" + group.described(recording)
                + "\", \"Process Group Ranks\": \""
                + group.listed() + "\", \"Rank\": " + group.ranks().indexOf(place.rank()) + placed + peer
                + ", \"Seq\": "
                + Slot.THIRD.mark();
    }
}
