// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.error.UserException;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a window would be with other durations.
 *
 * @param edit what was changed, as it was asked for
 * @param window name of the window
 * @param before its length as recorded, in ns
 * @param after its length with the change, in ns
 * @param changed how many durations and latencies the change makes different
 */
record WhatIf(String edit, String window, long before, long after, long changed) {
    /** What the change gains, in ns; negative where it costs. */
    long gain() {
        return before - after;
    }

    /**
     * Replays a graph with each of several scenarios.
     *
     * @param scenarios as users write them: edits joined by semicolons
     * @param window the recording
     * @param ends the vertices of which the last ends the window
     * @throws UserException when one cannot be understood
     */
    static List<WhatIf> of(DependencyGraph graph, List<String> scenarios, PathWindow window, int[] ends) {
        List<List<Edit>> edits = scenarios.stream().map(Edit::parse).toList();
        List<WhatIf> results = new ArrayList<>();
        for (int i = 0; i < edits.size(); i++) {
            Durations edited = new Durations(graph, edits.get(i));
            long after = edited.length(window, ends);
            results.add(new WhatIf(scenarios.get(i), window.name(), window.length(), after, edited.changed()));
        }
        return results;
    }

    /**
     * Replays a graph with the edits of a scenario.
     *
     * @param window the recording
     * @param ends the vertices of which the last ends the window
     */
    static long lengthAfter(DependencyGraph graph, List<Edit> edits, PathWindow window, int[] ends) {
        return new Durations(graph, edits).length(window, ends);
    }

    /** Weights and residuals of a graph with some edits. */
    private static final class Durations {
        private final DependencyGraph graph;
        private final long[] unedited;
        private final long[] weights;
        private final long[] residuals;

        Durations(DependencyGraph graph, List<Edit> edits) {
            this.graph = graph;
            unedited = graph.contention.weightsAlone();
            weights = unedited.clone();
            residuals = graph.residuals();
            for (Edit edit : edits) {
                edit.apply(graph, weights, residuals);
            }
        }

        long changed() {
            long changed = 0;
            for (int e = 0; e < weights.length; e++) {
                changed += weights[e] == unedited[e] ? 0 : 1;
            }
            for (int v = 0; v < residuals.length; v++) {
                changed += residuals[v] == graph.residual(v) ? 0 : 1;
            }
            return changed;
        }

        long length(PathWindow window, int[] ends) {
            long[] at = graph.contention.replay(weights, residuals);
            long recorded = Long.MIN_VALUE;
            long last = Long.MIN_VALUE;
            for (int vertex : ends) {
                recorded = Math.max(recorded, graph.time[vertex]);
                last = Math.max(last, at[vertex]);
            }
            return last == Long.MIN_VALUE
                    ? window.length()
                    : last + Math.max(0, window.end() - recorded) - window.start();
        }
    }
}
