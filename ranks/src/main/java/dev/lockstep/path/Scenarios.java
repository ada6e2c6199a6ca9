// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.List;

/** What is the same for all scenarios that are tried on a graph. */
final class Scenarios {
    /** Each thread that tries scenarios has durations of its own; more of them would take more memory than the graph. */
    static final int MOST_THREADS = 4;

    private final DependencyGraph graph;
    private final PathWindow window;
    private final int[] ends;
    private final long[] recorded;

    /**
     * Nothing is tried yet.
     *
     * @param window the recording
     * @param ends the vertices of which the last ends the window
     */
    Scenarios(DependencyGraph graph, PathWindow window, int[] ends) {
        this.graph = graph;
        this.window = window;
        this.ends = ends;
        recorded = graph.residuals();
    }

    /** How long the window is with each of several scenarios. */
    long[] lengths(List<List<Edit>> scenarios, WorkerThreads threads) {
        long[] lengths = new long[scenarios.size()];
        threads.share(lengths.length, MOST_THREADS, () -> {
            Replays replays = new Replays();
            return i -> {
                replays.edit(scenarios.get(i));
                lengths[i] = replays.length();
            };
        });
        return lengths;
    }

    /** Replays of one scenario after the other, in the same memory. Confined to one thread. */
    final class Replays {
        private final long[] weights = new long[graph.weight.length];
        private final long[] residuals = new long[recorded.length];
        private final long[] at = new long[recorded.length];

        /** Takes the recorded durations with these edits. */
        void edit(List<Edit> edits) {
            graph.contention.weightsAlone(weights);
            System.arraycopy(recorded, 0, residuals, 0, residuals.length);
            for (Edit edit : edits) {
                edit.apply(graph, weights, residuals);
            }
        }

        /** How many durations and latencies differ from those recorded; to be asked before the length. */
        long changed() {
            long[] unedited = new long[weights.length];
            graph.contention.weightsAlone(unedited);
            long changed = 0;
            for (int e = 0; e < weights.length; e++) {
                changed += weights[e] == unedited[e] ? 0 : 1;
            }
            for (int v = 0; v < residuals.length; v++) {
                changed += residuals[v] == recorded[v] ? 0 : 1;
            }
            return changed;
        }

        /** How long the window then is, in ns. The durations are used up. */
        long length() {
            graph.contention.replay(weights, residuals, at);
            long before = Long.MIN_VALUE;
            long last = Long.MIN_VALUE;
            for (int vertex : ends) {
                before = Math.max(before, graph.time[vertex]);
                last = Math.max(last, at[vertex]);
            }
            return last == Long.MIN_VALUE
                    ? window.length()
                    : last + Math.max(0, window.end() - before) - window.start();
        }
    }
}
