// SPDX-License-Identifier: Apache-2.0
/**
 * Matrix multiplications whose time varies, over a whole sweep: three files that build on each other, from traces or, where
 * there are none, from reports. Start at {@link dev.lockstep.sweep.gemm.GemmStage} and
 * {@link dev.lockstep.sweep.gemm.GemmSteps}.
 */
@NullMarked
package dev.lockstep.sweep.gemm;

import org.jspecify.annotations.NullMarked;
