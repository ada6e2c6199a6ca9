// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.derive.DerivedCache;

/**
 * One question about a trace. Implementations are records of their options, keep no state and may be run on any trace.
 *
 * @param <R> the typed answer
 */
public interface Analysis<R extends AnalysisResult> {
    /** Stable word by which the analysis is known. */
    String id();

    /** Answers the question; a trace that lacks what is needed gives a result that says so, never an exception. */
    R run(DerivedCache trace);
}
