// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Set;

/**
 * Where the traces of a run lie and which of them are written.
 *
 * @param perRankDirectories {@code torch_profiler/rank<r>/<name>}, else {@code rank<r>_<name>}
 * @param name of a trace file, ending in {@code .json}
 * @param compressed adds {@code .gz} and compresses
 * @param ranks written; empty means all
 */
public record Layout(boolean perRankDirectories, String name, boolean compressed, Set<Integer> ranks) {

    public Layout {
        if (!name.matches("[A-Za-z0-9._-]+\\.json")) {
            throw new IllegalArgumentException(
                    "a trace name holds letters, digits, dots, dashes and underscores and ends in .json: " + name);
        }
        ranks = Set.copyOf(ranks);
    }

    /** {@code rank0_trace.json}, {@code rank1_trace.json}, … in the directory itself. */
    public static Layout flat() {
        return new Layout(false, "trace.json", false, Set.of());
    }

    /** {@code torch_profiler/rank0/<name>}, …, as trainers write them. */
    public static Layout torchProfiler(String name) {
        return new Layout(true, name, false, Set.of());
    }

    public Layout gzip() {
        return new Layout(perRankDirectories, name, true, ranks);
    }

    /** All ranks are simulated, these are written. */
    public Layout only(Integer... rank) {
        return new Layout(perRankDirectories, name, compressed, Set.of(rank));
    }

    boolean writes(int rank) {
        return ranks.isEmpty() || ranks.contains(rank);
    }

    /** Path of the file of a rank's dependencies, relative to the run's directory. */
    public String edges(int rank) {
        String file = "edges.csv" + (compressed ? ".gz" : "");
        return perRankDirectories ? "torch_profiler/rank" + rank + '/' + file : "rank" + rank + '_' + file;
    }

    /** Path of a rank's trace, relative to the run's directory. */
    String path(int rank) {
        String file = name + (compressed ? ".gz" : "");
        return perRankDirectories ? "torch_profiler/rank" + rank + '/' + file : "rank" + rank + '_' + file;
    }
}
