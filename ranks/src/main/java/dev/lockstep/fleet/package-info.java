// SPDX-License-Identifier: Apache-2.0
/**
 * Runs of very many ranks, from sums over steps: who is slow, since when and in what. Start at
 * {@link dev.lockstep.analyze.comm.SlowRanks}.
 */
@NullMarked
package dev.lockstep.fleet;

import org.jspecify.annotations.NullMarked;
