// SPDX-License-Identifier: Apache-2.0
/**
 * Simulation of schedules on a network without congestion, as LogGOPSim does it:
 * {@link dev.lockstep.goal.network.Simulation} runs a schedule,
 * {@link dev.lockstep.goal.network.Network} holds the parameters.
 */
@NullMarked
package dev.lockstep.goal.network;

import org.jspecify.annotations.NullMarked;
