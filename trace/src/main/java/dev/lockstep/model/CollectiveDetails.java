// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What the framework recorded about collectives, on the operator and on the kernel. */
public final class CollectiveDetails {
    /** The key under which a trace holds this table. */
    public static final TableKey<CollectiveDetails> KEY =
            new TableKey<>("collective_details", CollectiveDetails.class, 7, 7, CollectiveDetails::new);

    public static final int COLLECTIVE = 0;
    public static final int GROUP_NAME = 1;
    public static final int GROUP_DESCRIPTION = 2;
    public static final int GROUP_RANKS = 3;
    public static final int DTYPE = 4;
    public static final int IN_SPLIT = 5;
    public static final int OUT_SPLIT = 6;

    public static final int GROUP_SIZE = 0;
    public static final int IN_ELEMENTS = 1;
    public static final int OUT_ELEMENTS = 2;
    public static final int SEQUENCE = 3;
    public static final int PEER = 4;
    public static final int STEP_OF = 5;
    public static final int RANK = 6;

    private final DetailTable table;

    private CollectiveDetails(DetailTable table) {
        this.table = table;
    }

    /** Number of rows. */
    public int size() {
        return table.size();
    }

    /** The slice that a row belongs to. */
    public int slice(int row) {
        return table.slice(row);
    }

    /** The row of a slice, or -1. */
    public int of(int slice) {
        return table.of(slice);
    }

    /** Pool id of the collective's name as the framework writes it, -1 when absent. */
    public int collective(int row) {
        return table.text(COLLECTIVE, row);
    }

    /** Pool id of the process group's name, -1 when absent. */
    public int groupName(int row) {
        return table.text(GROUP_NAME, row);
    }

    /** Pool id of the process group's description, -1 when absent. */
    public int groupDescription(int row) {
        return table.text(GROUP_DESCRIPTION, row);
    }

    /** Pool id of the list of member ranks as the file writes it, -1 when absent. */
    public int groupRanks(int row) {
        return table.text(GROUP_RANKS, row);
    }

    /** Number of members, -1 when absent. */
    public long groupSize(int row) {
        return table.number(GROUP_SIZE, row);
    }

    /** Pool id of the element type, -1 when absent. */
    public int dtype(int row) {
        return table.text(DTYPE, row);
    }

    /** Elements this rank puts in, -1 when absent. */
    public long inElements(int row) {
        return table.number(IN_ELEMENTS, row);
    }

    /** Elements this rank gets out, -1 when absent. */
    public long outElements(int row) {
        return table.number(OUT_ELEMENTS, row);
    }

    /** Pool id of the input split of a variable all-to-all as the file writes it, -1 when absent. */
    public int inSplit(int row) {
        return table.text(IN_SPLIT, row);
    }

    /** Pool id of the output split of a variable all-to-all as the file writes it, -1 when absent. */
    public int outSplit(int row) {
        return table.text(OUT_SPLIT, row);
    }

    /** Number of the collective within its process group, equal on all members; -1 when not recorded. */
    public long sequence(int row) {
        return table.number(SEQUENCE, row);
    }

    /** The other rank of a send or receive, as its number in the whole run; -1 when absent. */
    public long peer(int row) {
        return table.number(PEER, row);
    }

    /**
     * The rank that the framework names with the call, as its place in the group: the root of a collective that has one;
     * -1 when absent. Only operators carry it.
     */
    public long rank(int row) {
        return table.number(RANK, row);
    }

    /**
     * Equal for all activities of the rank that are steps of one collective; -1 where an activity is all of its
     * collective.
     */
    public long stepOf(int row) {
        return table.number(STEP_OF, row);
    }
}
