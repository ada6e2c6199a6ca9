// SPDX-License-Identifier: Apache-2.0
/**
 * Kernels as the hardware sees them: how much of the device each fills, and what it multiplies matrices with. Start at
 * {@link dev.lockstep.analyze.hardware.KernelOccupancy}.
 */
@NullMarked
package dev.lockstep.analyze.hardware;

import org.jspecify.annotations.NullMarked;
