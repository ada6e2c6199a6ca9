// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import dev.lockstep.table.LongOrder;

/**
 * What a rank has of a path through slices, such as the critical path: arrows from each to the next, also of another rank, and
 * for how long the path was in each.
 *
 * @param slices rows of the trace's slices that are on the path, ascending, each once
 * @param onPath by place in {@code slices}: time of the path there, in ns
 * @param touched rows of slices that ends of arrows touch, ascending
 * @param starts by place in {@code touched}: whether the arrow starts there
 * @param ids by place in {@code touched}: number of the arrow, unique in a file
 */
@SuppressWarnings("ArrayRecordComponent") // large, and handed from one owner to the next
public record PathArrows(int[] slices, long[] onPath, int[] touched, boolean[] starts, long[] ids) {
    /** The category and the name of such arrows. */
    public static final String NAME = "critical_path";

    /** The argument of a slice that says for how long the path was in it, in ns. */
    public static final String ARGUMENT = "critical_path_ns";

    /** {@return those of a rank through which no path leads} */
    public static PathArrows none() {
        return new PathArrows(new int[0], new long[0], new int[0], new boolean[0], new long[0]);
    }

    /** Goes through slices in ascending order, and tells what each has of the path. */
    public static final class Cursor {
        private final PathArrows path;
        private int nextSlice;
        private int nextEnd;

        /** @param from the first slice that may be asked for */
        public Cursor(PathArrows path, int from) {
            this.path = path;
            nextSlice = first(path.slices, from);
            nextEnd = first(path.touched, from);
        }

        /** {@return time of the path in a slice, in ns; -1 for a slice that is not on it} */
        public long onPath(int slice) {
            while (nextSlice < path.slices.length && path.slices[nextSlice] < slice) {
                nextSlice++;
            }
            return nextSlice < path.slices.length && path.slices[nextSlice] == slice ? path.onPath[nextSlice] : -1;
        }

        /** {@return the place of the next end that touches a slice; -1 when there are no more} */
        public int end(int slice) {
            while (nextEnd < path.touched.length && path.touched[nextEnd] < slice) {
                nextEnd++;
            }
            return nextEnd < path.touched.length && path.touched[nextEnd] == slice ? nextEnd++ : -1;
        }
    }

    private static int first(int[] ascending, int slice) {
        return LongOrder.leading(ascending.length, place -> ascending[place] < slice);
    }
}
