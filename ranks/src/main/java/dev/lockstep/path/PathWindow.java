// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

/**
 * A stretch of time whose path is asked for.
 *
 * @param name of the annotation, or {@code all}
 * @param start in ns
 * @param end in ns
 * @param endVertex the vertex from which the path is walked back; where it comes before the end, the rest is nobody's
 */
record PathWindow(String name, long start, long end, int endVertex) {
    PathWindow named(String other) {
        return new PathWindow(other, start, end, endVertex);
    }

    /** From the earlier beginning to the later end of both. */
    PathWindow with(PathWindow other) {
        int last = other.end > end ? other.endVertex : endVertex;
        return new PathWindow(name, Math.min(start, other.start), Math.max(end, other.end), last);
    }

    /** In ns. */
    long length() {
        return end - start;
    }
}
