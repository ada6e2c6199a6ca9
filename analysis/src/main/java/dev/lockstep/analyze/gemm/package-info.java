// SPDX-License-Identifier: Apache-2.0
/**
 * Matrix multiplications: how long each of their kernels took, how much time is lost because that varies, and whether
 * communication that runs at the same time slows them. One pass over a trace yields {@link dev.lockstep.analyze.gemm.RankGemms};
 * {@link dev.lockstep.analyze.gemm.GemmPool} puts ranks and configurations together. Start at
 * {@link dev.lockstep.analyze.gemm.GemmVariance}.
 */
@NullMarked
package dev.lockstep.analyze.gemm;

import org.jspecify.annotations.NullMarked;
