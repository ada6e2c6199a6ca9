// SPDX-License-Identifier: Apache-2.0
/**
 * Simulation of schedules on a network without congestion, as LogGOPSim does it:
 * {@link dev.lockstep.simulate.network.Simulation} runs a schedule,
 * {@link dev.lockstep.simulate.network.Network} holds the parameters.
 */
@NullMarked
package dev.lockstep.simulate.network;

import org.jspecify.annotations.NullMarked;
