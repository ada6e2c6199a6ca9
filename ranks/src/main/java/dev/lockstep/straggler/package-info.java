// SPDX-License-Identifier: Apache-2.0
/**
 * What uneven work costs a job of data-parallel pipelines: the recorded operations are replayed on the graph of their
 * dependencies, with their own durations and with typical ones, all at once and group by group. After "Understanding
 * StragglerAnalysis in Large Model Training Using What-if Analysis" (OSDI 2025). {@link dev.lockstep.straggler.OperationTable}
 * holds what was recorded, {@code Template} what waits for what, {@code JobGraph} computes all times anew, {@link
 * dev.lockstep.straggler.StragglerAnalysis} asks the questions, {@link dev.lockstep.straggler.RecoveredRoles} says who is who
 * where a table does not.
 */
@NullMarked
package dev.lockstep.straggler;

import org.jspecify.annotations.NullMarked;
