// SPDX-License-Identifier: Apache-2.0
/**
 * Recorded operators as a plan of what to run again, and what came of running it. {@link
 * dev.lockstep.replay.ReplayPlan} is the plan, {@link dev.lockstep.replay.PlanFile} its file; {@link
 * dev.lockstep.replay.KinetoPlan} and {@link dev.lockstep.replay.ExecutionTracePlan} make plans from recordings. An
 * executor, which lives in another module or in an exported program, runs a plan and fills a {@link
 * dev.lockstep.replay.ReplayResult}. Nothing here is native.
 */
@NullMarked
package dev.lockstep.replay;

import org.jspecify.annotations.NullMarked;
