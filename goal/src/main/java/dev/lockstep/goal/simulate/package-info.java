// SPDX-License-Identifier: Apache-2.0
/**
 * Simulation of schedules on a network without congestion, as LogGOPSim does it:
 * {@link dev.lockstep.goal.simulate.Simulation} runs a schedule,
 * {@link dev.lockstep.goal.model.Network} holds the parameters.
 */
@NullMarked
package dev.lockstep.goal.simulate;

import org.jspecify.annotations.NullMarked;
