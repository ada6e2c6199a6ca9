// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What mending one thing would gain at most: the recording replayed as if it took no time. Gains of several things do not
 * add up.
 *
 * @param subject a class of time, or an operator
 * @param edit how to try it, as users write it
 * @param gain ns by which the recording would be shorter
 * @param whole length of the recording in ns
 * @param confidence share of the path that rests on what the trace records, 0 to 1
 * @param evidence pieces of the path that it stands for
 */
public record Opportunity(String subject, String edit, long gain, long whole, double confidence, long evidence) {
    private static final int MOST_OPERATORS = 20;

    /** By gain, largest first; what gains nothing is left out. */
    static List<Opportunity> of(DependencyGraph graph, CriticalPath path, int[] ends) {
        Map<String, long[]> byOperator = new HashMap<>();
        Map<PathClass, Long> byClass = new HashMap<>();
        long inferred = 0;
        for (CriticalPath.Piece piece : path.pieces()) {
            byClass.merge(piece.pathClass(), 1L, Long::sum);
            if (piece.edge() < 0 || graph.kind[piece.edge()] == EdgeKind.INFERRED.ordinal()) {
                inferred += piece.duration();
            }
            boolean runs = piece.edge() >= 0 && graph.kind[piece.edge()] == EdgeKind.RUN.ordinal();
            int operator = runs ? graph.operator[piece.vertex()] : -1;
            if (operator >= 0 && piece.pathClass() == PathClass.COMPUTATION) {
                long[] sum = byOperator.computeIfAbsent(graph.names.get(operator), k -> new long[2]);
                sum[0] += piece.duration();
                sum[1]++;
            }
        }
        long whole = path.window().length();
        double confidence = whole == 0 ? 1 : 1 - (double) inferred / whole;
        List<Opportunity> found = new ArrayList<>();
        for (PathClass of : List.of(PathClass.COMMUNICATION, PathClass.COPY, PathClass.HOST)) {
            String edit = of == PathClass.HOST ? "host=x0" : "class:" + of.spelling() + "=x0";
            found.add(new Opportunity(
                    of.spelling(),
                    edit,
                    gain(graph, path, ends, Edit.without(of)),
                    whole,
                    confidence,
                    byClass.getOrDefault(of, 0L)));
        }
        if (!graph.transfers.isEmpty()) {
            found.add(new Opportunity(
                    "late peers",
                    "class:late_peer=0",
                    gain(graph, path, ends, Edit.withoutLatePeers()),
                    whole,
                    confidence,
                    graph.transfers.size()));
        }
        found.add(new Opportunity(
                "launches",
                "launch=0",
                gain(graph, path, ends, Edit.freeLaunches()),
                whole,
                confidence,
                byClass.getOrDefault(PathClass.LAUNCH_LATENCY, 0L)));
        byOperator.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, long[]> e) -> -e.getValue()[0])
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_OPERATORS)
                .forEach(e -> found.add(new Opportunity(
                        e.getKey(),
                        "op:" + e.getKey() + "=x0",
                        gain(graph, path, ends, Edit.withoutOperator(e.getKey())),
                        whole,
                        confidence,
                        e.getValue()[1])));
        found.removeIf(o -> o.gain <= 0);
        found.sort(Comparator.comparingLong((Opportunity o) -> -o.gain).thenComparing(Opportunity::subject));
        return List.copyOf(found);
    }

    private static long gain(DependencyGraph graph, CriticalPath path, int[] ends, Edit edit) {
        PathWindow window = path.window();
        return window.length() - WhatIf.lengthAfter(graph, List.of(edit), window, ends);
    }
}
