// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.IntList;

/**
 * Activities that wait for one another, as a dependency graph of its own: what a schedule says, without a recording. They are replayed with
 * any durations; times count from 0, in a unit of the caller. Confined to one thread.
 */
public final class ActivityGraph {
    private final DependencyGraph graph;
    /** By activity: the vertices at its start and end, and the edge of its work. */
    private final int[] starts;

    private final int[] ends;
    private final int[] works;
    private final long[] weights;
    private final long[] residuals;
    private final long[] at;

    private ActivityGraph(Builder from) {
        graph = from.vertices.build();
        starts = from.starts.toArray();
        ends = from.ends.toArray();
        works = new int[ends.length];
        for (int activity = 0; activity < works.length; activity++) {
            int run = graph.edge(ends[activity], EdgeKind.RUN);
            works[activity] = run >= 0 ? run : graph.edge(ends[activity], EdgeKind.MEMBER);
        }
        weights = graph.weight.clone();
        residuals = new long[graph.size()];
        at = new long[graph.size()];
    }

    /** Collects activities. Confined to one thread. */
    public static final class Builder {
        private final GraphBuilder vertices = new GraphBuilder();
        private final int track = vertices.track(new PathTrack(0, "", null));
        private final int origin = vertex();
        private final IntList starts = new IntList(64);
        private final IntList ends = new IntList(64);

        private int vertex() {
            return vertices.vertex(0, track, PathClass.COMPUTATION);
        }

        /** Adds an activity that works from its start to its end; returns its number, counted from 0. */
        public int activity() {
            int activity = started();
            vertices.edge(EdgeKind.RUN, starts.get(activity), ends.get(activity), 0);
            return activity;
        }

        /** Adds activities that work once the last of them has started; returns the number of the first, the others follow. */
        public int together(int count) {
            int first = starts.size();
            int met = vertex();
            for (int member = 0; member < count; member++) {
                int activity = started();
                vertices.edge(EdgeKind.MEMBER, starts.get(activity), met, 0);
                vertices.edge(EdgeKind.MEMBER, met, ends.get(activity), 0);
            }
            return first;
        }

        private int started() {
            starts.add(vertex());
            ends.add(vertex());
            vertices.edge(EdgeKind.STREAM, origin, starts.get(starts.size() - 1), 0);
            return starts.size() - 1;
        }

        /** Lets an activity start no sooner than another one has ended. */
        public void after(int before, int activity) {
            vertices.edge(EdgeKind.STREAM, ends.get(before), starts.get(activity), 0);
        }

        /** {@return the activities as they wait for one another} */
        public ActivityGraph build() {
            return new ActivityGraph(this);
        }
    }

    /** {@return whether activities wait for each other in a circle, so that no replay says anything} */
    public boolean isCircular() {
        return graph.counts(EdgeKind.STREAM).acausal > 0;
    }

    /** {@return how many activities there are} */
    public int size() {
        return starts.length;
    }

    /** Says what an activity takes in the next replay; a negative time ends it before it starts. */
    public void work(int activity, long time) {
        weights[works[activity]] = time;
    }

    /** Says by how much an activity starts later in the next replay than those before it allow. */
    public void delay(int activity, long time) {
        residuals[starts[activity]] = time;
    }

    /** Replays all of it. */
    public void replay() {
        graph.replay(weights, residuals, at);
    }

    /** {@return when an activity started in the last replay} */
    public long start(int activity) {
        return at[starts[activity]];
    }

    /** {@return when an activity ended in the last replay} */
    public long end(int activity) {
        return at[ends[activity]];
    }
}
