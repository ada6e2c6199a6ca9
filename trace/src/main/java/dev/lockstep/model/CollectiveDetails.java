// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What the framework recorded about collectives, on the operator and on the kernel. */
public final class CollectiveDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<CollectiveDetails> KEY =
            new TableKey<>("collective_details", CollectiveDetails.class, 7, 7, CollectiveDetails::new);

    /** Text: {@link #collective}. */
    public static final int COLLECTIVE = 0;
    /** Text: {@link #groupName}. */
    public static final int GROUP_NAME = 1;
    /** Text: {@link #groupDescription}. */
    public static final int GROUP_DESCRIPTION = 2;
    /** Text: {@link #groupRanks}. */
    public static final int GROUP_RANKS = 3;
    /** Text: {@link #dtype}. */
    public static final int DTYPE = 4;
    /** Text: {@link #inSplit}. */
    public static final int IN_SPLIT = 5;
    /** Text: {@link #outSplit}. */
    public static final int OUT_SPLIT = 6;

    /** Number: {@link #groupSize}. */
    public static final int GROUP_SIZE = 0;
    /** Number: {@link #inElements}. */
    public static final int IN_ELEMENTS = 1;
    /** Number: {@link #outElements}. */
    public static final int OUT_ELEMENTS = 2;
    /** Number: {@link #sequence}. */
    public static final int SEQUENCE = 3;
    /** Number: {@link #peer}. */
    public static final int PEER = 4;
    /** Number: {@link #stepOf}. */
    public static final int STEP_OF = 5;
    /** Number: {@link #rank}. */
    public static final int RANK = 6;

    private CollectiveDetails(DetailTable table) {
        super(table);
    }

    /**
     * {@return pool id of the collective's name as the framework writes it, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int collective(int row) {
        return table.text(COLLECTIVE, row);
    }

    /**
     * {@return pool id of the process group's name, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int groupName(int row) {
        return table.text(GROUP_NAME, row);
    }

    /**
     * {@return pool id of the process group's description, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int groupDescription(int row) {
        return table.text(GROUP_DESCRIPTION, row);
    }

    /**
     * {@return pool id of the list of member ranks as the file writes it, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int groupRanks(int row) {
        return table.text(GROUP_RANKS, row);
    }

    /**
     * {@return number of members, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long groupSize(int row) {
        return table.number(GROUP_SIZE, row);
    }

    /**
     * {@return pool id of the element type, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int dtype(int row) {
        return table.text(DTYPE, row);
    }

    /**
     * {@return elements this rank puts in, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long inElements(int row) {
        return table.number(IN_ELEMENTS, row);
    }

    /**
     * {@return elements this rank gets out, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long outElements(int row) {
        return table.number(OUT_ELEMENTS, row);
    }

    /**
     * {@return pool id of the input split of a variable all-to-all as the file writes it, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int inSplit(int row) {
        return table.text(IN_SPLIT, row);
    }

    /**
     * {@return pool id of the output split of a variable all-to-all as the file writes it, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int outSplit(int row) {
        return table.text(OUT_SPLIT, row);
    }

    /**
     * {@return number of the collective within its process group, equal on all members; -1 when not recorded}
     *
     * @param row row of this table, from 0
     */
    public long sequence(int row) {
        return table.number(SEQUENCE, row);
    }

    /**
     * {@return the other rank of a send or receive, as its number in the whole run; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long peer(int row) {
        return table.number(PEER, row);
    }

    /**
     * {@return the rank that the framework names with the call, as its place in the group: the root of a collective
     * that has one; -1 when absent} Only operators carry it.
     *
     * @param row row of this table, from 0
     */
    public long rank(int row) {
        return table.number(RANK, row);
    }

    /**
     * {@return equal for all activities of the rank that are steps of one collective; -1 where an activity is all of
     * its collective}
     *
     * @param row row of this table, from 0
     */
    public long stepOf(int row) {
        return table.number(STEP_OF, row);
    }
}
