// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.Steps.Step;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * To which step every moment of a graph belongs: what a host does to the step in which it lies, what a device does to the one in which
 * it was launched. Where no steps are known, everything is one.
 */
final class StepsOfVertices {
    /** Before the steps, in them, behind them. */
    static final int PHASES = 3;

    /** By vertex: place of the step among all, -1 before the first, their number behind the last. */
    final int[] stepOf;
    /** How many steps there are. */
    final int steps;

    /** By vertex: place of its rank. */
    final int[] rankOf;

    private final DependencyGraph graph;

    /**
     * Finds the steps.
     *
     * @param ranks numbers of the ranks
     * @param steps by rank, on the clock of the graph; empty where everything is one step
     * @param numbers of the steps that count, ascending; others lie before or behind them
     */
    StepsOfVertices(DependencyGraph graph, int[] ranks, List<List<Step>> steps, long[] numbers) {
        this.graph = graph;
        this.steps = numbers.length;
        stepOf = new int[graph.size()];
        rankOf = new int[graph.size()];
        Map<Integer, Integer> places = new HashMap<>();
        for (int r = 0; r < ranks.length; r++) {
            places.put(ranks[r], r);
        }
        int[] trackRank = graph.tracks.stream()
                .mapToInt(track -> places.getOrDefault(track.rank(), -1))
                .toArray();
        for (int v = 0; v < stepOf.length; v++) {
            rankOf[v] = trackRank[graph.trackOf(v)];
            stepOf[v] =
                    steps.isEmpty() || rankOf[v] < 0 ? 0 : place(steps.get(rankOf[v]), graph.time[launch(v)], numbers);
        }
    }

    int phase(int vertex) {
        int step = stepOf[vertex];
        return step < 0 ? 0 : step < steps ? 1 : 2;
    }

    /** The moment at which a device's activity was launched that starts or ends here; of others the moment itself. */
    private int launch(int vertex) {
        if (!graph.track(vertex).onDevice()) {
            return vertex;
        }
        int start = start(vertex);
        int launched = source(start, EdgeKind.LAUNCH);
        return launched < 0 ? start : launched;
    }

    /** Where an activity starts that ends here; a start is its own. */
    private int start(int end) {
        int run = source(end, EdgeKind.RUN);
        if (run >= 0) {
            return run;
        }
        int met = source(end, EdgeKind.MEMBER);
        if (met < 0) {
            return end;
        }
        for (int e = graph.firstEdge[met]; e < graph.firstEdge[met + 1]; e++) {
            if (graph.kind[e] == EdgeKind.MEMBER.ordinal() && graph.trackOf(graph.source[e]) == graph.trackOf(end)) {
                return graph.source[e];
            }
        }
        return end;
    }

    private int source(int vertex, EdgeKind kind) {
        for (int e = graph.firstEdge[vertex]; e < graph.firstEdge[vertex + 1]; e++) {
            if (graph.kind[e] == kind.ordinal()) {
                return graph.source[e];
            }
        }
        return -1;
    }

    /** Between steps counts to the one before. */
    private static int place(List<Step> steps, long time, long[] numbers) {
        int from = LongOrder.leading(steps.size(), place -> steps.get(place).start() <= time);
        if (from == 0) {
            return -1;
        }
        boolean behind = from == steps.size() && time > steps.getLast().end();
        int found = Arrays.binarySearch(numbers, steps.get(from - 1).number());
        return behind || found < -1 ? numbers.length : found;
    }
}
