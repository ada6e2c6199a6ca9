// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.IntList;

/**
 * What the stretches of time are that end at the vertices of a graph. Few of them differ: each combination has one row, and a vertex
 * knows its row. Confined to one thread while it grows.
 */
final class PieceTable {
    private static final int COLUMNS = 6;
    private static final int TRACK = 0;
    private static final int CLASS = 1;
    private static final int SHAPE = 2;
    private static final int LABEL = 3;
    private static final int OPERATOR = 4;
    private static final int MODULE = 5;
    private static final int MIX = 0x9E3779B1;

    /** Row by row. */
    private final IntList cells = new IntList(COLUMNS * 64);

    private final int[] wanted = new int[COLUMNS];
    private int[] slots = new int[256];

    int size() {
        return cells.size() / COLUMNS;
    }

    int track(int row) {
        return cells.get(row * COLUMNS + TRACK);
    }

    /** Ordinal of the {@link PathClass}. */
    int pathClass(int row) {
        return cells.get(row * COLUMNS + CLASS);
    }

    /** Of the ends of activities: for each name a number of the shape of its work, 0 where that is not known. */
    int shape(int row) {
        return cells.get(row * COLUMNS + SHAPE);
    }

    /** Whether the shape of any work is known. */
    boolean knowsShapes() {
        for (int row = 0; row < size(); row++) {
            if (shape(row) != 0) {
                return true;
            }
        }
        return false;
    }

    /** What it is called: a number among the graph's names, -1 for none. */
    int label(int row) {
        return cells.get(row * COLUMNS + LABEL);
    }

    /** Name of the operator, -1 for none. */
    int operator(int row) {
        return cells.get(row * COLUMNS + OPERATOR);
    }

    /** Name of the module, -1 for none. */
    int module(int row) {
        return cells.get(row * COLUMNS + MODULE);
    }

    /** The row of a stretch of which the names are not known. */
    int of(int track, PathClass pathClass) {
        wanted[TRACK] = track;
        wanted[CLASS] = pathClass.ordinal();
        wanted[SHAPE] = 0;
        wanted[LABEL] = -1;
        wanted[OPERATOR] = -1;
        wanted[MODULE] = -1;
        return row();
    }

    /** The row of a stretch like another one, with these names. */
    int named(int row, int label, int operator, int module) {
        want(row);
        wanted[LABEL] = label;
        wanted[OPERATOR] = operator;
        wanted[MODULE] = module;
        return row();
    }

    /** The row of a stretch like another one, of work of this shape. */
    int shaped(int row, int shape) {
        want(row);
        wanted[SHAPE] = shape;
        return row();
    }

    /** The row of a stretch that another table knows, whose tracks and names have other numbers there. */
    int added(PieceTable other, int row, int firstTrack, int[] renamed) {
        wanted[TRACK] = other.track(row) + firstTrack;
        wanted[CLASS] = other.pathClass(row);
        wanted[SHAPE] = other.shape(row);
        wanted[LABEL] = renamed(other.label(row), renamed);
        wanted[OPERATOR] = renamed(other.operator(row), renamed);
        wanted[MODULE] = renamed(other.module(row), renamed);
        return row();
    }

    private static int renamed(int name, int[] renamed) {
        return name < 0 ? -1 : renamed[name];
    }

    private void want(int row) {
        for (int c = 0; c < COLUMNS; c++) {
            wanted[c] = cells.get(row * COLUMNS + c);
        }
    }

    /** The row that holds what is wanted; slots hold rows, from 1. */
    private int row() {
        int slot = slot();
        int row = slots[slot] - 1;
        if (row >= 0) {
            return row;
        }
        for (int value : wanted) {
            cells.add(value);
        }
        row = size() - 1;
        slots[slot] = row + 1;
        if (size() * 2 > slots.length) {
            slots = new int[slots.length * 2];
            for (int i = 0; i <= row; i++) {
                want(i);
                slots[slot()] = i + 1;
            }
        }
        return row;
    }

    /** Where the row stands that holds what is wanted, or could stand. */
    private int slot() {
        int hash = 0;
        for (int value : wanted) {
            hash = (hash ^ value) * MIX;
            hash ^= hash >>> 15;
        }
        int slot = hash & slots.length - 1;
        while (slots[slot] != 0 && !holds(slots[slot] - 1)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private boolean holds(int row) {
        for (int c = 0; c < COLUMNS; c++) {
            if (cells.get(row * COLUMNS + c) != wanted[c]) {
                return false;
            }
        }
        return true;
    }
}
