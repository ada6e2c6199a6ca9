// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.recording;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A communicator: who belongs to it, and how its members are connected on each channel. Ranks are those within the
 * communicator.
 */
public final class Communicator {
    /** A rank that is none. */
    public static final int NONE = -1;

    private final String id;
    private final int[] gpus;
    private final List<Ring> rings;
    private final List<Tree> trees;

    /**
     * @param gpus for each rank the place of its GPU in {@link RecordedRun#gpus()}, {@link #NONE} if it was not recorded
     * @param rings one for each channel
     * @param trees one for each channel
     */
    public Communicator(String id, int[] gpus, List<Ring> rings, List<Tree> trees) {
        this.id = id;
        this.gpus = gpus.clone();
        this.rings = List.copyOf(rings);
        this.trees = List.copyOf(trees);
    }

    public String id() {
        return id;
    }

    /** Number of its ranks. */
    public int size() {
        return gpus.length;
    }

    /** The GPU of a rank, as its place in {@link RecordedRun#gpus()}; {@link #NONE} if it was not recorded. */
    public int gpu(int rank) {
        return rank < 0 || rank >= gpus.length ? NONE : gpus[rank];
    }

    /** The rank of a GPU, {@link #NONE} if it is no member. */
    public int rankOf(int gpu) {
        for (int rank = 0; rank < gpus.length; rank++) {
            if (gpus[rank] == gpu) {
                return rank;
            }
        }
        return NONE;
    }

    /** Whether all of its ranks were recorded. */
    public boolean whole() {
        return missing() == 0;
    }

    /** How many of its ranks were not recorded. */
    public int missing() {
        return (int) Arrays.stream(gpus).filter(gpu -> gpu == NONE).count();
    }

    /** Whether some process has several of its ranks. */
    public boolean shared() {
        return Arrays.stream(gpus).filter(gpu -> gpu != NONE).distinct().count() < gpus.length - missing();
    }

    /** How its ranks form a ring on a channel; channels beyond those known begin again with the first. */
    public Ring ring(int channel) {
        return rings.get(channel % rings.size());
    }

    /** How its ranks form a tree on a channel; channels beyond those known begin again with the first. */
    public Tree tree(int channel) {
        return trees.get(channel % trees.size());
    }

    /**
     * A ring.
     *
     * @param previous for each rank who sends to it
     * @param next for each rank to whom it sends
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Ring(int[] previous, int[] next) {
        /** The ranks in their order. */
        public static Ring inOrder(int ranks) {
            int[] previous = new int[ranks];
            int[] next = new int[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                previous[rank] = (rank + ranks - 1) % ranks;
                next[rank] = (rank + 1) % ranks;
            }
            return new Ring(previous, next);
        }

        /** For each rank its distance from rank 0 along the ring; null when this is no single ring. */
        public int @Nullable [] positions() {
            int[] positions = new int[next.length];
            Arrays.fill(positions, NONE);
            int rank = 0;
            for (int at = 0; at < next.length; at++) {
                int follower = next[rank];
                if (positions[rank] != NONE || follower < 0 || follower >= next.length || previous[follower] != rank) {
                    return null;
                }
                positions[rank] = at;
                rank = follower;
            }
            return rank == 0 ? positions : null;
        }
    }

    /**
     * A tree.
     *
     * @param parent for each rank its parent, {@link #NONE} for the root
     * @param children for each rank its children
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Tree(int[] parent, int[][] children) {
        /** The tree in which ranks have these parents; children in order of rank. */
        public static Tree of(int[] parents) {
            int[] counts = new int[parents.length];
            for (int parent : parents) {
                if (parent >= 0) {
                    counts[parent]++;
                }
            }
            int[][] children = new int[parents.length][];
            for (int rank = 0; rank < parents.length; rank++) {
                children[rank] = new int[counts[rank]];
            }
            int[] at = new int[parents.length];
            for (int rank = 0; rank < parents.length; rank++) {
                int parent = parents[rank];
                if (parent >= 0) {
                    children[parent][at[parent]++] = rank;
                }
            }
            return new Tree(parents.clone(), children);
        }

        /** A tree shaped like a heap. */
        public static Tree heap(int ranks) {
            int[] parent = new int[ranks];
            int[][] children = new int[ranks][];
            for (int rank = 0; rank < ranks; rank++) {
                parent[rank] = rank == 0 ? NONE : (rank - 1) / 2;
                int first = 2 * rank + 1;
                children[rank] = first >= ranks
                        ? new int[0]
                        : first + 1 >= ranks ? new int[] {first} : new int[] {first, first + 1};
            }
            return new Tree(parent, children);
        }

        /** The same shape with the order of the ranks reversed. */
        public Tree mirrored() {
            int n = parent.length;
            int[] turnedParent = new int[n];
            int[][] turnedChildren = new int[n][];
            for (int rank = 0; rank < n; rank++) {
                int from = n - 1 - rank;
                turnedParent[rank] = parent[from] == NONE ? NONE : n - 1 - parent[from];
                turnedChildren[rank] = new int[children[from].length];
                for (int i = 0; i < children[from].length; i++) {
                    turnedChildren[rank][i] = n - 1 - children[from][i];
                }
            }
            return new Tree(turnedParent, turnedChildren);
        }

        /** Whether every child knows its parent and the other way round, and one root leads to each rank once. */
        public boolean sound() {
            int[] reached = new int[parent.length];
            boolean[] seen = new boolean[parent.length];
            int count = 0;
            for (int rank = 0; rank < parent.length; rank++) {
                if (parent[rank] == NONE && count++ == 0) {
                    reached[0] = rank;
                }
            }
            if (count != 1) {
                return false;
            }
            seen[reached[0]] = true;
            for (int at = 0; at < count; at++) {
                for (int child : children[reached[at]]) {
                    if (child < 0 || child >= parent.length || seen[child] || parent[child] != reached[at]) {
                        return false;
                    }
                    seen[child] = true;
                    reached[count++] = child;
                }
            }
            return count == parent.length;
        }
    }
}
