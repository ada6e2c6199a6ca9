// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ranks that wait for each other in a circle. An operation stands between those who wait in it and those whom it waits for, so that
 * groups of any size cost no more than their members.
 */
final class WaitCircles {
    private final Waits waits;
    private final int ranks;
    private final int[] nodes;
    private final List<Operation> operations;
    private final Map<Operation, Integer> numbers = new HashMap<>();

    WaitCircles(Waits waits, int ranks) {
        this.waits = waits;
        this.ranks = ranks;
        operations = waits.operations();
        for (Operation one : operations) {
            numbers.put(one, ranks + numbers.size());
        }
        nodes = new int[ranks + operations.size()];
    }

    private List<Integer> next(int node) {
        if (node < ranks) {
            Operation one = waits.operation(node);
            return one == null ? List.of() : List.of(numbers.get(one));
        }
        Operation one = operations.get(node - ranks);
        return one.absent.isEmpty() ? one.held : one.absent;
    }

    /** A shortest circle of each part in which everybody waits for everybody, and that waits for nobody outside. */
    List<List<Integer>> all() {
        int parts = parts();
        boolean[] leaves = new boolean[parts];
        int[] sizes = new int[parts];
        int[] firsts = new int[parts];
        Arrays.fill(firsts, -1);
        for (int node = 0; node < nodes.length; node++) {
            int part = nodes[node];
            sizes[part]++;
            if (node < ranks && firsts[part] < 0) {
                firsts[part] = node;
            }
            for (int other : next(node)) {
                leaves[part] |= nodes[other] != part;
            }
        }
        List<List<Integer>> found = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            if (!leaves[part] && sizes[part] > 1 && firsts[part] >= 0) {
                found.add(shortest(firsts[part]));
            }
        }
        return found;
    }

    /** Numbers the strongly connected parts of all nodes, without recursion; returns how many there are. */
    private int parts() {
        int n = nodes.length;
        int[] order = new int[n];
        int[] low = new int[n];
        int[] place = new int[n];
        Arrays.fill(nodes, -1);
        Deque<Integer> open = new ArrayDeque<>();
        Deque<Integer> path = new ArrayDeque<>();
        int count = 0;
        int parts = 0;
        for (int root = 0; root < n; root++) {
            if (order[root] != 0) {
                continue;
            }
            path.push(root);
            while (!path.isEmpty()) {
                int node = path.peek();
                if (order[node] == 0) {
                    order[node] = ++count;
                    low[node] = count;
                    open.push(node);
                }
                List<Integer> next = next(node);
                if (place[node] < next.size()) {
                    int other = next.get(place[node]++);
                    if (order[other] == 0) {
                        path.push(other);
                    } else if (nodes[other] < 0) {
                        low[node] = Math.min(low[node], order[other]);
                    }
                    continue;
                }
                path.pop();
                if (!path.isEmpty()) {
                    low[path.peek()] = Math.min(low[path.peek()], low[node]);
                }
                if (low[node] == order[node]) {
                    int member;
                    do {
                        member = open.pop();
                        nodes[member] = parts;
                    } while (member != node);
                    parts++;
                }
            }
        }
        return parts;
    }

    /** The ranks of a shortest circle through a rank, which comes first. */
    private List<Integer> shortest(int start) {
        Map<Integer, Integer> from = new HashMap<>();
        Deque<Integer> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            int node = queue.poll();
            for (int other : next(node)) {
                if (other == start) {
                    List<Integer> circle = new ArrayList<>();
                    for (int at = node; at != start; at = from.getOrDefault(at, start)) {
                        if (at < ranks) {
                            circle.add(at);
                        }
                    }
                    circle.add(start);
                    Collections.reverse(circle);
                    return circle;
                }
                if (from.putIfAbsent(other, node) == null) {
                    queue.add(other);
                }
            }
        }
        return List.of(start);
    }
}
