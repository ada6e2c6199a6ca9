// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Grafts;
import dev.lockstep.model.Grafts.Role;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Which host slice encloses which, per thread. Slices that take no part have no parent and no children. Nodes are slice
 * rows.
 */
public final class CallTree {
    /**
     * The tree of operators and library calls.
     *
     * @param nesting what to do with slices that overlap their parent's end
     * @param python whether frames of the Python stack are nodes, too
     */
    public record Key(Nesting nesting, boolean python) implements Derived<CallTree> {
        @Override
        public CallTree derive(Trace trace, DerivedCache cache) {
            return new CallTree(trace, this);
        }
    }

    private static final long BLEED_NS = 1_000;
    private static final double BLEED_US = 1;

    private final int[] parent;
    private final int[] enter;
    private final int[] exit;
    private final int[] byEntry;
    private final boolean[] member;
    private final BitSet unplaced = new BitSet();
    private int misfits;

    private CallTree(Trace trace, Key key) {
        Slices slices = trace.slices();
        int n = slices.size();
        parent = new int[n];
        Arrays.fill(parent, -1);
        member = new boolean[n];
        int[] order = participants(slices, key);
        Grafts grafts = trace.view(Grafts.KEY);
        int[] nested = grafts == null ? order : recorded(order, grafts);
        if (key.nesting == Nesting.BY_FILE_ORDER) {
            nestInFileOrder(slices, nested, trace.tracks().size());
        } else {
            nestByTime(slices, nested, trace.tracks().size());
        }
        if (grafts != null) {
            graft(trace, grafts, order);
        }
        enter = new int[n];
        exit = new int[n];
        byEntry = new int[order.length];
        number(order);
    }

    /** The enclosing slice, or -1. */
    public int parent(int slice) {
        return parent[slice];
    }

    /** Whether the slice takes part. */
    public boolean isMember(int slice) {
        return member[slice];
    }

    /** Number of nodes. */
    public int size() {
        return byEntry.length;
    }

    /** The node that is entered as the {@code i}-th when the tree is walked depth first. */
    public int node(int i) {
        return byEntry[i];
    }

    /** When the node is entered; its descendants are entered between this and {@link #exit}, exclusive. */
    public int enter(int slice) {
        return enter[slice];
    }

    /** The number behind that of the node's last descendant. */
    public int exit(int slice) {
        return exit[slice];
    }

    /** Whether the slice takes part but has no place, because it outlives what it starts in: no root, no parent. */
    public boolean isUnplaced(int slice) {
        return unplaced.get(slice);
    }

    /** How many slices overlap the end of the slice in which they start. */
    public int misfits() {
        return misfits;
    }

    private static int[] participants(Slices slices, Key key) {
        IntList rows = new IntList(slices.size() / 2);
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind == SliceKind.CPU_OP || kind.isLaunchCall() || key.python && kind == SliceKind.PYTHON) {
                rows.add(i);
            }
        }
        int[] order = rows.toArray();
        if (key.nesting == Nesting.BY_FILE_ORDER) {
            long[] places = new long[order.length];
            for (int i = 0; i < order.length; i++) {
                places[i] = slices.index(order[i]);
            }
            LongOrder.sort(places, order);
            MicrosecondDoubles.sortByStart(slices, order);
        }
        return order;
    }

    /** Those whose times say where they belong. */
    private static int[] recorded(int[] order, Grafts grafts) {
        IntList rows = new IntList(order.length);
        for (int slice : order) {
            int row = grafts.of(slice);
            if (row < 0 || grafts.role(row) == Role.MOVED) {
                rows.add(slice);
            }
        }
        return rows.toArray();
    }

    /** Puts slices where they were moved to. Parents that are no nodes are skipped. */
    private void graft(Trace trace, Grafts grafts, int[] order) {
        for (int slice : order) {
            member[slice] = true;
        }
        EventIndex events = new EventIndex(trace);
        for (int slice : order) {
            int row = grafts.of(slice);
            if (row < 0) {
                continue;
            }
            int container = events.slice(grafts.parent(row));
            while (container >= 0 && !member[container]) {
                int above = grafts.of(container);
                container = above < 0 ? -1 : events.slice(grafts.parent(above));
            }
            parent[slice] = container;
        }
    }

    private void nestByTime(Slices slices, int[] order, int tracks) {
        int[] top = new int[tracks];
        Arrays.fill(top, -1);
        for (int slice : order) {
            member[slice] = true;
            int track = slices.track(slice);
            int above = innermost(slices, top[track], slices.ts(slice));
            long end = slices.end(slice);
            if (above >= 0 && end > slices.end(above)) {
                misfits++;
                boolean bleeds = slices.end(above) - slices.ts(slice) < BLEED_NS;
                int container = above;
                while (container >= 0 && end > slices.end(container)) {
                    container = parent[container];
                }
                parent[slice] = container;
                top[track] = bleeds ? slice : above;
            } else {
                parent[slice] = above;
                top[track] = slice;
            }
        }
    }

    /** In doubles of microseconds: an end is a rounded sum, so that slices with one end may seem to outlive each other. */
    private void nestInFileOrder(Slices slices, int[] order, int tracks) {
        int[] top = new int[tracks];
        Arrays.fill(top, -1);
        for (int slice : order) {
            member[slice] = true;
            int track = slices.track(slice);
            double start = MicrosecondDoubles.start(slices, slice);
            int above = top[track];
            while (above >= 0 && start >= MicrosecondDoubles.end(slices, above)) {
                above = parent[above];
            }
            top[track] = above;
            double reached = above < 0 ? Double.POSITIVE_INFINITY : MicrosecondDoubles.end(slices, above);
            if (MicrosecondDoubles.end(slices, slice) > reached) {
                misfits++;
                if (reached - start >= BLEED_US || parent[above] < 0) {
                    unplaced.set(slice);
                    continue;
                }
                above = parent[above];
            }
            parent[slice] = above;
            top[track] = slice;
        }
    }

    private int innermost(Slices slices, int from, long ts) {
        int slice = from;
        while (slice >= 0 && ts >= slices.end(slice)) {
            slice = parent[slice];
        }
        return slice;
    }

    /** Walks the tree without recursion: first children and next siblings are kept in two arrays. */
    private void number(int[] order) {
        int n = parent.length;
        int[] firstChild = new int[n];
        int[] nextSibling = new int[n];
        Arrays.fill(firstChild, -1);
        Arrays.fill(nextSibling, -1);
        for (int i = order.length - 1; i >= 0; i--) {
            int slice = order[i];
            if (parent[slice] >= 0) {
                nextSibling[slice] = firstChild[parent[slice]];
                firstChild[parent[slice]] = slice;
            }
        }
        int clock = 0;
        for (int root : order) {
            if (parent[root] >= 0) {
                continue;
            }
            int slice = root;
            while (slice >= 0) {
                enter[slice] = clock;
                byEntry[clock++] = slice;
                if (firstChild[slice] >= 0) {
                    slice = firstChild[slice];
                    continue;
                }
                exit[slice] = clock;
                while (slice != root && nextSibling[slice] < 0) {
                    slice = parent[slice];
                    exit[slice] = clock;
                }
                slice = slice == root ? -1 : nextSibling[slice];
            }
        }
    }
}
