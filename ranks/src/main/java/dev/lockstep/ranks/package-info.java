// SPDX-License-Identifier: Apache-2.0
/**
 * The ranks of a run together. {@link dev.lockstep.ranks.KeptRank} is what is kept of each once its trace was read;
 * {@link dev.lockstep.ranks.MatchedRanks} answers what every report across ranks asks: what they did together, who is slow, and what the run
 * gains without these.
 */
@NullMarked
package dev.lockstep.ranks;

import org.jspecify.annotations.NullMarked;
