// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.NearestAround;
import dev.lockstep.model.Slices;
import org.jspecify.annotations.Nullable;

/**
 * What a host thread was doing in each piece of its time: the innermost slice that covers more than half of the piece, and
 * the operator and module around its middle. Pieces of a thread are asked for in order.
 */
final class HostOwners {
    private final Slices slices;
    private final int[] rows;
    private final HostNesting nesting;
    private final NearestAround operators;
    private final NearestAround modules;
    private final @Nullable HostOwners inside;
    private int next;

    /** The slice that began last and is not over before the current piece, -1 for none. */
    private int innermost = -1;

    int label = -1;
    int operator = -1;
    int module = -1;

    /**
     * @param rows the slices of the thread, in order
     * @param operators finds operators
     * @param modules finds modules
     * @param inside the same of calls of the thread that lie on a track of their own, null for none: their names count first
     */
    HostOwners(
            Slices slices,
            int[] rows,
            HostNesting nesting,
            NearestAround operators,
            NearestAround modules,
            @Nullable HostOwners inside) {
        this.slices = slices;
        this.rows = rows;
        this.nesting = nesting;
        this.operators = operators;
        this.modules = modules;
        this.inside = inside;
    }

    /** Sets {@link #label}, {@link #operator} and {@link #module} for a piece: ids of names in the trace, -1 for none. */
    void seek(long from, long to) {
        long middle = from + (to - from) / 2;
        while (next < rows.length && slices.ts(rows[next]) <= middle) {
            innermost = rows[next++];
        }
        while (innermost >= 0 && slices.end(innermost) < from) {
            innermost = nesting.around(innermost);
        }
        int covering = from == to ? -1 : nesting.covering(innermost, from, to);
        label = covering < 0 ? -1 : slices.name(covering);
        int inModule = open(modules, innermost, middle, to > from);
        int inOperator = open(operators, innermost, middle, to > from);
        module = inModule < 0 ? -1 : slices.name(inModule);
        boolean outside = inOperator < inModule; // what lies around began before
        operator = inOperator < 0 || outside ? -1 : slices.name(inOperator);
        if (inside != null) {
            inside.seek(from, to);
            label = inside.label < 0 ? label : inside.label;
        }
    }

    /** The first slice of a kind, from one outwards, that still runs at a moment, or -1. */
    private int open(NearestAround kind, int slice, long moment, boolean beyond) {
        int found = kind.of(slice);
        while (found >= 0 && (slices.end(found) < moment || slices.end(found) == moment && beyond)) {
            found = kind.beyond(found);
        }
        return found;
    }
}
