// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * Where slices belong whose times do not say it: copies of calls that were recorded elsewhere, operators that stand for
 * a part of another one, and what these took over. Slices are named by their event numbers.
 */
public final class Grafts extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<Grafts> KEY = new TableKey<>("grafts", Grafts.class, 1, 3, Grafts::new);

    /** Text: {@link #hints}. */
    public static final int HINTS = 0;

    /** Number: {@link #parent}. */
    public static final int PARENT = 0;

    /** Number: {@link #launch}. */
    public static final int LAUNCH = 1;

    /** Number: {@link #role}, as ordinal. */
    public static final int ROLE = 2;

    /** What a slice with a row is. */
    public enum Role {
        /** It was recorded here, and only belongs elsewhere than its times say. */
        MOVED,
        /** It was added, and its times say nothing about what it encloses. */
        ADDED,
        /** As {@link #ADDED}; it shows part of the work of an operator, which stays the launcher of that work. */
        ADDED_VIEW
    }

    private static final Role[] ROLES = Role.values();

    private Grafts(DetailTable table) {
        super(table);
    }

    /**
     * {@return event number of the host slice that encloses this host slice, -1 for none}
     *
     * @param row row of this table, from 0
     */
    public int parent(int row) {
        return (int) table.number(PARENT, row);
    }

    /**
     * {@return event number of the call that launched this device slice, -1 for a host slice}
     *
     * @param row row of this table, from 0
     */
    public int launch(int row) {
        return (int) table.number(LAUNCH, row);
    }

    /**
     * {@return what the slice of a row is}
     *
     * @param row row of this table, from 0
     */
    public Role role(int row) {
        return ROLES[(int) table.number(ROLE, row)];
    }

    /**
     * {@return pool id of a JSON object of what is known about an added operator beyond its arguments, or -1}
     *
     * @param row row of this table, from 0
     */
    public int hints(int row) {
        return table.text(HINTS, row);
    }
}
