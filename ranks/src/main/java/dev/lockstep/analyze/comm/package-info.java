// SPDX-License-Identifier: Apache-2.0
/**
 * Communication across ranks: what collectives took, who waited for whom, and at what bandwidth. Works on the
 * {@link dev.lockstep.derive.RankCollectives} of each rank; start at {@link dev.lockstep.analyze.comm.Collectives}.
 */
@NullMarked
package dev.lockstep.analyze.comm;

import org.jspecify.annotations.NullMarked;
