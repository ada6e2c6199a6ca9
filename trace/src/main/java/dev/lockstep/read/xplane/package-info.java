// SPDX-License-Identifier: Apache-2.0
/**
 * Reads profiles of XLA in the format XPlane, as JAX and TensorFlow write them. Start at
 * {@link dev.lockstep.read.xplane.XPlaneReader}; the message layout stands at {@link dev.lockstep.read.xplane.Wire}.
 */
@NullMarked
package dev.lockstep.read.xplane;

import org.jspecify.annotations.NullMarked;
