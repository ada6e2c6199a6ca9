// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What mending one thing would gain at most: the recording replayed as if it took no time, or, of operators whose work is known, as if
 * it took what good kernels take. Gains of several things do not add up.
 *
 * @param subject a class of time, or an operator
 * @param edit how to try it, as users write it
 * @param gain ns by which the recording would be shorter
 * @param whole length of the recording in ns
 * @param confidence share of the path that rests on what the trace records, 0 to 1: nothing inferred, and nothing unresolved
 * @param evidence pieces of the path that it stands for
 */
public record Opportunity(String subject, String edit, long gain, long whole, double confidence, long evidence) {
    private static final int MOST_OPERATORS = 20;

    /** Operators with less than this part of the path could not gain more, and are not tried. */
    private static final int LEAST_PART = 1000;

    private static final String ROOFLINE = "=roofline";

    /** Whether it would take what its work needs, not nothing. */
    public boolean needsWork() {
        return edit.endsWith(ROOFLINE);
    }

    /** What the pieces of a path add up to, and the replays without them. */
    private static final class Search {
        private final PathWindow window;

        /** Pieces of each class. */
        private final Map<PathClass, Long> byClass = new HashMap<>();

        /** Time and pieces of the computation of each operator, and how many of them have a known roofline. */
        private final Map<String, long[]> byOperator = new HashMap<>();

        private final double confidence;

        Search(DependencyGraph graph, CriticalPath path) {
            this.window = path.window();
            for (CriticalPath.Piece piece : path.pieces()) {
                byClass.merge(piece.pathClass(), 1L, Long::sum);
                boolean runs = piece.edge() >= 0 && graph.kind[piece.edge()] == EdgeKind.RUN.ordinal();
                int operator = runs ? graph.operator(piece.vertex()) : -1;
                if (operator >= 0 && piece.pathClass() == PathClass.COMPUTATION) {
                    long[] sum = byOperator.computeIfAbsent(graph.names.get(operator), k -> new long[3]);
                    sum[0] += piece.duration();
                    sum[1]++;
                    sum[2] += graph.rooflines.isKnown(piece.vertex()) ? 1 : 0;
                }
            }
            confidence = confidence(graph, path);
        }

        Candidate without(PathClass of) {
            String edit = of == PathClass.HOST ? "host=x0" : "class:" + of.spelling() + "=x0";
            return new Candidate(of.spelling(), edit, Edit.without(of), pieces(of));
        }

        /** The operators with most time on the path. */
        List<Candidate> withoutOperators() {
            return byOperator.entrySet().stream()
                    .filter(e -> e.getValue()[0] >= window.length() / LEAST_PART)
                    .sorted(Comparator.comparingLong((Map.Entry<String, long[]> e) -> -e.getValue()[0])
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(MOST_OPERATORS)
                    .map(e -> mended(e.getKey(), e.getValue()))
                    .toList();
        }

        /** An operator of which all is known takes what good kernels take, others nothing. */
        private static Candidate mended(String operator, long[] sum) {
            boolean known = sum[2] == sum[1];
            Edit edit = known ? Edit.roofline(operator) : Edit.withoutOperator(operator);
            return new Candidate(operator, "op:" + operator + (known ? ROOFLINE : "=x0"), edit, sum[1]);
        }

        long pieces(PathClass of) {
            return byClass.getOrDefault(of, 0L);
        }

        Opportunity opportunity(Candidate tried, long length) {
            return new Opportunity(
                    tried.subject, tried.spelt, window.length() - length, window.length(), confidence, tried.pieces);
        }
    }

    /** The share of a path that rests on what the trace records: nothing inferred, and nothing unresolved. */
    static double confidence(DependencyGraph graph, CriticalPath path) {
        long unfounded = 0;
        for (CriticalPath.Piece piece : path.pieces()) {
            boolean recorded = piece.edge() >= 0 && graph.kind[piece.edge()] != EdgeKind.INFERRED.ordinal();
            if (!recorded || piece.pathClass() == PathClass.UNRESOLVED) {
                unfounded += piece.duration();
            }
        }
        long length = path.window().length();
        return length == 0 ? 1 : 1 - (double) unfounded / length;
    }

    /** What may gain something. */
    private record Candidate(String subject, String spelt, Edit edit, long pieces) {}

    /**
     * By gain, largest first; what gains nothing is left out.
     *
     * @param threads try them
     */
    static List<Opportunity> of(DependencyGraph graph, CriticalPath path, int[] ends, WorkerThreads threads) {
        Search search = new Search(graph, path);
        List<Candidate> candidates = new ArrayList<>();
        candidates.add(search.without(PathClass.COMMUNICATION));
        candidates.add(search.without(PathClass.COPY));
        candidates.add(search.without(PathClass.HOST));
        if (!graph.transfers.isEmpty()) {
            candidates.add(
                    new Candidate("late peers", "class:late_peer=0", Edit.withoutLatePeers(), graph.transfers.size()));
        }
        candidates.add(
                new Candidate("launches", "launch=0", Edit.freeLaunches(), search.pieces(PathClass.LAUNCH_LATENCY)));
        candidates.addAll(search.withoutOperators());
        long[] lengths = new Scenarios(graph, path.window(), ends)
                .lengths(candidates.stream().map(one -> List.of(one.edit)).toList(), threads);
        List<Opportunity> found = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            found.add(search.opportunity(candidates.get(i), lengths[i]));
        }
        found.removeIf(o -> o.gain <= 0);
        found.sort(Comparator.comparingLong((Opportunity o) -> -o.gain).thenComparing(Opportunity::subject));
        return List.copyOf(found);
    }
}
