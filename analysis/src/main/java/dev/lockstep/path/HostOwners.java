// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.ModuleFrames;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;

/**
 * What a host thread was doing in each piece of its time: the innermost slice that covers more than half of the piece, and
 * the operator and module around its middle. Pieces of a thread are asked for in order.
 */
final class HostOwners {
    private final Slices slices;
    private final int[] rows;
    private final HostNesting nesting;
    private final ModuleFrames modules;
    private int next;

    int label = -1;
    int operator = -1;
    int module = -1;

    /** @param rows the slices of the thread, in order */
    HostOwners(Slices slices, int[] rows, HostNesting nesting, ModuleFrames modules) {
        this.slices = slices;
        this.rows = rows;
        this.nesting = nesting;
        this.modules = modules;
    }

    /** Sets {@link #label}, {@link #operator} and {@link #module} for a piece: ids of names in the trace, -1 for none. */
    void seek(long from, long to) {
        long middle = from + (to - from) / 2;
        while (next < rows.length && slices.ts(rows[next]) <= middle) {
            next++;
        }
        int last = next == 0 ? -1 : rows[next - 1];
        int covering = nesting.covering(last, from, to);
        label = covering < 0 ? -1 : slices.name(covering);
        operator = -1;
        module = -1;
        for (int slice = last; slice >= 0 && module < 0; slice = nesting.around(slice)) {
            if (slices.end(slice) < middle || slices.end(slice) == middle && to > from) {
                continue;
            }
            if (operator < 0 && slices.kind(slice) == SliceKind.CPU_OP) {
                operator = slices.name(slice);
            }
            if (modules.isModule(slice)) {
                module = slices.name(slice);
            }
        }
    }
}
