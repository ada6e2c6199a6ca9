// SPDX-License-Identifier: Apache-2.0
/**
 * Analyses: from traces to typed results, and from these to tables. One file per analysis, in packages by topic
 * ({@code time}, {@code work}). They never print, plot or format, do not call each other, and know no trace format, no
 * vendor and no other tool; where definitions differ, {@link dev.lockstep.analyze.AnalysisRules} carries them in. Start at
 * {@link dev.lockstep.analyze.Analysis}.
 */
@NullMarked
package dev.lockstep.analyze;

import org.jspecify.annotations.NullMarked;
