// SPDX-License-Identifier: Apache-2.0
/**
 * Power over time and what energy it makes: {@link dev.lockstep.power.PowerLog} reads what samplers and meters wrote,
 * {@link dev.lockstep.power.EnergyIntegrator} gives the energy of a window with its uncertainty, {@link
 * dev.lockstep.power.PowerSource} is a device that can be asked, of which those in files of the system are here.
 */
@NullMarked
package dev.lockstep.power;

import org.jspecify.annotations.NullMarked;
