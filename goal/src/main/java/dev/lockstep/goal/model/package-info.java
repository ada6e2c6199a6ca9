// SPDX-License-Identifier: Apache-2.0
/**
 * What {@link dev.lockstep.goal.Goal} takes and returns: networks, times, counts, proofs, and the words of the collective
 * library.
 */
@NullMarked
package dev.lockstep.goal.model;

import org.jspecify.annotations.NullMarked;
