// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import static dev.lockstep.goal.recording.Communicator.NONE;

import dev.lockstep.goal.nccl.NvtxMark.RingMark;
import dev.lockstep.goal.nccl.NvtxMark.TreeMark;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Puts together what the ranks of a communicator say about their neighbours, channel by channel. */
final class Topology {
    private static final int[] NO_CHILDREN = {};

    private final int ranks;
    private final Map<Integer, RingMark[]> rings = new TreeMap<>();
    private final Map<Integer, TreeMark[]> trees = new TreeMap<>();

    Topology(int ranks) {
        this.ranks = ranks;
    }

    void add(RingMark mark) {
        if (known(mark.rank())) {
            rings.computeIfAbsent(mark.channel(), channel -> new RingMark[ranks])[mark.rank()] = mark;
        }
    }

    void add(TreeMark mark) {
        if (known(mark.rank())) {
            trees.computeIfAbsent(mark.channel(), channel -> new TreeMark[ranks])[mark.rank()] = mark;
        }
    }

    /** One for each channel of which something is known; the ranks in order where nothing is. */
    List<Ring> rings(String communicator, RecordingNotes notes) {
        List<Ring> all = new ArrayList<>();
        rings.forEach((channel, marks) -> all.add(ring(communicator, channel, marks, notes)));
        if (all.isEmpty()) {
            all.add(Ring.inOrder(ranks));
        }
        return all;
    }

    private Ring ring(String communicator, int channel, RingMark[] marks, RecordingNotes notes) {
        int[] previous = new int[ranks];
        int[] next = new int[ranks];
        Arrays.fill(previous, NONE);
        Arrays.fill(next, NONE);
        for (RingMark mark : marks) {
            if (mark != null && known(mark.previous()) && known(mark.next())) {
                previous[mark.rank()] = mark.previous();
                next[mark.rank()] = mark.next();
                next[mark.previous()] = next[mark.previous()] == NONE ? mark.rank() : next[mark.previous()];
                previous[mark.next()] = previous[mark.next()] == NONE ? mark.rank() : previous[mark.next()];
            }
        }
        if (IntStream.of(next).anyMatch(rank -> rank == NONE)
                || IntStream.of(previous).anyMatch(rank -> rank == NONE)
                || new Ring(previous, next).positions() == null) {
            notes.assumed(
                    "ring_assumed",
                    "communicator " + communicator + ": what its ranks say about channel " + channel
                            + " is no ring; the ranks in their order are taken for one");
            return Ring.inOrder(ranks);
        }
        return new Ring(previous, next);
    }

    /** One for each channel of which something is known; two mirrored ones where nothing is. */
    List<Tree> trees(String communicator, RecordingNotes notes) {
        List<Tree> all = new ArrayList<>();
        trees.forEach((channel, marks) -> all.add(tree(communicator, channel, marks, notes)));
        if (all.isEmpty()) {
            Tree heap = Tree.heap(ranks);
            all.add(heap);
            all.add(heap.mirrored());
        }
        return all;
    }

    private Tree tree(String communicator, int channel, TreeMark[] marks, RecordingNotes notes) {
        int[] parent = new int[ranks];
        int[][] children = new int[ranks][];
        Arrays.fill(parent, NONE);
        Arrays.fill(children, NO_CHILDREN);
        for (TreeMark mark : marks) {
            if (mark != null) {
                parent[mark.rank()] = mark.parent();
                children[mark.rank()] = IntStream.of(mark.child1(), mark.child2(), mark.child3())
                        .filter(child -> child >= 0)
                        .toArray();
            }
        }
        Tree tree = new Tree(parent, children);
        if (tree.sound()) {
            return tree;
        }
        notes.assumed(
                "tree_assumed",
                "communicator " + communicator + ": what its ranks say about channel " + channel
                        + " is no tree; one shaped like a heap is taken for it");
        return channel % 2 == 0 ? Tree.heap(ranks) : Tree.heap(ranks).mirrored();
    }

    private boolean known(int rank) {
        return rank >= 0 && rank < ranks;
    }
}
