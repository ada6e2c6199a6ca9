// SPDX-License-Identifier: Apache-2.0
/**
 * Recorded operators as a plan of what to run again, and what came of running it. {@link
 * dev.lockstep.replay.plan.ReplayPlan} is the plan, {@link dev.lockstep.replay.plan.PlanFile} its file; {@link
 * dev.lockstep.replay.plan.KinetoPlan} and {@link dev.lockstep.replay.plan.ExecutionTracePlan} make plans from recordings. An
 * executor, which lives in another module or in an exported program, runs a plan and fills a {@link
 * dev.lockstep.replay.plan.ReplayResult}. Nothing here is native.
 */
@NullMarked
package dev.lockstep.replay.plan;

import org.jspecify.annotations.NullMarked;
