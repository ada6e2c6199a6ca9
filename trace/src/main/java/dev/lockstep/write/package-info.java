// SPDX-License-Identifier: Apache-2.0
/**
 * Writers: one class per output format. Those of reports are handed a finished {@link dev.lockstep.report.Report} and know
 * nothing about traces or analyses; those of traces ({@link dev.lockstep.write.TraceWriter}) are handed each rank as a
 * {@link dev.lockstep.write.RankTimeline} and know nothing about merging. Everything is written beside its destination and moved there when whole
 * ({@link dev.lockstep.write.Output}).
 */
@NullMarked
package dev.lockstep.write;

import org.jspecify.annotations.NullMarked;
