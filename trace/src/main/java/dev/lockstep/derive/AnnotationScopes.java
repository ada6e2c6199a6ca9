// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;

/** In which annotation a moment of the program lies. */
public final class AnnotationScopes {
    /**
     * Annotations of one sort.
     *
     * @param device whether annotations as seen on the device count, too, and times are {@link MicrosecondDoubles}
     */
    public record Key(boolean device) implements Derived<AnnotationScopes> {
        @Override
        public AnnotationScopes derive(Trace trace, DerivedCache cache) {
            return new AnnotationScopes(trace.slices(), device);
        }
    }

    private final Slices slices;
    private final boolean rounded;
    private final int[] rows;

    /** The {@linkplain #end latest end} of the annotations up to each, by start. */
    private final long[] reached;

    private AnnotationScopes(Slices slices, boolean device) {
        this.slices = slices;
        this.rounded = device;
        IntList found = new IntList(64);
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind == SliceKind.ANNOTATION || device && kind == SliceKind.DEVICE_ANNOTATION) {
                found.add(i);
            }
        }
        rows = found.toArray();
        reached = new long[rows.length];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < rows.length; i++) {
            latest = Math.max(latest, end(rows[i]));
            reached[i] = latest;
        }
    }

    /** The annotation that began first among those that hold the whole slice and end after it, or -1. */
    public int around(int slice) {
        long end = end(slice);
        int from = LongOrder.leading(reached.length, place -> reached[place] <= end);
        return from < rows.length && start(rows[from]) <= start(slice) ? rows[from] : -1;
    }

    /** A number that orders slices by start. */
    private long start(int slice) {
        return rounded ? MicrosecondDoubles.key(MicrosecondDoubles.start(slices, slice)) : slices.ts(slice);
    }

    /** A number that orders slices by end. */
    private long end(int slice) {
        return rounded ? MicrosecondDoubles.key(MicrosecondDoubles.end(slices, slice)) : slices.end(slice);
    }
}
