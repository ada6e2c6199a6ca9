// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.session.RankSelection;
import java.util.function.LongConsumer;

/**
 * How runs are read.
 *
 * @param selection which traces are meant where there are several of a rank
 * @param source whose traces are read
 * @param strict whether any damage is a failure
 * @param progress told now and then how many bytes of unpacked content were read, of all runs together
 */
public record PassOptions(RankSelection selection, Source source, boolean strict, LongConsumer progress) {
    /** Which profiler's traces are read. */
    public enum Source {
        /** Those of the framework; where a run has none, those of the profiler of the GPU. */
        ANY,
        /** Those of the profiler of the GPU that was wrapped around the run. */
        ROCPROF
    }

    /** One trace for each rank, of any profiler; damage is counted. */
    public static PassOptions standard() {
        return new PassOptions(RankSelection.any(), Source.ANY, false, bytes -> {});
    }
}
