// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;

/**
 * What a host thread was doing in each piece of its time: the innermost slice that covers at least half of the piece, and
 * the operator and module around it. Pieces of a thread are asked for in order.
 */
final class HostOwners {
    private static final String MODULE = "nn.Module: ";

    private final Trace trace;
    private final Slices slices;
    private final int[] rows;
    private final IntList open = new IntList(32);
    private final byte[] isModule;
    private int next;

    int label = -1;
    int operator = -1;
    int module = -1;

    /** @param rows the slices of the thread, in order */
    HostOwners(Trace trace, int[] rows, byte[] isModule) {
        this.trace = trace;
        this.slices = trace.slices();
        this.rows = rows;
        this.isModule = isModule;
    }

    /** Memory for {@link #HostOwners} of one trace: which names are modules, as far as known. */
    static byte[] modulesOf(Trace trace) {
        return new byte[trace.strings().size()];
    }

    /** Sets {@link #label}, {@link #operator} and {@link #module} for a piece: ids of names in the trace, -1 for none. */
    void seek(long from, long to) {
        long middle = from + (to - from) / 2;
        while (next < rows.length && slices.ts(rows[next]) <= middle) {
            close(slices.ts(rows[next]));
            open.add(rows[next++]);
        }
        close(middle);
        label = -1;
        operator = -1;
        module = -1;
        for (int i = open.size() - 1; i >= 0; i--) {
            int slice = open.get(i);
            if (slices.end(slice) < middle || slices.end(slice) == middle && to > from) {
                continue;
            }
            long covered = Math.min(to, slices.end(slice)) - Math.max(from, slices.ts(slice));
            if (label < 0 && covered * 2 >= to - from) {
                label = slices.name(slice);
            }
            if (operator < 0 && slices.kind(slice) == SliceKind.CPU_OP) {
                operator = slices.name(slice);
            }
            if (slices.kind(slice) == SliceKind.PYTHON && isModule(slices.name(slice))) {
                module = slices.name(slice);
                break;
            }
        }
    }

    /** Takes off what has ended at this moment, as far as nothing open lies on it. */
    private void close(long moment) {
        while (open.size() > 0 && slices.end(open.get(open.size() - 1)) < moment) {
            open.removeLast();
        }
    }

    private boolean isModule(int name) {
        if (isModule[name] == 0) {
            isModule[name] = (byte) (trace.strings().get(name).startsWith(MODULE) ? 1 : 2);
        }
        return isModule[name] == 1;
    }
}
