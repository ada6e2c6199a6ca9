// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rings and trees that a file states, a line for each channel in order: {@code ring 0 2 1 3} names the ranks of a
 * communicator along the ring, {@code tree -1 0 0 1} the parent of each rank. A line holds for every communicator that
 * has so many ranks. What follows {@code #} is a comment.
 */
public final class Connections {
    private final List<Ring> rings = new ArrayList<>();
    private final List<Tree> trees = new ArrayList<>();

    private Connections() {}

    /**
     * Reads a file.
     *
     * @throws TraceFormatException when a line is neither ring nor tree
     */
    public static Connections read(Path file) throws IOException {
        Connections connections = new Connections();
        List<String> lines = NamedFiles.lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (!line.isEmpty() && !connections.add(line.split("\\s+"))) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        file.toString(),
                        -1,
                        "line " + (i + 1) + ": expected a ring or a tree of all ranks, found '" + line + "'",
                        "ring 0 1 2 3 names ranks in their order; tree -1 0 0 1 names the parent of each rank.");
            }
        }
        return connections;
    }

    /** The rings of communicators of that size; empty if none is stated. */
    List<Ring> rings(int ranks) {
        return rings.stream().filter(ring -> ring.next().length == ranks).toList();
    }

    /** The trees of communicators of that size; empty if none is stated. */
    List<Tree> trees(int ranks) {
        return trees.stream().filter(tree -> tree.parent().length == ranks).toList();
    }

    private boolean add(String[] words) {
        int[] numbers = new int[words.length - 1];
        if (numbers.length < 2) {
            return false;
        }
        for (int i = 0; i < numbers.length; i++) {
            if (!words[i + 1].matches("-1|\\d{1,7}")) {
                return false;
            }
            numbers[i] = Integer.parseInt(words[i + 1]);
        }
        return switch (words[0]) {
            case "ring" -> ring(numbers);
            case "tree" -> tree(numbers);
            default -> false;
        };
    }

    private boolean ring(int[] order) {
        int[] sorted = order.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; i++) {
            if (sorted[i] != i) {
                return false;
            }
        }
        rings.add(ringOf(order));
        return true;
    }

    private boolean tree(int[] parents) {
        for (int parent : parents) {
            if (parent >= parents.length) {
                return false;
            }
        }
        Tree tree = Tree.of(parents);
        trees.add(tree);
        return tree.sound();
    }

    /** The ring that visits ranks in an order. */
    static Ring ringOf(int[] order) {
        int n = order.length;
        int[] previous = new int[n];
        int[] next = new int[n];
        for (int i = 0; i < n; i++) {
            next[order[i]] = order[(i + 1) % n];
            previous[order[(i + 1) % n]] = order[i];
        }
        return new Ring(previous, next);
    }
}
